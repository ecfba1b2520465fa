"""How the day of a player went so far: asked for one of them, or for all of an event in one go."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet, Sum, prefetch_related_objects
from django.db.models.expressions import Combinable

from matches.models import Match
from tournaments import queries
from tournaments.models import Pairing, Registration, Round, RoundState, Standing, Tournament
from tournaments.sheets.round_lines import (
    RoundLine,
    round_lines,
    round_lines_in,
    round_lines_of_all,
)


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
    """A player's published rounds, first to last, and their line in the standings in force.

    `missed` are who is missed at their table of the newest round, by number; None: not asked yet.
    """

    rounds: list[RoundLine]
    standing: Standing | None
    missed: frozenset[int] | None = None


@dataclass(frozen=True)
class KnownDay:
    """A day, and the `moves` of its player from before it was asked for."""

    day: Day
    moves: int


def day_of(registration: Registration, newest: Round | None) -> Day:
    """The day of one player; a constant number of queries.

    `newest` is the newest published round with its stage.
    """
    lines = round_lines(registration)
    _tables_in(newest, lines)
    return Day(lines, queries.standing_of(registration))


def moved_day(day: Day, registration: Registration, newest: Round | None) -> Day:
    """This day after something was told or decided at the player's table of an open round."""
    was_open = [line.round.pk for line in day.rounds if not line.round.is_closed]
    lines = {line.round.pk: line for line in round_lines_in(was_open, registration)}
    if len(lines) != len(was_open):
        # More has changed meanwhile than what was told.
        return day_of(registration, newest)
    _tables_in(newest, lines.values())
    return Day([lines.get(line.round.pk, line) for line in day.rounds], day.standing)


def days_of(tournament: Tournament, newest: Round | None) -> dict[int, KnownDay]:
    """The days of all players, by player; a constant number of queries. `newest` as above."""
    # First: what moves from here on is in none of the days, or already in all.
    moved = dict(moves(tournament).values_list("player", "moves"))
    lines = round_lines_of_all(tournament)
    now = {player: _tables_in(newest, rounds) for player, rounds in lines.items()}
    _fetch_games({table.match for tables in now.values() for table in tables if table.match})
    standings, missed = queries.standings_in_force(tournament), _missed(newest)
    days = {}
    for place in tournament.registrations.all():
        player = place.player_id
        here = [number for table in now.get(player, ()) for number in missed.get(table.pk, ())]
        day = Day(lines.get(player, []), standings.get(place.pk), frozenset(here))
        days[player] = KnownDay(day, moved.get(player, 0))
    return days


def _tables_in(newest: Round | None, lines: Iterable[RoundLine]) -> list[Pairing]:
    """Those of the newest round, which then have it with all that is known of it."""
    tables = [line.pairing for line in lines if line.round == newest]
    for table in tables:
        if newest is not None:
            table.round = newest
    return tables


def _missed(newest: Round | None) -> dict[int, set[int]]:
    """The numbers of who is missed in this round, by pairing."""
    missed: dict[int, set[int]] = {}
    for absence in queries.open_absences(newest) if newest is not None else ():
        missed.setdefault(absence.pairing_id, set()).add(absence.registration.number)
    return missed


def _fetch_games(matches: Collection[Match]) -> None:
    """The results of the newest round are told game by game."""
    prefetch_related_objects([one for one in matches if one.is_settled], "games__seats")
