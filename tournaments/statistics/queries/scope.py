"""Which events are counted, and who and what in them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True)
class Scope:
    """Which events are counted: `number` keys, those whose decks are, and a mark of their state.

    The keys may be a subquery, so that a player of a thousand events is no thousand parameters.

    Figures that come from decks count events that are over, so that nobody reads from two pages
    what somebody plays tonight; the page of one event counts its own, without small groups.
    """

    game: str
    events: Collection[int]
    with_decks: Collection[int]
    number: int
    hides_small: bool
    mark: str


def scope_of(events: QuerySet[Tournament], game: str) -> Scope:
    """Those of the events that are of this game; two queries."""
    # As keys: the events may come with figures that would be counted once more.
    chosen = Tournament.objects.filter(pk__in=events.values("pk"), game=game).order_by("pk")
    found = list(chosen.values_list("pk", "version", "finished_at"))
    keys = [key for key, *_ in found]
    over = [key for key, _, finished in found if finished is not None]
    is_one_evening = len(keys) == 1 and not over
    return Scope(
        game=game,
        events=keys,
        with_decks=keys if is_one_evening else over,
        number=len(keys),
        hides_small=is_one_evening,
        mark=repr((game, found, _moments_passed(keys))),
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


def _moments_passed(events: Collection[int]) -> int:
    """How many of the times set for their decks are past: no version says so."""
    stages = Stage.objects.filter(tournament__in=events)
    return stages.filter(decks_shown_at__lte=timezone.now()).count()


def over_and_public() -> QuerySet[Tournament]:
    """The events of the page for the whole site."""
    public = Tournament.objects.filter(visibility=Visibility.PUBLIC, practice_of=None)
    return public.filter(finished_at__isnull=False).order_by()


def usual_game(events: QuerySet[Tournament]) -> str:
    """The game most of these events are of; the first one of the site where there are none."""
    found = Tournament.objects.filter(pk__in=events.values("pk")).order_by()
    rows = found.values_list("game").annotate(events=Count("pk")).order_by("-events", "game")
    return next((game for game, _ in rows), DEFAULT.id)


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
