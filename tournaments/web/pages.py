"""The newest published round and the player's table in it, for all pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from players.models import Player
from tournaments.event import queries
from tournaments.models import Pairing, Round, Tournament

BYE, NOT_IN_IT = "bye", "-"


@dataclass(frozen=True)
class News:
    """The newest published round, None before the first; `seat` is a table, BYE or NOT_IN_IT."""

    round_number: int | None = None
    seat: str = NOT_IN_IT

    def __str__(self) -> str:
        """The value of the header X-News, parsed by static/js/news.js: "3/12"."""
        return f"{self.round_number or 0}/{self.seat}"


def news(
    tournament: Tournament, player: Player | None, newest: Sequence[Round] | None = None
) -> News:
    """The news for this player, or for everybody if None; at most two small queries.

    `newest` is the newest published round, if already known: a list of one round or none.
    """
    if newest is None:
        newest = list(queries.visible_rounds(tournament).only("pk", "number").reverse()[:1])
    for round_ in newest:
        if player is None:
            return News(round_.number)
        mine = Q(match__seats__player=player) | Q(bye__player=player)
        tables = Pairing.objects.filter(mine, round=round_).order_by()
        seat = _seat(list(tables.values_list("table_number", flat=True)[:1]))
        return News(round_.number, seat)
    return News()


def _seat(tables: Sequence[int | None]) -> str:
    if not tables:
        return NOT_IN_IT
    return str(tables[0]) if tables[0] is not None else BYE


def news_of(round_: Round | None, tables: Sequence[int | None]) -> News:
    """Like `news`, with a known round and tables: empty, a table number, or None for a bye."""
    return News() if round_ is None else News(round_.number, _seat(tables))
