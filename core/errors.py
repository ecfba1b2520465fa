"""The base of every refusal: an expected "no" with a text for the user."""

from typing import Any


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """A service says no. The text says what, where and what to do next."""

    code = "refused"

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.details = details


class StaleVersion(Refusal):
    """Somebody else changed the thing first; `details` hold both values."""

    code = "stale_version"
