"""Reasons to refuse a deck check."""

from core.errors import Refusal


class SideUnclear(Refusal):
    pass


class NothingRead(Refusal):
    """No line of the list could be read; the message explains why."""


class NoCards(Refusal):
    pass


class GameNotJudged(Refusal):
    """The game has no deck rules."""


class UnknownFormat(Refusal):
    pass


class RuleOfAnotherGame(Refusal):
    pass
