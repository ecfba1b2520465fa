"""Counts of games, rounds and cuts."""

from collections.abc import Collection, Iterable
from datetime import timedelta
from fractions import Fraction

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    FilteredRelation,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)

from core.model_fields import ExactField
from matches.models import Game, GameSeat
from matches.scoring import GameEnd, Role
from players.models import Player
from tournaments.models import Round, RoundState
from tournaments.statistics.queries.scope import (
    Scope,
    events_with_cut,
    in_cut,
    tables_played,
    who_played,
)
from tournaments.statistics.rules import tallies
from tournaments.statistics.rules.tallies import CutCount, Ending, RoundTime, Sitting

# In minutes. The clock of a shorter round was started after the results were in.
SHORTEST_ROUND = 5
# In minutes. A longer round was not closed in time.
LONGEST_ROUND = 12 * 60


def count(scope: Scope) -> tallies.Count:
    players = who_played(scope.events).aggregate(
        entries=Count("pk"), players=Count("player", distinct=True)
    )
    tables = tables_played(scope.events)
    ended = Game.objects.filter(match=OuterRef("match")).exclude(end="")
    seated = GameSeat.objects.filter(game__match=OuterRef("match"), points__isnull=False)
    known = tables.annotate(is_known=Exists(ended) | Exists(seated))
    matches = known.aggregate(matches=Count("pk"), untold=Count("pk", filter=Q(is_known=False)))
    games = games_of(scope.events).count()
    return tallies.Count(scope.number, games=games, **players, **matches)


def games_of(events: Collection[int]) -> QuerySet[Game]:
    """Return the games with a known result; `corp` and `runner` are their seats."""
    known = Game.objects.filter(match__in=tables_played(events).values("match")).exclude(end="")
    return known.order_by().annotate(
        corp=FilteredRelation("seats", condition=Q(seats__role=Role.CORP)),
        runner=FilteredRelation("seats", condition=Q(seats__role=Role.RUNNER)),
    )


WINNING_SIDE = Case(
    When(winner=None, then=Value("")),
    When(winner=F("corp__seat"), then=Value(Role.CORP.value)),
    default=Value(Role.RUNNER.value),
    output_field=CharField(),
)


def endings(scope: Scope) -> Iterable[Ending]:
    games = games_of(scope.events).values("end", side=WINNING_SIDE).annotate(games=Count("pk"))
    for row in games.order_by("end", "side"):
        yield Ending(GameEnd(row["end"]), Role(row["side"]) if row["side"] else None, row["games"])


def cut(scope: Scope) -> CutCount:
    of_cuts = who_played(scope.events).filter(tournament__in=events_with_cut(scope.events))
    found = of_cuts.aggregate(
        players=Count("pk"), in_cut=Count("pk", filter=Q(pk__in=in_cut(scope.events)))
    )
    return CutCount(**found)


def sittings(scope: Scope, player: Player | None = None) -> Iterable[Sitting]:
    """Count pod seats by faction, position and first place; optionally for a single player."""
    matches = tables_played(scope.events).values("match")
    seats = GameSeat.objects.filter(game__match__in=matches, points__isnull=False, role="")
    if player is not None:
        seats = seats.filter(seat__player=player)
    better = GameSeat.objects.filter(
        game=OuterRef("game"), victory_points__gt=OuterRef("victory_points")
    )
    named = ("faction", "seat__position", "was_first")
    rows = (
        seats.annotate(was_first=~Exists(better))
        .values(*named)
        .annotate(seats=Count("pk"), sum=Sum("points", output_field=ExactField()))
    )
    for row in rows.order_by(*named):
        place = (row["faction"], row["seat__position"], row["was_first"])
        yield Sitting(*place, row["seats"], Fraction(row["sum"]))


def rounds(scope: Scope) -> Iterable[RoundTime]:
    """Yield the lengths of closed rounds: from clock start to last result, without pauses."""
    closed = Round.objects.filter(
        stage__tournament__in=scope.events, state=RoundState.CLOSED, started_at__isnull=False
    )
    rows = closed.order_by("number", "pk").annotate(last=Max("pairings__match__settled_at"))
    columns = ("number", "started_at", "last", "closed_at", "paused_seconds")
    for number, started, last, closed_at, paused in rows.values_list(*columns):
        # A later correction of a result does not extend the round.
        ends = [moment for moment in (last, closed_at) if moment is not None]
        if ends:
            length = (min(ends) - started - timedelta(seconds=paused)) // timedelta(minutes=1)
            if SHORTEST_ROUND <= length <= LONGEST_ROUND:
                yield RoundTime(number, length)
