"""How the day of a player went so far."""

from dataclasses import dataclass

from tournaments.event import queries
from tournaments.models import Registration, Round, Standing
from tournaments.results.pages.round_lines import RoundLine, round_lines


@dataclass(frozen=True)
class Day:
    """A player's published rounds, first to last, and their line in the standings in force."""

    rounds: list[RoundLine]
    standing: Standing | None


def day_of(registration: Registration, newest: Round | None) -> Day:
    """The day of one player; a constant number of queries.

    `newest` is the newest published round with its stage.
    """
    lines = round_lines(registration)
    for line in lines:
        if newest is not None and line.round == newest:
            line.pairing.round = newest
    return Day(lines, queries.standing_of(registration))
