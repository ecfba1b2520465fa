"""The base of every refusal: an expected "no" with a text for the user."""

import re
from typing import Any


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """A service says no. The text says what, where and what to do next.

    `code` tells a program which refusal it is. It is the name of the class, NotADraft as
    "not_a_draft", unless the class gives another one.
    """

    code = "refused"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "code" not in vars(cls):
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.details = details


class StaleVersion(Refusal):
    """Somebody else changed the thing first; `details` hold both values."""


class ReasonMissing(Refusal):
    """What others have seen is changed, or done unusually, without a word on why."""
