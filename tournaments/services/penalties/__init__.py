"""Penalties: given, withdrawn, and the guide of an event changed."""

from tournaments.services.penalties.changing import change_infraction, forget_change
from tournaments.services.penalties.giving import expected, give
from tournaments.services.penalties.refusals import (
    AlreadyWithdrawn,
    BadChange,
    CannotApply,
    EffectChanged,
    GameMissing,
    NoPlaceHere,
    NotForThisJudge,
    ReasonMissing,
    UnknownInfraction,
    WrongTable,
)
from tournaments.services.penalties.withdrawing import give_again, withdraw
