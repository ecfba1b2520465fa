"""Impact of changing an old result on standings, cut and later rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256

from django.db.models import Q
from django.utils.translation import gettext as _

from core import outside_transaction
from core.rate_limits import Busy, staff_turn
from engine.standings import Standing, standings
from matches import records
from matches.scoring import MatchResult, Points, exact
from tournaments.event import field, queries
from tournaments.event.field import History
from tournaments.event.snapshots import tie_breakers_of
from tournaments.models import Pairing, RoundState, Tournament, log_actions


@dataclass(frozen=True)
class Moved:
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
class CutTouched:
    """Changes in a cut of the same size. A cut seeded by hand does not follow the standings."""

    is_public: bool
    is_by_hand: bool
    seeds: tuple[SeedMove, ...]


@dataclass(frozen=True)
class LaterSeat:
    """A player at a later table, with the points before that round: now, and after the change."""

    name: str
    points: Points
    new_points: Points


@dataclass(frozen=True)
class LaterTable:
    """A later pairing of a player of this table; a bye has no table number.

    `stands_on_it`: the round was paired by results. `is_draft`: the round is not published yet.
    """

    round_number: int
    table_number: int | None
    seats: tuple[LaterSeat, ...]
    stands_on_it: bool
    is_draft: bool


@dataclass(frozen=True)
class Impact:
    """All effects of a changed result; `old_draft` is a draft paired by the old result."""

    moved: tuple[Moved, ...]
    cut: CutTouched | None
    later: tuple[LaterTable, ...]
    old_draft: int | None

    @cached_property
    def mark(self) -> str:
        """Digest to check that the applied impact is the one the user saw."""
        parts = (self.moved, self.cut, self.later, self.old_draft)
        return sha256(repr(parts).encode()).hexdigest()[:24]


@dataclass(frozen=True)
class _Both:
    """The event before and after the change; `names` by number in the event."""

    names: Mapping[int, str]
    past: History
    new_past: History
    table: Sequence[Standing]
    new_table: Sequence[Standing]


def impact(pairing: Pairing, result: MatchResult) -> Impact:
    """Return the impact of a changed result of this table.

    A write computes it while no transaction is open (core.outside_transaction), and again if the
    event has changed by then. It takes a second in a large event, so each event computes one at a
    time. Raises Busy if the wait is too long.
    """
    tournament = pairing.round.stage.tournament
    question = ("impact", pairing.pk, result, _last_change(tournament))
    return outside_transaction.answer(question, partial(_impact_in_turn, pairing, result))


def _last_change(tournament: Tournament) -> int | None:
    """Return the key of the newest log entry, ignoring results that no standings count yet."""
    counts = Q(round__state=RoundState.CLOSED) | ~Q(action__in=log_actions.RESULTS)
    return tournament.log.filter(counts).order_by("-pk").values_list("pk", flat=True).first()


def _impact_in_turn(pairing: Pairing, result: MatchResult) -> Impact:
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
    both = _both(tournament, pairing, result, numbers, names)
    return Impact(
        moved=tuple(_moved(both)),
        cut=_cut(tournament, both),
        later=tuple(_later(pairing, numbers, both)),
        old_draft=_draft_paired_by_results(tournament, pairing),
    )


def _both(
    tournament: Tournament,
    pairing: Pairing,
    result: MatchResult,
    numbers: Mapping[int, int],
    names: Mapping[int, str],
) -> _Both:
    assert pairing.match is not None
    past = new_past = field.history(tournament)
    # Standings do not count tables of a cut.
    if not pairing.round.stage.way.is_elimination:
        players = {seat.position: numbers[seat.player_id] for seat in pairing.seats}
        rule, result = pairing.match.rule, records.with_losses(pairing.match, result)
        new_past = field.with_result(past, pairing.round.number, rule, result, players)
    tables = [
        standings(
            field.records_of(tournament, each, each.rounds),
            tie_breakers_of(tournament),
            seed=tournament.seed,
        )
        for each in (past, new_past)
    ]
    return _Both(names, past, new_past, *tables)


def _moved(both: _Both) -> list[Moved]:
    before = {line.id: (line.rank, exact(line.match_points)) for line in both.table}
    moves = []
    for line in both.new_table:
        rank, points = before.get(line.id, (None, 0))
        if (rank, points) != (line.rank, line.match_points):
            name, new_points = both.names[int(line.id)], exact(line.match_points)
            moves.append(Moved(name, rank, line.rank, points, new_points))
    return moves


def _cut(tournament: Tournament, both: _Both) -> CutTouched | None:
    stage = queries.cut_of_event(tournament)
    if stage is None:
        return None
    seeded = [entry.registration.number for entry in queries.cut_entries(stage)]
    declined = {entry.registration.number for entry in queries.declined_entries(stage)}
    here = set(queries.active_registrations(tournament).values_list("number", flat=True))
    candidates = (here | set(seeded)) - declined
    best, new_best = (
        [int(line.id) for line in table if line.id in candidates][: len(seeded)]
        for table in (both.table, both.new_table)
    )
    is_by_hand = seeded != best
    return CutTouched(
        is_public=queries.cut_has_begun(stage),
        is_by_hand=is_by_hand,
        seeds=() if is_by_hand else tuple(_seed_moves(best, new_best, both.names)),
    )


def _seed_moves(
    best: Sequence[int], new_best: Sequence[int], names: Mapping[int, str]
) -> list[SeedMove]:
    """Return players whose seed changes, by new seed; players who leave the cut come last."""
    seeds = {number: seed for seed, number in enumerate(best, start=1)}
    new_seeds = {number: seed for seed, number in enumerate(new_best, start=1)}
    everybody = [*new_best, *(number for number in best if number not in new_seeds)]
    moves = [SeedMove(names[one], seeds.get(one), new_seeds.get(one)) for one in everybody]
    return [move for move in moves if move.seed != move.new_seed]


def _later(pairing: Pairing, numbers: Mapping[int, int], both: _Both) -> list[LaterTable]:
    players = pairing.players
    here = Q(match__seats__player__in=players) | Q(bye__player__in=players)
    later = (
        Pairing.objects.filter(here, round__stage__tournament=pairing.round.stage.tournament_id)
        .filter(round__number__gt=pairing.round.number)
        .select_related("round__stage", "bye", "match")
        .prefetch_related("match__seats")
        .order_by("round__number", "table_number", "pk")
        .distinct()
    )
    return [_later_table(one, numbers, both) for one in later]


def _later_table(pairing: Pairing, numbers: Mapping[int, int], both: _Both) -> LaterTable:
    number = pairing.round.number
    return LaterTable(
        round_number=number,
        table_number=pairing.table_number,
        seats=tuple(
            LaterSeat(
                both.names[player],
                _points_before(both.past, player, number),
                _points_before(both.new_past, player, number),
            )
            for player in (numbers[key] for key in pairing.players)
        ),
        stands_on_it=queries.is_paired_by_results(pairing.round.stage),
        is_draft=pairing.round.is_draft,
    )


def _points_before(past: History, player: int, number: int) -> Points:
    entries = past.entries.get(player, {})
    return exact(sum(entry.points for played, entry in entries.items() if played < number))


def _draft_paired_by_results(tournament: Tournament, pairing: Pairing) -> int | None:
    latest = queries.latest_round(tournament)
    if latest is None or not latest.is_draft or latest.number <= pairing.round.number:
        return None
    return latest.number if queries.is_paired_by_results(latest.stage) else None
