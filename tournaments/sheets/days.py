"""How the day of a player went so far."""

from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet, Sum
from django.db.models.expressions import Combinable

from tournaments import queries
from tournaments.models import Pairing, Registration, Round, RoundState, Standing, Tournament
from tournaments.sheets.round_lines import RoundLine, round_lines


def moves(tournament: Combinable | Tournament, **whose: Any) -> QuerySet[Any, Any]:
    """What moves with all that is told or decided at a player's tables, as `player` and `moves`.

    Of the tables in the published rounds of an event: what is done to a draft is nobody's business.
    """
    tables = Pairing.objects.filter(
        round__stage__tournament=tournament, match__isnull=False, **whose
    )
    published = tables.exclude(round__state=RoundState.DRAFT)
    by_player = published.order_by().values(player=F("match__seats__player"))
    return by_player.annotate(moves=Sum("match__version"))


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
