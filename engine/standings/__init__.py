"""Standings: exact ranks from closed rounds, with their arithmetic (docs/rules.md)."""

from engine.standings.field import StoredFigures
from engine.standings.ranking import (
    Standing,
    can_explain_stored,
    explain,
    explain_all,
    explain_stored,
    standings,
)
from engine.standings.records import (
    Bye,
    DuplicatePlayer,
    Played,
    PlayerId,
    Record,
    RoundRecord,
    Taken,
    UnknownOpponent,
    opponents_at,
    played,
)
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS, FIXED_TIE_BREAKERS, TIE_BREAKERS
from engine.standings.workings import Term, Working, as_decimal
