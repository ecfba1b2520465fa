"""Unanswered reports, the faction draft of a pod, and the impact of a changed result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, partial
from hashlib import sha256

from django.db.models import Q
from django.utils.translation import gettext as _

from core import database
from core.rate_limits import Busy, staff_turn
from engine.pairing.pods import draft_order
from engine.standings.ranking import StandingsRow, standings
from engine.standings.records import PlayerId
from matches import records as matches_records
from matches.models import Match, MatchState, ReportState, ResultReport, Seat
from matches.scoring.results import FactionFacts, MatchResult, Points, exact
from tournaments.event import engine_input
from tournaments.event.engine_input import ClosedResults
from tournaments.event.snapshots import tie_breakers_of
from tournaments.models import (
    STATES_IN_PLAY,
    LogEntry,
    Pairing,
    Registration,
    Round,
    RoundState,
    Tournament,
    event_log,
)


def get_auto_confirm_time(
    tournament: Tournament, round_: Round, report: ResultReport
) -> datetime | None:
    minutes = tournament.confirm_after_minutes
    is_open = report.state == ReportState.PROPOSED and report.seat_id is not None
    if minutes is None or not is_open or not round_.is_played:
        return None
    return report.created_at + timedelta(minutes=minutes)


def unanswered_reports(tournament: Tournament, now: datetime) -> list[tuple[Pairing, ResultReport]]:
    """Return reports without an answer after the time limit, with their tables; two queries."""
    minutes = tournament.confirm_after_minutes
    if minutes is None:
        return []
    waiting = Pairing.objects.filter(
        round__stage__tournament=tournament,
        round__state__in=STATES_IN_PLAY,
        match__state=MatchState.PROPOSED,
    ).select_related("match", "round__stage")
    by_match = {pairing.match_id: pairing for pairing in waiting}
    reports = ResultReport.objects.filter(
        match__in=by_match,
        state=ReportState.PROPOSED,
        seat__isnull=False,
        created_at__lte=now - timedelta(minutes=minutes),
    )
    return [(by_match[report.match_id], report) for report in reports.order_by("pk")]


def get_newest_result_entry(pairing: Pairing) -> LogEntry | None:
    entries = LogEntry.objects.filter(pairing=pairing, action__in=event_log.RESULT_CHANGES)
    return entries.order_by("-pk").first()


@dataclass(frozen=True)
class FactionPick:
    seat: Seat
    number: int
    faction: FactionFacts | None


@dataclass(frozen=True)
class FactionDraft:
    """All picks in order; `offered` are the factions of colours not taken at the table."""

    picks: tuple[FactionPick, ...]
    offered: tuple[FactionFacts, ...]

    @property
    def next(self) -> FactionPick | None:
        return next((pick for pick in self.picks if pick.faction is None), None)


def get_faction_draft(match: Match | None, round_: Round) -> FactionDraft | None:
    """Return the draft at a table; None without factions, or once a result is reported.

    The player with the lowest score before the round chooses first; a random draw of the event
    decides ties. A constant number of queries.
    """
    if match is None or match.rule.has_roles or match.state != MatchState.OPEN:
        return None
    seats = {seat.player_id: seat for seat in match.seats.all()}
    known = matches_records.factions_by_id()
    chosen = {
        position: known.get(id_, FactionFacts(id_, id_, ""))
        for position, id_ in enumerate(matches_records.factions_of(match), start=1)
        if id_
    }
    taken = {faction.colour for faction in chosen.values() if faction.id in known}
    offered = [faction for faction in known.values() if faction.colour not in taken]
    return FactionDraft(
        picks=tuple(
            FactionPick(seats[player], number, chosen.get(seats[player].position))
            for player, number in _picking_order(round_, list(seats))
        ),
        offered=tuple(sorted(offered, key=lambda faction: (faction.colour, faction.name))),
    )


def _picking_order(round_: Round, players: list[int]) -> list[tuple[int, int]]:
    tournament = round_.stage.tournament
    entries: dict[PlayerId, Registration] = {
        entry.number: entry for entry in tournament.registrations.filter(player__in=players)
    }
    before = tournament.rounds.filter(number__lt=round_.number).last()
    past = (
        engine_input.closed_results(tournament, before)
        if before is not None
        else engine_input.ClosedResults(0)
    )
    scores = {number: past.record(entry).match_points for number, entry in entries.items()}
    # One random draw per round, however often it is re-paired.
    order = draft_order(scores, seed=tournament.seed + round_.number)
    return [(entries[number].player_id, entries[number].number) for number in order]


# Impact of a changed result on standings, cut and later rounds.


@dataclass(frozen=True)
class RankChange:
    """A player whose rank or points change; `rank` is None for a player not ranked before."""

    name: str
    rank: int | None
    new_rank: int
    points: Points
    new_points: Points


@dataclass(frozen=True)
class SeedMove:
    """A player in the cut before or after; None means outside the cut."""

    name: str
    seed: int | None
    new_seed: int | None


@dataclass(frozen=True)
class CutImpact:
    """Changes in a cut of the same size. A cut seeded by hand does not follow the standings."""

    is_public: bool
    is_by_hand: bool
    seeds: tuple[SeedMove, ...]


@dataclass(frozen=True)
class LaterSeat:
    name: str
    points: Points
    new_points: Points


@dataclass(frozen=True)
class LaterTable:
    """A later pairing of a player of this table; a bye has no table number.

    `is_draft`: the round is not published yet.
    """

    round_number: int
    table_number: int | None
    seats: tuple[LaterSeat, ...]
    is_paired_by_results: bool
    is_draft: bool


@dataclass(frozen=True)
class Impact:
    """All effects of a changed result; `old_draft` is a draft paired with the old result."""

    moved: tuple[RankChange, ...]
    cut: CutImpact | None
    later: tuple[LaterTable, ...]
    old_draft: int | None

    @cached_property
    def mark(self) -> str:
        """Digest to check that the applied impact is the one the user saw."""
        parts = (self.moved, self.cut, self.later, self.old_draft)
        return sha256(repr(parts).encode()).hexdigest()[:24]


def get_impact(pairing: Pairing, result: MatchResult) -> Impact:
    """Return the impact of a changed result of this table.

    A write computes it while no transaction is open (core.database), and again if the
    event has changed by then. It takes a second in a large event, so each event computes one at a
    time. Raises Busy if the wait is too long.
    """
    tournament = pairing.round.stage.tournament
    # Results that no standings count yet do not change the impact.
    counts = Q(round__state=RoundState.CLOSED) | ~Q(action__in=event_log.RESULT_CHANGES)
    newest = tournament.log.filter(counts).order_by("-pk").values_list("pk", flat=True).first()
    return database.fetch_outside_transaction(
        ("impact", pairing.pk, result, newest), partial(_compute_impact_in_turn, pairing, result)
    )


def _compute_impact_in_turn(pairing: Pairing, result: MatchResult) -> Impact:
    with staff_turn("impact", str(pairing.round.stage.tournament_id)) as has_turn:
        if has_turn:
            return compute_impact(pairing, result)
    raise Busy(
        _("Another correction is being checked. Your change was not saved. Try again in a moment.")
    )


def compute_impact(pairing: Pairing, result: MatchResult) -> Impact:
    """Return the impact if this were the result of the table; a constant number of queries.

    Losses by penalty are applied to the result, as they are when it is settled.
    """
    tournament = pairing.round.stage.tournament
    entries = list(tournament.registrations.select_related("player"))
    numbers = {entry.player_id: entry.number for entry in entries}
    names = {entry.number: entry.player.name for entry in entries}
    both = _before_and_after(tournament, pairing, result, numbers, names)
    latest, old_draft = tournament.latest_round(), None
    if latest is not None and latest.is_draft and latest.number > pairing.round.number:
        old_draft = latest.number if latest.stage.is_paired_by_results else None
    return Impact(
        moved=tuple(_rank_changes(both)),
        cut=_cut_impact(tournament, both),
        later=tuple(_later_tables(pairing, numbers, both)),
        old_draft=old_draft,
    )


@dataclass(frozen=True)
class _BeforeAndAfter:
    names: Mapping[int, str]
    past: ClosedResults
    new_past: ClosedResults
    table: Sequence[StandingsRow]
    new_table: Sequence[StandingsRow]


def _before_and_after(
    tournament: Tournament,
    pairing: Pairing,
    result: MatchResult,
    numbers: Mapping[int, int],
    names: Mapping[int, str],
) -> _BeforeAndAfter:
    assert pairing.match is not None
    past = new_past = engine_input.closed_results(tournament)
    # Standings do not count tables of a cut.
    if not pairing.round.is_in_cut:
        players = {seat.position: numbers[seat.player_id] for seat in pairing.seats}
        rule, result = pairing.match.rule, matches_records.result_with_losses(pairing.match, result)
        new_past = engine_input.with_hypothetical_result(
            past, pairing.round.number, rule, result, players
        )
    tables = [
        standings(
            engine_input.standings_records_of(tournament, each, each.rounds),
            tie_breakers_of(tournament),
            seed=tournament.seed,
        )
        for each in (past, new_past)
    ]
    return _BeforeAndAfter(names, past, new_past, *tables)


def _rank_changes(both: _BeforeAndAfter) -> list[RankChange]:
    before = {line.id: (line.rank, exact(line.match_points)) for line in both.table}
    moves = []
    for line in both.new_table:
        rank, points = before.get(line.id, (None, 0))
        if (rank, points) != (line.rank, line.match_points):
            name, new_points = both.names[int(line.id)], exact(line.match_points)
            moves.append(RankChange(name, rank, line.rank, points, new_points))
    return moves


def _cut_impact(tournament: Tournament, both: _BeforeAndAfter) -> CutImpact | None:
    stage = tournament.get_cut()
    if stage is None:
        return None
    seeded = [entry.registration.number for entry in stage.entries.accepted()]
    declined = {entry.registration.number for entry in stage.entries.declined_in_order()}
    active = set(tournament.registrations.active().values_list("number", flat=True))
    candidates = (active | set(seeded)) - declined
    best, new_best = (
        [int(line.id) for line in table if line.id in candidates][: len(seeded)]
        for table in (both.table, both.new_table)
    )
    if seeded != best:
        return CutImpact(stage.has_published_round(), is_by_hand=True, seeds=())
    seeds = {number: seed for seed, number in enumerate(best, start=1)}
    new_seeds = {number: seed for seed, number in enumerate(new_best, start=1)}
    # By new seed; players who leave the cut come last.
    players = [*new_best, *(number for number in best if number not in new_seeds)]
    moves = (
        SeedMove(both.names[number], seeds.get(number), new_seeds.get(number)) for number in players
    )
    return CutImpact(
        is_public=stage.has_published_round(),
        is_by_hand=False,
        seeds=tuple(move for move in moves if move.seed != move.new_seed),
    )


def _later_tables(
    pairing: Pairing, numbers: Mapping[int, int], both: _BeforeAndAfter
) -> list[LaterTable]:
    players = pairing.players
    of_players = Q(match__seats__player__in=players) | Q(bye__player__in=players)
    later = (
        Pairing.objects.filter(
            of_players, round__stage__tournament=pairing.round.stage.tournament_id
        )
        .filter(round__number__gt=pairing.round.number)
        .select_related("round__stage", "bye", "match")
        .prefetch_related("match__seats")
        .order_by("round__number", "table_number", "pk")
        .distinct()
    )
    return [
        LaterTable(
            round_number=table.round.number,
            table_number=table.table_number,
            seats=tuple(
                LaterSeat(
                    both.names[player],
                    _points_before(both.past, player, table.round.number),
                    _points_before(both.new_past, player, table.round.number),
                )
                for player in (numbers[key] for key in table.players)
            ),
            is_paired_by_results=table.round.stage.is_paired_by_results,
            is_draft=table.round.is_draft,
        )
        for table in later
    ]


def _points_before(past: ClosedResults, player: int, number: int) -> Points:
    entries = past.entries.get(player, {})
    return exact(sum(entry.points for played, entry in entries.items() if played < number))


def can_other_players_confirm(tournament: Tournament, match: Match, reporter: Seat) -> bool:
    """Return True if another player at the table has signed in; else only the staff can confirm."""
    others = [seat.player_id for seat in match.seats.all() if seat.pk != reporter.pk]
    return tournament.players_known_on_device().filter(player__in=others).exists()
