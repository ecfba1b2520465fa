"""Standings: closed rounds in, exact ranks and their arithmetic out (DESIGN 4.3)."""

from tournaments.standings.lots import PlayerId
from tournaments.standings.ranking import Standing, explain, standings
from tournaments.standings.records import (
    Bye,
    DuplicatePlayer,
    Played,
    Record,
    RoundRecord,
    UnknownOpponent,
)
from tournaments.standings.tie_breakers import (
    DEFAULT_TIE_BREAKERS,
    TIE_BREAKERS,
)
from tournaments.standings.workings import Term, Working, as_decimal
