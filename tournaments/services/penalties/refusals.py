"""Why a penalty cannot be given, or not be taken back."""

from core.errors import Refusal


class UnknownInfraction(Refusal):
    """The guide of this event has no such infraction."""

    code = "unknown_infraction"


class EffectChanged(Refusal):
    """The penalty would do something else than what was looked at."""

    code = "effect_changed"


class NotForThisJudge(Refusal):
    """This is left to the head judge."""

    code = "not_for_this_judge"


class NoPlaceHere(Refusal):
    """Somebody who waits for a place is no player yet."""

    code = "no_place_here"


class GameMissing(Refusal):
    """A lost game of a match has to be named, and to be there."""

    code = "game_missing"


class WrongTable(Refusal):
    """The player does not sit there, or nobody does yet."""

    code = "wrong_table"


class CannotApply(Refusal):
    """The result of the table, or what stands on it, does not take the penalty."""

    code = "cannot_apply"


class AlreadyWithdrawn(Refusal):
    """It was taken back already, or stands already."""

    code = "already_withdrawn"


class ReasonMissing(Refusal):
    """What is done otherwise than the guide says, or taken back, has a reason."""

    code = "reason_missing"


class BadChange(Refusal):
    """A change of the guide that makes no infraction; `details["errors"]` lists why."""

    code = "bad_change"
