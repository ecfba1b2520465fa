"""Why a list is not judged at all."""

from core.errors import Refusal


class SideUnclear(Refusal):
    """The cards do not say whose deck it is."""


class NothingRead(Refusal):
    """Not one line of the list could be read; the message says why."""


class NoCards(Refusal):
    """The card table of the game is empty."""


class GameNotJudged(Refusal):
    """There are no deck rules for this game."""


class UnknownFormat(Refusal):
    """The game has no format of this id."""


class RuleOfAnotherGame(Refusal):
    """What was asked is no rule of this game."""
