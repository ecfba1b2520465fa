"""Standings: closed rounds in, exact ranks and their arithmetic out (docs/rules.md)."""

from engine.standings.ranking import Standing, explain, explain_all, standings
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
