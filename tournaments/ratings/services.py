"""Ratings computed anew from all events that count: the work of the job "compute the ratings"."""

from collections.abc import Callable, Iterable
from datetime import date
from functools import partial

from django.db import transaction
from django.utils import timezone

from core import jobs
from core.pause_points import pause_point
from players.models import Player
from tournaments.models import Job, Rating, RatingRun
from tournaments.ratings import queries, rules
from tournaments.ratings.rules import Line, Strength


def recompute(job: Job) -> None:
    """Do the job: the game is in its payload."""
    recompute_game(job.payload["game"], partial(jobs.keep, job))


def recompute_game(game: str, goes_on: Callable[[], None] = lambda: None) -> None:
    """Compute all ratings of a game from its events, and store what is new.

    Nobody waits meanwhile: no transaction is open while it computes. Where two do it at once, the
    one that began later has seen more, and the other writes nothing over it. `goes_on` is called
    between the steps.
    """
    number = _begin(game)
    goes_on()
    pause_point("ratings:begun")
    played = list(queries.games_played(game))
    goes_on()
    lines = list(rules.rate(played, queries.method_of(game)))
    pause_point("ratings:computed")
    goes_on()
    _write(game, number, lines, len({one.event for one in played}))


@transaction.atomic
def _begin(game: str) -> int:
    RatingRun.objects.get_or_create(game=game)
    run = RatingRun.objects.select_for_update().get(game=game)
    run.begun += 1
    run.save(update_fields=["begun"])
    return run.begun


@transaction.atomic
def _write(game: str, number: int, lines: Iterable[Line], events: int) -> None:
    run = RatingRun.objects.select_for_update().get(game=game)
    if run.written > number:
        return
    _store(game, lines)
    run.written, run.events, run.computed_at = number, events, timezone.now()
    run.save(update_fields=["written", "events", "computed_at"])


def _store(game: str, lines: Iterable[Line]) -> None:
    """Rows from the first day on that differs are written anew; those before it stay."""
    known = set(Player.objects.filter(erased_at=None).values_list("pk", flat=True))
    wanted = {(one.player, one.day): one for one in lines if one.player in known}
    stored = Rating.objects.filter(game=game)
    had = {(row.player_id, row.day): row for row in stored.order_by()}
    changed = [key for key in {*wanted, *had} if _differs(wanted.get(key), had.get(key))]
    if not changed:
        return
    first = min(day for _, day in changed)
    newest = dict(sorted(wanted))
    kept = [row for row in had.values() if row.day < first]
    wrong = [row for row in kept if row.is_current != (newest.get(row.player_id) == row.day)]
    # No player has two current rows in between.
    stored.filter(pk__in=[row.pk for row in wrong if row.is_current]).update(is_current=False)
    stored.filter(day__gte=first).delete()
    new = (line for (_, day), line in sorted(wanted.items()) if day >= first)
    Rating.objects.bulk_create(_row(game, line, newest[line.player]) for line in new)
    to_be = [row.pk for row in wrong if not row.is_current]
    stored.filter(pk__in=to_be).update(is_current=True)


def _differs(line: Line | None, row: Rating | None) -> bool:
    if line is None or row is None:
        return True
    stored = Strength(row.value, row.deviation, row.volatility)
    return (line.strength, line.games, line.events) != (stored, row.games, row.events)


def _row(game: str, line: Line, newest: date) -> Rating:
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
