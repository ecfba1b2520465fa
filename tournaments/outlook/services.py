"""Compute clinch scenarios and forecasts in background jobs and store them with the round."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from time import monotonic
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core import jobs
from core.jobs import JobState
from engine.clinch.last_round import (
    ClinchNeed,
    ClinchVerdict,
    LastRound,
    ScenarioExample,
    UndecidedTable,
    endings_of,
    ordinary_endings_of,
)
from engine.forecast import Course, forecast, runs_for
from engine.standings.records import Exact, PlayerId
from matches.scoring.imposed_losses import lost_games
from matches.scoring.rules import ScoringRule, scoring_rule
from tournaments.event import engine_input, history
from tournaments.event.engine_input import ClosedTable
from tournaments.event.snapshots import tie_breakers_of
from tournaments.models import (
    Forecast,
    Job,
    JobKind,
    Outlook,
    Pairing,
    Registration,
    Round,
    Tournament,
)
from tournaments.outlook import queries as outlook_queries

# Number of places that count without a cut.
PLACES_WITHOUT_CUT = 1
# Seconds between two checks of the event during a forecast.
CHECK_INTERVAL_SECONDS = 5.0
# A forecast lets these jobs go first: people in the hall are waiting for them.
URGENT_JOB_KINDS = JobKind.PAIR_ROUND, JobKind.RECOMPUTE_STANDINGS
URGENT_JOB_DELAY = timedelta(seconds=30)


def request_outlook(tournament: Tournament) -> None:
    """Queue a job if the stored answers are older than the results; called by a periodic task."""
    # While standings are recomputed, each stored table would outdate the answer.
    if not tournament.shows_needs or tournament.why_standings_wait():
        return
    round_ = outlook_queries.get_last_round(tournament)
    if round_ is not None:
        newest = Outlook.objects.filter(round=round_).values_list("version", flat=True).first()
        if newest is None or newest < tournament.version:
            _enqueue_job(tournament, JobKind.OUTLOOK, round_)
        return
    round_ = outlook_queries.get_forecast_round(tournament)
    if round_ is None:
        return
    # One forecast for each state of the closed rounds.
    digest = outlook_queries.get_forecast_digest(tournament, round_)
    if not Forecast.objects.filter(round=round_, digest=digest).exists():
        _enqueue_job(tournament, JobKind.FORECAST, round_)


@transaction.atomic
def _enqueue_job(tournament: Tournament, kind: JobKind, round_: Round) -> None:
    job, is_new = Job.objects.select_for_update().get_or_create(
        key=f"{kind}:{tournament.pk}:{round_.pk}",
        defaults={"tournament": tournament, "kind": kind, "payload": {}},
    )
    if not is_new:
        # The staff restart a failed job.
        if job.state != JobState.DONE:
            return
        job.payload = {}
        jobs.requeue(job)
    jobs.enqueue(job)


def compute_outlook(job: Job) -> None:
    """Compute and store the scenarios of all players. Holds no lock while computing."""
    tournament = Tournament.objects.get(pk=job.tournament_id)
    round_ = outlook_queries.get_last_round(tournament)
    if round_ is None or not tournament.shows_needs:
        return
    data = get_last_round_input(tournament, round_)
    before = Outlook.objects.filter(round=round_).first()
    if before is not None and before.digest == data.digest:
        Outlook.objects.filter(pk=before.pk).update(version=tournament.version)
        return
    from engine.clinch.needs import find_needs  # scipy is slow to load

    jobs.renew_lease(job)
    needs = find_needs(data.last)
    jobs.renew_lease(job)
    verdicts = Counter(need.verdict for need in needs)
    new = {
        "digest": data.digest,
        "places": data.last.places,
        "open_tables": len(data.last.tables),
        "players_in": verdicts[ClinchVerdict.IN],
        "players_out": verdicts[ClinchVerdict.OUT],
        "needs": needs_as_json(data.last, needs, data.decided),
    }
    _store_outlook(tournament, round_, new)


@dataclass(frozen=True)
class LastRoundInput:
    """The last round, and a digest of all data it depends on."""

    last: LastRound
    digest: str
    # Numbers of the tables with a game that a judge has decided, and another one to play.
    decided: frozenset[int]


def get_last_round_input(tournament: Tournament, round_: Round) -> LastRoundInput:
    """Build the engine's input for this round; a constant number of queries."""
    entries = list(tournament.registrations.order_by("number"))
    numbers = {entry.player_id: entry.number for entry in entries}
    rounds = tournament.rounds.filter(number__lte=round_.number)
    played = engine_input.tables_of(Pairing.objects.of_swiss_rounds(rounds), numbers)
    past = engine_input.closed_results_of(played)
    rule = scoring_rule(round_.stage.scoring_rule)
    places = tournament.planned_cut or PLACES_WITHOUT_CUT
    # Tables with a reported but unconfirmed result are also open.
    open_tables = [
        table
        for table in played
        if isinstance(table, ClosedTable)
        and not (round_.is_closed or table.is_settled)
        and table.round == round_.number
    ]
    last = LastRound(
        records=tuple(engine_input.standings_records_among(entries, past, round_.number)),
        tables=tuple(
            _undecided_table(number, table, rule)
            for number, table in enumerate(open_tables, start=1)
        ),
        tie_breakers=tie_breakers_of(tournament),
        places=places,
        seed=tournament.seed,
        dropped=frozenset(
            entry.number for entry in entries if not entry.is_active and places > PLACES_WITHOUT_CUT
        ),
    )
    # A match of one game with a loss is settled, so the tables with losses have a game left.
    decided = frozenset(
        number
        for number, table in enumerate(open_tables, start=1)
        if lost_games(rule, table.losses)
    )
    return LastRoundInput(last, _last_round_digest(last, rule.id), decided)


def _undecided_table(number: int, table: ClosedTable, rule: ScoringRule) -> UndecidedTable:
    players, losses = tuple(table.points), table.losses
    corp = 1 if table.corp is None else players.index(table.corp) + 1
    return UndecidedTable(
        number,
        players,
        endings_of(rule, len(players), losses=losses, corp=corp),
        ordinary_endings_of(rule, len(players), losses=losses, corp=corp),
    )


def _last_round_digest(last: LastRound, rule: str) -> str:
    seats = [(table.players, table.endings) for table in last.tables]
    dropped = sorted(last.dropped)
    known = last.records, seats, last.tie_breakers, last.places, last.seed, dropped, rule
    return sha256(repr(known).encode()).hexdigest()


def needs_as_json(
    last: LastRound, needs: Sequence[ClinchNeed], decided: Collection[int] = ()
) -> dict[str, Any]:
    tables = {table.number: table for table in last.tables}
    least: dict[PlayerId, Exact] = {}
    held: dict[PlayerId, Exact] = {}
    for table in last.tables:
        for seat, player in enumerate(table.players):
            least[player] = min(ending[seat].points for ending in table.endings)
            if table.number in decided:
                held[player] = least[player]
    return {
        str(need.player): {
            **_need_as_json(need, tables),
            "least": _points_as_text(least.get(need.player)),
            "held": _points_as_text(held.get(need.player)),
        }
        for need in needs
    }


def _need_as_json(need: ClinchNeed, tables: dict[int, UndecidedTable]) -> dict[str, Any]:
    return {
        "verdict": need.verdict.value,
        "place": need.place,
        "safe": _points_as_text(need.safe_from),
        "possible": _points_as_text(need.possible_from),
        "ordinary": _points_as_text(need.ordinary_from),
        "missing": _example_as_json(need.missing, tables),
        "making": _example_as_json(need.making, tables),
        "proven": need.is_proven,
    }


def _example_as_json(
    example: ScenarioExample | None, tables: dict[int, UndecidedTable]
) -> dict[str, Any] | None:
    if example is None:
        return None
    return {
        "place": example.place,
        "whole": example.is_whole,
        "ordinary": example.is_ordinary,
        "level": list(example.level),
        "by": example.decided_by,
        "tables": [
            [
                [player, _points_as_text(taken.points)]
                for player, taken in zip(tables[number].players, ending, strict=True)
            ]
            for number, ending in example.results.items()
        ],
    }


def _points_as_text(points: Exact | None) -> str | None:
    return None if points is None else str(points)


@transaction.atomic
def _store_outlook(tournament: Tournament, round_: Round, new: dict[str, Any]) -> None:
    """Store the answers and invalidate the pages that show them."""
    locked = history.lock(tournament)
    outlook = Outlook.objects.filter(round=round_).first()
    locked.bump_version(everybody=False)
    # The own pages of players whose answer is unchanged stay valid.
    before, after = outlook.needs if outlook else {}, new["needs"]
    changed = [int(key) for key in {*before, *after} if before.get(key) != after.get(key)]
    entries = Registration.objects.filter(tournament=locked, number__in=changed)
    history.bump_player_versions(locked, list(entries.values_list("player", flat=True)))
    # Our own version change must not outdate the new outlook; results reported since must.
    was_quiet = locked.version == tournament.version
    Outlook.objects.update_or_create(
        round=round_, defaults={**new, "version": tournament.version + was_quiet}
    )


class _ForecastOutdated(Exception):  # noqa: N818 - an answer, not an error
    """Raised when the event has changed since, or no longer shows scenarios."""


def compute_forecast(job: Job) -> None:
    """Play out the rounds left and store how often each player reached the goal.

    Holds no lock and reports progress on the job. Stops early if the event has changed.
    """
    tournament = Tournament.objects.get(pk=job.tournament_id)
    round_ = outlook_queries.get_forecast_round(tournament)
    if round_ is None or not tournament.shows_needs:
        return
    digest = outlook_queries.get_forecast_digest(tournament, round_)
    course = get_forecast_course(tournament, round_)
    try:
        times_in = _run_simulations(job, round_, course, digest)
    except _ForecastOutdated:
        return
    _store_forecast(tournament, round_, course, {"digest": digest, **times_in})


def get_forecast_course(tournament: Tournament, round_: Round) -> Course:
    """Build the forecast input: the event after this closed round; a constant number of queries."""
    entries = list(tournament.registrations.order_by("number"))
    past = engine_input.closed_results(tournament, round_)
    unit = engine_input.point_unit(tournament)
    order = [entry.number for entry in round_.stage.fixed_order()]
    last = tournament.round_target()
    return Course(
        system=round_.stage.way,
        rule=scoring_rule(round_.stage.scoring_rule),
        records=tuple(engine_input.standings_records_among(entries, past, last)),
        entrants=tuple(
            past.entrant(entry, unit)
            for entry in entries
            if entry.is_active and (not order or entry.number in order)
        ),
        next_round=round_.number + 1,
        last_round=last,
        tie_breakers=tie_breakers_of(tournament),
        places=tournament.planned_cut or PLACES_WITHOUT_CUT,
        bye_points=tournament.bye_points,
        parts=unit,
        order=tuple(order),
        cycles=round_.stage.cycles(len(order)) if order else 1,
        avoids_second_meetings=engine_input.stage_avoids_second_meetings(
            round_.stage, past, [entry.number for entry in entries if entry.is_active]
        ),
    )


def _run_simulations(job: Job, round_: Round, course: Course, digest: str) -> dict[str, Any]:
    runs = runs_for(course)
    checked_at = monotonic()

    def after_run(done: int) -> None:
        nonlocal checked_at
        if monotonic() - checked_at < CHECK_INTERVAL_SECONDS:
            return
        job.payload = {"done": done, "runs": runs}
        jobs.renew_lease(job)
        _check_still_needed(job, round_, digest)
        checked_at = monotonic()

    times_in = forecast(course, runs=runs, seed=job.tournament.seed, after_run=after_run)
    return {"runs": runs, "times_in": {str(player): hits for player, hits in times_in.items()}}


def _check_still_needed(job: Job, round_: Round, digest: str) -> None:
    if Job.objects.filter(kind__in=URGENT_JOB_KINDS, state=JobState.QUEUED).exists():
        raise jobs.NotBefore(
            _("A round is waiting to be paired."), timezone.now() + URGENT_JOB_DELAY
        )
    tournament = Tournament.objects.get(pk=job.tournament_id)
    newest = outlook_queries.get_forecast_round(tournament) if tournament.shows_needs else None
    if newest != round_ or outlook_queries.get_forecast_digest(tournament, round_) != digest:
        raise _ForecastOutdated


@transaction.atomic
def _store_forecast(
    tournament: Tournament, round_: Round, course: Course, new: dict[str, Any]
) -> None:
    """Store the forecast and invalidate all pages of the event."""
    locked = history.lock(tournament)
    if outlook_queries.get_forecast_digest(locked, round_) != new["digest"]:
        return
    Forecast.objects.update_or_create(
        round=round_, defaults={**new, "places": course.places, "rounds_left": course.rounds_left}
    )
    locked.bump_version()
