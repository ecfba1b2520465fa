"""Selection of the events, tables and players to count."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, QuerySet
from django.utils import timezone

from decks.games import DEFAULT
from engine.systems import CUTS
from matches.models import SETTLED
from tournaments.event.queries.registrations import NEVER_CAME
from tournaments.models import (
    Pairing,
    Registration,
    Round,
    RoundState,
    Stage,
    StageEntry,
    Tournament,
    Visibility,
)

# Events counted within a request; more would take too long.
COUNTED_LIVE = 100


@dataclass(frozen=True)
class Scope:
    """The events to count: `number` keys, the keys whose decks count, and a mark of their state.

    The keys may be a subquery, so that a player with a thousand events does not need a thousand
    parameters. Figures about decks only use finished events. Otherwise readers could compare two
    pages to learn a current player's deck. The page of a single event counts its own decks, without
    small groups.

    `stored` events have counts to add up. `late` events have changed since they were counted, so
    older counts or none are used. `totals` are stored sums of further events (queries.totals). If
    either makes the figures older than the events, they date from `counted_at`.
    """

    game: str
    events: Collection[int]
    with_decks: Collection[int]
    number: int
    hides_small: bool
    mark: str
    stored: frozenset[int] = frozenset()
    late: int = 0
    counted_at: datetime | None = None
    totals: QuerySet[Any] | None = None


class EventState(NamedTuple):
    """An event and the state of its stored counts; None without counts."""

    key: int
    version: int
    finished_at: datetime | None
    counted_version: int | None
    counted_until: datetime | None
    counted_at: datetime | None

    @property
    def has_counts(self) -> bool:
        return self.counted_version is not None and self.finished_at is not None

    def is_current(self, now: datetime) -> bool:
        """Return True if the stored counts match the current state of the event."""
        is_over = self.counted_until is not None and self.counted_until <= now
        return self.has_counts and self.counted_version == self.version and not is_over


def scope_of(events: QuerySet[Tournament], game: str) -> Scope:
    """Select the events of this game; two queries.

    Several events use stored counts. Up to `COUNTED_LIVE` events without current counts are counted
    in the request. Of more, the older events retain their last figures or have none yet.
    """
    # By key: annotations of `events` would be computed again.
    chosen = Tournament.objects.filter(pk__in=events.values("pk"), game=game).order_by("pk")
    columns = ("tallies__version", "tallies__until", "tallies__counted_at")
    rows = chosen.values_list("pk", "version", "finished_at", *columns)
    found = [EventState(*row) for row in rows]
    is_one_evening = len(found) == 1 and found[0].finished_at is None
    now = timezone.now()
    current = [one for one in found if one.is_current(now)] if len(found) > 1 else []
    known = {one.key for one in current}
    late = [one for one in found if one.key not in known][:-COUNTED_LIVE]
    stored = [*current, *(one for one in late if one.has_counts)]
    uncounted = {one.key for one in late if not one.has_counts}
    counted = [one for one in found if one.key not in uncounted]
    keys = [one.key for one in counted]
    over = [one.key for one in counted if one.finished_at is not None]
    moments = _moments_passed(chosen.order_by().values("pk"))
    states = [one[:3] for one in found]
    last_figures = [(one.key, one.counted_at) for one in late]
    moments_counted = [one.counted_at for one in stored if late and one.counted_at]
    return Scope(
        game=game,
        events=keys,
        with_decks=keys if is_one_evening else over,
        number=len(keys),
        hides_small=is_one_evening,
        mark=repr((game, states, moments, last_figures)),
        stored=frozenset(one.key for one in stored),
        late=len(late),
        counted_at=max(moments_counted, default=None),
    )


def scopes_by_game(events: QuerySet[Tournament]) -> list[Scope]:
    """Return a scope for each game of these events, most played first; a single query.

    The events stay a subquery. Without a mark the figures cannot be cached.
    """
    rows = events.order_by().values_list("game")
    counted = rows.annotate(number=Count("pk"), over=Count("finished_at"))
    return [_scope_of_game(events, *row) for row in counted.order_by("-number", "game")]


def _scope_of_game(events: QuerySet[Tournament], game: str, number: int, over: int) -> Scope:
    keys: Any = events.filter(game=game).order_by().values("pk")
    is_one_evening = number == 1 and not over
    return Scope(
        game=game,
        events=keys,
        with_decks=keys if is_one_evening else keys.filter(finished_at__isnull=False),
        number=number,
        hides_small=is_one_evening,
        mark="",
    )


def _moments_passed(events: QuerySet[Any, Any]) -> int:
    """Count the passed publication times of decks, which do not change any version."""
    stages = Stage.objects.filter(tournament__in=events)
    return stages.filter(decks_shown_at__lte=timezone.now()).count()


def over_and_public() -> QuerySet[Tournament]:
    """Return the events of the site-wide page: finished and public."""
    public = Tournament.objects.filter(visibility=Visibility.PUBLIC, practice_of=None)
    return public.filter(finished_at__isnull=False).order_by()


def events_by_game(events: QuerySet[Tournament]) -> dict[str, int]:
    """Count the events of each game, the most played game first."""
    found = Tournament.objects.filter(pk__in=events.values("pk")).order_by()
    rows = found.values_list("game").annotate(events=Count("pk"))
    return dict(rows.order_by("-events", "game"))


def usual_game(by_game: dict[str, int]) -> str:
    """Return the most played game of `events_by_game`; the default game if there are no events."""
    return next(iter(by_game), DEFAULT.id)


def tables_played(events: Collection[int]) -> QuerySet[Pairing]:
    """Return published tables with a settled result."""
    tables = Pairing.objects.filter(
        round__stage__tournament__in=events, match__state__in=SETTLED
    ).exclude(round__state=RoundState.DRAFT)
    return tables.order_by()


def who_played(events: Collection[int]) -> QuerySet[Registration]:
    """Return registrations of players who came, including later drops."""
    return Registration.objects.filter(tournament__in=events).exclude(NEVER_CAME).order_by()


def events_with_cut(events: Collection[int]) -> QuerySet[Any, Any]:
    """Return the events with a published cut."""
    rounds = Round.objects.filter(stage__tournament__in=events, stage__system__in=CUTS)
    return rounds.exclude(state=RoundState.DRAFT).order_by().values("stage__tournament")


def in_cut(events: Collection[int]) -> QuerySet[Any, Any]:
    """Return the registrations in such a cut."""
    entries = StageEntry.objects.filter(
        stage__tournament__in=events_with_cut(events), stage__system__in=CUTS, declined=False
    )
    return entries.order_by().values("registration")
