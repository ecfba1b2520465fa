"""Why a list is not judged at all."""

from core.errors import Refusal


class SideUnclear(Refusal):
    """The cards do not say whose deck it is."""

    code = "side_unclear"


class NothingRead(Refusal):
    """Not one line of the list could be read; the message says why."""

    code = "nothing_read"


class NoCards(Refusal):
    """The card table of the game is empty."""

    code = "no_cards"


class GameNotJudged(Refusal):
    """There are no deck rules for this game."""

    code = "game_not_judged"


class UnknownFormat(Refusal):
    """The game has no format of this id."""

    code = "unknown_format"


class RuleOfAnotherGame(Refusal):
    """What was asked is no rule of this game."""

    code = "rule_of_another_game"
