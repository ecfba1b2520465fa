"""The work of the job "compute the standings": closed rounds to stored tables."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.db import connection, transaction

from core import jobs
from core.pause_points import pause_point
from engine.standings import DEFAULT_TIE_BREAKERS, standings
from engine.standings import Standing as Line
from engine.systems import CUTS
from tournaments.event import field, history, queries, webhooks
from tournaments.event.queries.standings import Closed
from tournaments.event.webhooks import Happening
from tournaments.models import (
    Job,
    Registration,
    Round,
    RoundState,
    Standing,
    StandingSnapshot,
    Tournament,
    WebhookEvent,
)

PAUSE = 0.1 if connection.vendor == "sqlite" else 0
"""Seconds between two rounds of a large event on SQLite, where a waiting writer looks for the lock
ten times a second."""


def snapshot_standings(job: Job, pause: float = 0) -> None:
    """Store the standings of every closed round from payload["from_round"] on, one at a time.

    A result corrected in round 2 changes the standings after rounds 2, 3, ... Rounds of a cut have
    none. Everything is read and computed without a lock. A long job stores each table in its own
    transaction and the round of the last one in payload["from_round"], where it resumes after a
    crash. A change of a closed round creates a newer job, and this one ends at its next step.
    `pause` is in seconds between two rounds; none within one transaction.
    """
    computed = tables_from(job.tournament, job.payload["from_round"])
    last = None
    for round_, table in computed:
        pause_point("standings:computed")
        if not _store_step(job, round_, table):
            return
        last = round_
        if job.is_long:
            job.payload["from_round"] = round_.number
            jobs.keep(job)
            time.sleep(pause)
    _end(job, last)


def tables_from(tournament: Tournament, from_round: int) -> Iterator[tuple[Round, list[Line]]]:
    """Compute the standings after each closed round from one on; everything is read once."""
    closed = queries.rounds(tournament).filter(state=RoundState.CLOSED, number__gte=from_round)
    rounds = list(closed.exclude(stage__system__in=CUTS))
    past, places = field.history(tournament), list(tournament.registrations.order_by("number"))
    for round_ in rounds:
        records = field.records_among(places, past.up_to(round_.number), round_.number)
        yield round_, standings(records, tie_breakers_of(tournament), seed=tournament.seed)


@transaction.atomic
def _store_step(job: Job, round_: Round, table: Iterable[Line]) -> bool:
    """Store the table after one round; False where a newer job has taken over."""
    tournament = history.lock(job.tournament)
    pause_point("standings:locked")
    if _is_replaced(job):
        return False
    store_table(tournament, round_, table)
    pause_point("standings:written")
    return True


@transaction.atomic
def _end(job: Job, last: Round | None) -> None:
    """Renew all public pages; `last` is the newest round whose standings were stored."""
    tournament = history.lock(job.tournament)
    if _is_replaced(job):
        return
    history.move_version(tournament)
    if last is not None:
        webhooks.notify(tournament, Happening(WebhookEvent.STANDINGS_UPDATED, last))
    jobs.done(job)


def _is_replaced(job: Job) -> bool:
    """Return whether a newer job stores these standings. Requires a locked event."""
    return Job.objects.filter(tournament=job.tournament, kind=job.kind, pk__gt=job.pk).exists()


def tie_breakers_of(tournament: Tournament) -> tuple[str, ...]:
    """The event's tie-breakers in order; a lot comes last, so no order is accidental."""
    chosen = tuple(tournament.tie_breakers) or DEFAULT_TIE_BREAKERS
    return chosen if chosen[-1] == "lot" else (*chosen, "lot")


def shown_tie_breakers(
    tournament: Tournament, kept: Sequence[Mapping[str, str | None]]
) -> list[str]:
    """The ids that say something about these rows, in the order of the event.

    `kept` are the stored figures of each row. Points have a column of their
    own, and a lot says nothing.
    """
    return [
        id_
        for id_ in tie_breakers_of(tournament)
        if id_ not in ("match_points", "lot") and any(values.get(id_) for values in kept)
    ]


def store_table(tournament: Tournament, round_: Round, table: Iterable[Line]) -> None:
    """Store the standings after a round as those in force. Call inside a transaction."""
    snapshot = StandingSnapshot.objects.create(
        tournament=tournament, round=round_, tournament_version=tournament.version
    )
    registrations = dict(tournament.registrations.values_list("number", "pk"))
    Standing.objects.bulk_create(
        Standing(
            snapshot=snapshot, registration_id=registrations[int(line.id)], **_figures_of(line)
        )
        for line in table
    )


def computed_standings(tournament: Tournament) -> list[Line]:
    """Compute the standings after the last closed Swiss round, without storing them."""
    closed = queries.rounds(tournament).filter(state=RoundState.CLOSED)
    last = closed.exclude(stage__system__in=CUTS).last()
    if last is None:
        return []
    return standings(
        field.records(tournament, last), tie_breakers_of(tournament), seed=tournament.seed
    )


def standings_so_far(
    tournament: Tournament, tables: Iterable[Closed], entries: Mapping[int, Registration]
) -> list[Standing]:
    """The lines of a table that is not stored, best first, as these tables and byes say.

    `entries` are the players by number.
    """
    past = field.history_of(tables)
    records = field.records_among(entries.values(), past, past.rounds)
    table = standings(records, tie_breakers_of(tournament), seed=tournament.seed)
    return [Standing(registration=entries[int(line.id)], **_figures_of(line)) for line in table]


def _figures_of(line: Line) -> dict[str, Any]:
    return {
        "rank": line.rank,
        "match_points": line.match_points,
        "tie_breakers": {id_: _exact(value) for id_, value in line.values.items()},
    }


def _exact(value: Fraction | int | None) -> str | None:
    return None if value is None else str(Fraction(value))
