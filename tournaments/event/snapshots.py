"""The job that computes and stores standings of closed rounds."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.db import connection, transaction

from core import jobs
from core.errors import Refusal
from engine.standings.ranking import StandingsRow as Line
from engine.standings.ranking import standings
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS
from engine.systems import CUT_SYSTEMS
from tournaments.event import engine_input, history, webhooks
from tournaments.event.engine_input import Closed
from tournaments.event.webhooks import WebhookOccasion
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

# Seconds between two rounds of a large event on SQLite, where a waiting writer retries the lock ten
# times a second.
PAUSE_SECONDS = 0.1 if connection.vendor == "sqlite" else 0


class StandingsOutdated(Refusal):
    """The stored standings do not include the latest change of a closed round yet."""

    code = "standings_outdated"


def refuse_outdated_standings(tournament: Tournament) -> None:
    if reason := tournament.why_standings_wait():
        raise StandingsOutdated(reason)


def snapshot_standings(job: Job, pause: float = 0) -> None:
    """Store the standings of every closed round from payload["from_round"] on.

    Each round is stored separately, because a result corrected in round 2 changes the standings
    after rounds 2, 3, ... Cut rounds have none. Everything is read and computed without a lock. A
    long job stores each table in its own transaction and its round in payload["from_round"], so it
    resumes there after a crash. A newer job, queued by a change of a closed round, makes this one
    end at its next step. `pause` is in seconds between two rounds; 0 within one transaction.
    """
    computed = compute_standings_from(job.tournament, job.payload["from_round"])
    last = None
    for round_, table in computed:
        if not _store_round(job, round_, table):
            return
        last = round_
        if job.is_long:
            job.payload["from_round"] = round_.number
            jobs.renew_lease(job)
            time.sleep(pause)
    _finish_job(job, last)


def compute_standings_from(
    tournament: Tournament, from_round: int
) -> Iterator[tuple[Round, list[Line]]]:
    """Compute the standings after each closed round from this number on. Reads everything once."""
    closed = tournament.rounds.filter(state=RoundState.CLOSED, number__gte=from_round)
    rounds = list(closed.exclude(stage__system__in=CUT_SYSTEMS))
    past, places = (
        engine_input.closed_results(tournament),
        list(tournament.registrations.order_by("number")),
    )
    for round_ in rounds:
        records = engine_input.standings_records_among(
            places, past.up_to(round_.number), round_.number
        )
        yield round_, standings(records, tie_breakers_of(tournament), seed=tournament.seed)


@transaction.atomic
def _store_round(job: Job, round_: Round, table: Iterable[Line]) -> bool:
    """Store the table after one round; return False if a newer job has taken over."""
    tournament = history.lock(job.tournament)
    if _is_replaced(job):
        return False
    store_standings(tournament, round_, table)
    return True


@transaction.atomic
def _finish_job(job: Job, last: Round | None) -> None:
    """Finish the job and invalidate public pages. `last` is the newest round that was stored."""
    tournament = history.lock(job.tournament)
    if _is_replaced(job):
        return
    tournament.bump_version()
    if last is not None:
        webhooks.notify(tournament, WebhookOccasion(WebhookEvent.STANDINGS_UPDATED, last))
    jobs.finish(job)


def _is_replaced(job: Job) -> bool:
    """Return whether a newer job stores these standings. Requires a locked event."""
    return Job.objects.filter(tournament=job.tournament, kind=job.kind, pk__gt=job.pk).exists()


def tie_breakers_of(tournament: Tournament) -> tuple[str, ...]:
    """Return the event's tie-breakers in order. A random draw is last and breaks all ties."""
    chosen = tuple(tournament.tie_breakers) or DEFAULT_TIE_BREAKERS
    return chosen if chosen[-1] == "lot" else (*chosen, "lot")


def visible_tie_breakers(
    tournament: Tournament, kept: Sequence[Mapping[str, str | None]]
) -> list[str]:
    """Ids of the tie-breakers with a value in these rows, in the order of the event.

    `kept` are the stored figures of each row. Match points have their own column, and the random
    draw has no figure.
    """
    return [
        id_
        for id_ in tie_breakers_of(tournament)
        if id_ not in ("match_points", "lot") and any(values.get(id_) for values in kept)
    ]


def store_standings(tournament: Tournament, round_: Round, table: Iterable[Line]) -> None:
    """Store standings as the current ones of a round. Call inside a transaction."""
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


def compute_standings(tournament: Tournament) -> list[Line]:
    closed = tournament.rounds.closed()
    last = closed.exclude(stage__system__in=CUT_SYSTEMS).last()
    if last is None:
        return []
    return standings(
        engine_input.standings_records(tournament, last),
        tie_breakers_of(tournament),
        seed=tournament.seed,
    )


def standings_of_tables(
    tournament: Tournament, tables: Iterable[Closed], entries: Mapping[int, Registration]
) -> list[Standing]:
    """Unsaved standings from these tables and byes, best first.

    `entries` are the registrations by number.
    """
    past = engine_input.closed_results_of(tables)
    records = engine_input.standings_records_among(entries.values(), past, past.rounds)
    table = standings(records, tie_breakers_of(tournament), seed=tournament.seed)
    return [Standing(registration=entries[int(line.id)], **_figures_of(line)) for line in table]


def _figures_of(line: Line) -> dict[str, Any]:
    return {
        "rank": line.rank,
        "match_points": line.match_points,
        "tie_breakers": {
            id_: None if value is None else str(Fraction(value))
            for id_, value in line.values.items()
        },
    }
