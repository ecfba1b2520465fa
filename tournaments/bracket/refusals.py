"""What a bracket refuses. `details["path"]` is the place in the document of DESIGN 5."""

from core.errors import Refusal


class BracketRefused(Refusal):
    """The seeds or results do not fit the bracket."""

    code = "bracket_refused"

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message, path=path)


class UnknownSystem(BracketRefused):
    """Not a kind of elimination."""

    code = "unknown_system"


class SeedsRefused(BracketRefused):
    """Too few, too many or repeated players."""

    code = "seeds_refused"


class ResultRefused(BracketRefused):
    """A result of a game that cannot have it."""

    code = "result_refused"
