"""Base class of refusals: expected failures with a message for the user."""

import re
from typing import Any


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """An expected failure, with a message that explains the problem and the next step."""

    code = "refused"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "code" not in vars(cls):
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.details = details


class StaleVersion(Refusal):
    """The object has changed since it was read; `details` hold both values."""


class ReasonMissing(Refusal):
    """A change to something already public needs a reason."""
