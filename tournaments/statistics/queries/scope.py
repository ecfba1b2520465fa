"""Which events are counted, and who and what in them."""

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

COUNTED_LIVE = 100
"""Events that one request counts itself; more than these take too long."""


@dataclass(frozen=True)
class Scope:
    """Which events are counted: `number` keys, those whose decks are, and a mark of their state.

    The keys may be a subquery, so that a player of a thousand events is no thousand parameters.

    Figures that come from decks count events that are over, so that nobody reads from two pages
    what somebody plays tonight; the page of one event counts its own, without small groups.

    `stored` events have counts to add up. `late` events have changed since, and their older counts
    are used, or were never counted. `totals` are stored sums of further events (queries.totals).
    Where either makes the figures older than the events, they are from `counted_at`.
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
    """An event, and the state of its stored counts; None where it has none."""

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
        """Return whether the stored counts match the present state of the event."""
        is_over = self.counted_until is not None and self.counted_until <= now
        return self.has_counts and self.counted_version == self.version and not is_over


def scope_of(events: QuerySet[Tournament], game: str) -> Scope:
    """Select the events of this game; two queries.

    For several events the stored counts are used. Up to `COUNTED_LIVE` events without current ones
    are counted in the request; of more, the older events keep their last figures or have none yet.
    """
    # As keys: the events may come with figures that would be counted once more.
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
    """A scope for each game of these events, the most played first; one query.

    The events stay a subquery. Without a mark the figures cannot be kept.
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
    """How many of the times set for their decks are past: no version says so."""
    stages = Stage.objects.filter(tournament__in=events)
    return stages.filter(decks_shown_at__lte=timezone.now()).count()


def over_and_public() -> QuerySet[Tournament]:
    """The events of the page for the whole site."""
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
    """The tables with a settled result that everybody sees."""
    tables = Pairing.objects.filter(
        round__stage__tournament__in=events, match__state__in=SETTLED
    ).exclude(round__state=RoundState.DRAFT)
    return tables.order_by()


def who_played(events: Collection[int]) -> QuerySet[Registration]:
    """Who had a place and came; whoever dropped later played too."""
    return Registration.objects.filter(tournament__in=events).exclude(NEVER_CAME).order_by()


def events_with_cut(events: Collection[int]) -> QuerySet[Any, Any]:
    """The events with a cut that everybody sees."""
    rounds = Round.objects.filter(stage__tournament__in=events, stage__system__in=CUTS)
    return rounds.exclude(state=RoundState.DRAFT).order_by().values("stage__tournament")


def in_cut(events: Collection[int]) -> QuerySet[Any, Any]:
    """Who was in such a cut."""
    entries = StageEntry.objects.filter(
        stage__tournament__in=events_with_cut(events), stage__system__in=CUTS, declined=False
    )
    return entries.order_by().values("registration")
