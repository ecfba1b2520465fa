"""Computation of ratings from the events that count, in the job "compute the ratings"."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from core import jobs
from players.models import Player
from tournaments.models import Job, RatedEvent, Rating, RatingRun
from tournaments.ratings import queries, rules
from tournaments.ratings.rules import RatedDay

# Players per query.
PLAYERS_PER_QUERY = 1000


def run_rating_job(job: Job) -> None:
    """Run the job; its payload names the game."""
    recompute_ratings(job.payload["game"], partial(jobs.renew_lease, job))


def recompute_ratings(
    game: str, keep_alive: Callable[[], None] = lambda: None, *, whole: bool = False
) -> None:
    """Compute the ratings of a game from the first changed day on, and store the changes.

    With `whole`, or after a change of the method's constants, every day is computed. No transaction
    is open during the computation. Of two concurrent runs the later run has seen more, so the
    earlier run stores nothing. `keep_alive` is called between the steps.
    """
    while not _try_to_compute(game, keep_alive, whole=whole):
        pass


def _try_to_compute(game: str, keep_alive: Callable[[], None], *, whole: bool) -> bool:
    """Return False if an earlier run has stored days that this run continued from."""
    run = _begin(game)
    keep_alive()
    method = queries.rating_method(game)
    if whole or run.constants != repr(method.constants):
        first: date | None = date.min
    else:
        first = queries.first_day_to_compute(game)
    if first is None:
        return _store_run(run, date.max, [], [])
    events = queries.versions_of_events_since(game, first)
    before = queries.rated_days_before(game, first)
    played = [
        played_game
        for played_game in queries.rated_games(game, first)
        # Changes made while these rows are read are left to the next run.
        if played_game.event in events and events[played_game.event][0] == played_game.day
    ]
    keep_alive()
    lines = list(rules.rate(played, method, before))
    keep_alive()
    with_games = {played_game.event for played_game in played}
    rated = [
        RatedEvent(event=pk, game=game, day=day, version=version, has_games=pk in with_games)
        for pk, (day, version) in events.items()
    ]
    return _store_run(run, first, lines, rated)


@transaction.atomic
def _begin(game: str) -> RatingRun:
    RatingRun.objects.get_or_create(game=game)
    run = RatingRun.objects.select_for_update().get(game=game)
    run.begun += 1
    run.save(update_fields=["begun"])
    return run


@transaction.atomic
def _store_run(
    run: RatingRun, first: date, lines: Iterable[RatedDay], rated: list[RatedEvent]
) -> bool:
    stored = RatingRun.objects.select_for_update().get(game=run.game)
    if stored.written > run.begun:
        return True
    if stored.written != run.written:
        return False
    _store_ratings(run.game, first, lines)
    events = RatedEvent.objects.filter(game=run.game)
    events.filter(day__gte=first).delete()
    RatedEvent.objects.bulk_create(rated)
    stored.written = run.begun
    stored.events = events.filter(has_games=True).count()
    stored.constants = repr(queries.rating_method(run.game).constants)
    stored.computed_at = timezone.now()
    stored.save(update_fields=["written", "events", "constants", "computed_at"])
    return True


def _store_ratings(game: str, computed_from: date, lines: Iterable[RatedDay]) -> None:
    """Replace the rows from the first day that differs; earlier rows stay."""
    by_player = {(line.player, line.day): line for line in lines}
    known = _players_not_erased({player for player, _ in by_player})
    wanted = {key: line for key, line in by_player.items() if key[0] in known}
    stored = Rating.objects.filter(game=game)
    had = {
        (row.player_id, row.day): row for row in stored.filter(day__gte=computed_from).order_by()
    }
    changed = [key for key in {*wanted, *had} if _differs(wanted.get(key), had.get(key))]
    if not changed:
        return
    first = min(day for _, day in changed)
    newest = {player: day for player, day in sorted(wanted) if day >= first}
    # Clear the flag first, so that no player has two current rows.
    for players in _batches(newest):
        stored.filter(day__lt=first, is_current=True, player__in=players).update(is_current=False)
    stored.filter(day__gte=first).delete()
    new = (line for (_, day), line in sorted(wanted.items()) if day >= first)
    Rating.objects.bulk_create(_rating_row(game, line, newest[line.player]) for line in new)
    later = stored.filter(player=OuterRef("player"), day__gt=OuterRef("day"))
    for players in _batches({player for player, day in had if day >= first} - {*newest}):
        stored.filter(~Exists(later), player__in=players).update(is_current=True)


def _players_not_erased(players: Collection[int]) -> set[int]:
    return {
        pk
        for batch in _batches(players)
        for pk in Player.objects.filter(pk__in=batch, erased_at=None).values_list("pk", flat=True)
    }


def _batches(players: Collection[int]) -> Iterator[Sequence[int]]:
    in_order = sorted(players)
    for start in range(0, len(in_order), PLAYERS_PER_QUERY):
        yield in_order[start : start + PLAYERS_PER_QUERY]


def _differs(line: RatedDay | None, row: Rating | None) -> bool:
    if line is None or row is None:
        return True
    stored = (queries.strength_of(row), row.games, row.events)
    return (line.strength, line.games, line.events) != stored


def _rating_row(game: str, line: RatedDay, newest: date) -> Rating:
    return Rating(
        player_id=line.player,
        game=game,
        day=line.day,
        value=line.strength.value,
        deviation=line.strength.deviation,
        volatility=line.strength.volatility,
        games=line.games,
        events=line.events,
        is_current=line.day == newest,
    )
