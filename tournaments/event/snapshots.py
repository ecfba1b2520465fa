"""The work of the job "compute the standings": closed rounds to stored tables."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from core.pause_points import pause_point
from engine.standings import DEFAULT_TIE_BREAKERS, Record, standings
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


def snapshot_standings(job: Job) -> None:
    """Store the standings of every closed round from payload["from_round"] on.

    A result mended in round 2 changes the standings after rounds 2, 3, ... Rounds of a cut have
    none.
    """
    tournament = history.lock(job.tournament)
    pause_point("standings:locked")
    closed = queries.rounds(tournament).filter(
        state=RoundState.CLOSED, number__gte=job.payload["from_round"]
    )
    written = list(closed.exclude(stage__system__in=CUTS))
    for round_ in written:
        _write_snapshot(tournament, round_)
    pause_point("standings:written")
    history.move_version(tournament)
    if written:
        webhooks.notify(tournament, Happening(WebhookEvent.STANDINGS_UPDATED, written[-1]))


def write_all(tournament: Tournament) -> None:
    """Store the standings after each closed round of an event that has none yet.

    What was played is read once, however many rounds there are.
    """
    closed = queries.rounds(tournament).filter(state=RoundState.CLOSED)
    past = field.history(tournament)
    for round_ in closed.exclude(stage__system__in=CUTS):
        then = past.up_to(round_.number)
        _write(tournament, round_, field.records_of(tournament, then, round_.number))


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


def _write_snapshot(tournament: Tournament, round_: Round) -> StandingSnapshot:
    return _write(tournament, round_, field.records(tournament, round_))


def _write(tournament: Tournament, round_: Round, records: Iterable[Record]) -> StandingSnapshot:
    snapshot = StandingSnapshot.objects.create(
        tournament=tournament, round=round_, tournament_version=tournament.version
    )
    table = standings(records, tie_breakers_of(tournament), seed=tournament.seed)
    registrations = dict(tournament.registrations.values_list("number", "pk"))
    Standing.objects.bulk_create(
        Standing(
            snapshot=snapshot, registration_id=registrations[int(line.id)], **_figures_of(line)
        )
        for line in table
    )
    return snapshot


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
