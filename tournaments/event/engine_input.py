"""Convert database rows into the input of pairing and standings.

Players are identified by their number in the event, so results are the same on any database.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, cast

from django.db.models import Count, Q, QuerySet

from engine.pairing.costs import avoids_second_meetings
from engine.pairing.records import Entrant, PastMeeting, PastSeat, meetings_at_table, seats_in_pods
from engine.standings.records import (
    Bye,
    PlayedTable,
    PlayerId,
    RoundRecord,
    SeatResult,
    StandingsRecord,
    StoredFigures,
    table_entries,
)
from engine.systems import STORED_SYSTEMS, SystemKind
from matches.models import SETTLED_STATES, GameSeat, Seat
from matches.scoring.imposed_losses import ImposedLoss
from matches.scoring.results import GameRow, MatchResult, Points, Role, exact, result_from_rows
from matches.scoring.rules import ScoringRule, scoring_rule
from tournaments.models import Pairing, Registration, Round, Stage, StandingSnapshot, Tournament


@dataclass(frozen=True, slots=True)
class ClosedTable:
    round: int
    in_pods: bool
    is_settled: bool
    # By player number, in the order of the seats; None while the result is not settled.
    points: Mapping[int, Points | None]
    # The player who was Corp in game 1; None in a pod.
    corp: int | None
    result: MatchResult
    # Imposed by judges.
    losses: frozenset[ImposedLoss] = frozenset()

    @property
    def roles(self) -> dict[int, Role | None]:
        if self.corp is None:
            return dict.fromkeys(self.points)
        return {player: Role.CORP if player == self.corp else Role.RUNNER for player in self.points}


@dataclass(frozen=True, slots=True)
class ClosedBye:
    round: int
    player: int
    points: int


Closed: TypeAlias = ClosedTable | ClosedBye


@dataclass(frozen=True)
class ClosedResults:
    """Results of the closed rounds, by player number."""

    # Number of closed rounds covered.
    rounds: int
    entries: dict[int, dict[int, PlayedTable | Bye]] = field(default_factory=dict)
    meetings: dict[int, list[PastMeeting]] = field(default_factory=dict)
    seats: dict[int, list[PastSeat]] = field(default_factory=dict)
    # Players of later rounds.
    played_later: frozenset[int] = frozenset()

    @cached_property
    def rounds_met(self) -> dict[frozenset[PlayerId], list[int]]:
        rounds: dict[frozenset[PlayerId], list[int]] = defaultdict(list)
        for player, meetings in self.meetings.items():
            for meeting in meetings:
                # Both players list the meeting; count it once.
                if player < cast("int", meeting.opponent):
                    pair = frozenset((player, meeting.opponent))
                    rounds[pair].append(meeting.round_number or 0)
        return rounds

    def up_to(self, number: int) -> "ClosedResults":
        entries = {
            player: {round_: entry for round_, entry in by_round.items() if round_ <= number}
            for player, by_round in self.entries.items()
            if min(by_round) <= number
        }
        later = frozenset(
            player for player, by_round in self.entries.items() if max(by_round) > number
        )
        return replace(self, rounds=min(self.rounds, number), entries=entries, played_later=later)

    def record(self, registration: Registration) -> StandingsRecord:
        by_round = self.entries.get(registration.number, {})
        rounds: tuple[RoundRecord, ...] = tuple(
            by_round.get(number) for number in range(1, self.rounds + 1)
        )
        return StandingsRecord(
            id=registration.number,
            rounds=rounds,
            manual_seed=registration.seed,
            has_dropped=not registration.is_active and registration.number not in self.played_later,
        )

    def entrant(self, registration: Registration, point_unit: int = 1) -> Entrant:
        """Return the player as input of the pairing engine. `point_unit` is the parts per point."""
        record = self.record(registration)
        return Entrant(
            id=registration.number,
            # In parts always an integer, as the engine requires. Pages that ask for points get
            # fractions.
            match_points=cast("int", exact(record.match_points * point_unit)),
            byes=record.byes,
            opponents=tuple(self.meetings.get(registration.number, ())),
            first_round_bye=registration.first_round_bye,
            seed=registration.seed,
            avoid_group=registration.avoid_group or None,
            seats=tuple(self.seats.get(registration.number, ())),
        )


def closed_results(tournament: Tournament, up_to: Round | None = None) -> ClosedResults:
    """Results of the closed rounds, up to a round; a constant number of queries."""
    return closed_results_of(closed_tables(tournament, up_to))


def closed_results_of(closed: Iterable[Closed]) -> ClosedResults:
    """Build the history from tables and byes, which must be in the order of their rounds."""
    past, pods = ClosedResults(0), defaultdict(list)
    last = 0
    for entry in closed:
        last = max(last, entry.round)
        if isinstance(entry, ClosedBye):
            past.entries.setdefault(entry.player, {})[entry.round] = Bye(entry.points)
            continue
        if entry.in_pods:
            pods[entry.round].append(list(entry.points))
        # Unsettled tables of a closed round count as a meeting, but not for points.
        if entry.is_settled:
            for player, table in _played_entries(entry.points, entry.result).items():
                past.entries.setdefault(player, {})[entry.round] = table
        for player, meeting in meetings_at_table(entry.roles, entry.round):
            past.meetings.setdefault(player, []).append(meeting)
    for of_round in pods.values():
        for player, seat in seats_in_pods(of_round):
            past.seats.setdefault(player, []).append(seat)
    return replace(past, rounds=last)


def _played_entries(
    points: Mapping[int, Points | None], result: MatchResult
) -> dict[int, PlayedTable]:
    results = {
        player: SeatResult(
            own or 0,
            result.games_won(seat),
            result.agenda_points(seat),
            result.victory_points[seat - 1] if result.victory_points else None,
        )
        for seat, (player, own) in enumerate(points.items(), start=1)
    }
    return table_entries(results)


def with_hypothetical_result(
    past: ClosedResults,
    number: int,
    rule: ScoringRule,
    result: MatchResult,
    players: Mapping[int, int],
) -> ClosedResults:
    """Return a copy of the history with a hypothetical result in this round.

    `players` are their numbers in the event by position. No database access.
    """
    points = rule.match_points(result)
    in_order = {player: points[position] for position, player in sorted(players.items())}
    entries = {
        player: {**past.entries.get(player, {}), number: entry}
        for player, entry in _played_entries(in_order, result).items()
    }
    return replace(past, entries={**past.entries, **entries})


def entrants(tournament: Tournament, registrations: Iterable[Registration]) -> list[Entrant]:
    """Input of the pairing engine for the next round, with points in parts (`point_unit`)."""
    past, unit = closed_results(tournament), point_unit(tournament)
    return [past.entrant(registration, unit) for registration in registrations]


def point_unit(tournament: Tournament) -> int:
    """Parts per point in the engine; more than 1 if places can be shared."""
    return scoring_rule(tournament.scoring_rule).point_unit


def standings_records(tournament: Tournament, up_to: Round | None = None) -> list[StandingsRecord]:
    """Input of the standings for every player of the field, up to a round.

    Leaves out players who never played and are not checked in, and players who joined after that
    round. So standings computed later are the same.
    """
    past = closed_results(tournament)
    if up_to is not None:
        past = past.up_to(up_to.number)
    return standings_records_of(tournament, past, up_to.number if up_to else past.rounds)


def standings_records_of(
    tournament: Tournament, past: ClosedResults, last: int
) -> list[StandingsRecord]:
    """Like `standings_records`, with a known history, up to round `last`."""
    return standings_records_among(tournament.registrations.order_by("number"), past, last)


def standings_records_among(
    field: Iterable[Registration], past: ClosedResults, last: int
) -> list[StandingsRecord]:
    """Like `standings_records_of`, for these registrations."""
    return [
        past.record(registration)
        for registration in field
        if registration.number in past.entries
        or (registration.is_active and registration.joined_in_round <= last)
    ]


def stage_avoids_second_meetings(
    stage: Stage, past: ClosedResults, active: Iterable[PlayerId]
) -> bool:
    """Return True if the stage allows second meetings only where they cannot be avoided.

    Always False unless a match is one game. `active` are the numbers of the players to pair.
    """
    if stage.system != "single":
        return False
    setting = stage.tournament.avoid_second_meetings
    if setting is not None:
        return setting
    return avoids_second_meetings(
        None,
        players=len({*past.entries, *past.meetings, *active}),
        planned_rounds=stage.tournament.round_target(),
    )


# Results of closed rounds as plain rows. A large event has thousands of seats in games; as model
# instances they took most of the time in which a round is closed and the next one is drafted.


def closed_tables(tournament: Tournament, up_to: Round | None) -> list[Closed]:
    """Tables and byes of closed rounds in order, without the cut; four queries.

    Includes rounds up to `up_to`. Players are identified by their number in the event.
    """
    numbers = dict(tournament.registrations.values_list("player", "number"))
    return tables_of(tournament.closed_pairings(up_to), numbers)


def closed_tables_of(registration: Registration, up_to: Round) -> list[Closed]:
    own_seats = Seat.objects.filter(player=registration.player_id).order_by()
    pairings = registration.tournament.closed_pairings(up_to).filter(
        Q(match__in=own_seats.values("match")) | Q(bye=registration)
    )
    seats = Seat.objects.filter(match__in=pairings.order_by().values("match"))
    players = registration.tournament.registrations.filter(
        player__in=seats.order_by().values("player")
    )
    return tables_of(pairings, dict(players.values_list("player", "number")))


def stored_figures(
    snapshot: StandingSnapshot, players: Collection[PlayerId]
) -> tuple[dict[PlayerId, StoredFigures], dict[int, str]]:
    """Return the figures of these players and their names, by player number; three queries."""
    tournament, round_ = snapshot.tournament, snapshot.round
    standings = snapshot.rows.order_by().filter(registration__number__in=players)
    rows = list(
        standings.values_list(
            "registration__number",
            "registration__player",
            "registration__player__name",
            "match_points",
            "tie_breakers",
        )
    )
    numbers = {player: number for number, player, *_ in rows}
    closed = tournament.closed_pairings(round_).order_by()
    played = closed.filter(match__state__in=SETTLED_STATES, match__seats__player__in=numbers)
    rounds_played = Counter(
        {
            numbers[player]: count
            for player, count in played.values_list("match__seats__player").annotate(Count("pk"))
        }
    )
    byes = closed.filter(bye__number__in=players).values_list("bye__number").annotate(Count("pk"))
    rounds_played.update(dict(byes))
    figures: dict[PlayerId, StoredFigures] = {
        number: StoredFigures(
            {
                **{id_: value and Fraction(value) for id_, value in tie_breakers.items()},
                "match_points": points,
            },
            rounds_played[number],
        )
        for number, _, _, points, tie_breakers in rows
    }
    return figures, {number: name for number, _, name, *_ in rows}


def tables_of(pairings: QuerySet[Pairing], numbers: Mapping[int, int]) -> list[Closed]:
    """Return the pairings as in `closed_tables`; `numbers` maps player keys to player numbers."""
    # Read the tables first: some callers have not locked the event.
    rows = list(
        pairings.values_list(
            *("match", "round__number", "round__stage__system", "match__state", "match__flags"),
            *("match__losses", "bye__number", "bye_points"),
        )
    )
    matches = [match for match, *_ in rows if match is not None]
    points, played = _points_by_match(matches, numbers), _games_by_match(matches)
    return [
        _closed_table(number, points[match], played[match], system, state, flags, losses)
        if match is not None
        else ClosedBye(number, bye, bye_points)
        for match, number, system, state, flags, losses, bye, bye_points in rows
    ]


def _closed_table(
    number: int,
    points: Mapping[int, Points | None],
    played: Sequence[GameRow],
    system: str,
    state: str,
    flags: Sequence[str],
    losses: Iterable[Mapping[str, Any]],
) -> ClosedTable:
    in_pods = STORED_SYSTEMS[system].kind is SystemKind.PODS
    players = list(points)
    corp = next((row.position for row in played if row.role == Role.CORP), None)
    return ClosedTable(
        round=number,
        in_pods=in_pods,
        is_settled=state in SETTLED_STATES,
        points=points,
        corp=None if corp is None else players[corp - 1],
        # Points entered as totals are in `points`, without games.
        result=result_from_rows(played, has_roles=not in_pods, flags=flags, totals=()),
        losses=frozenset(ImposedLoss(loss["seat"], loss["game"]) for loss in losses),
    )


def _points_by_match(
    matches: Sequence[int], numbers: Mapping[int, int]
) -> Mapping[int, Mapping[int, Points | None]]:
    """Points of each player, by match and in seat order."""
    by_match: dict[int, dict[int, Points | None]] = defaultdict(dict)
    seats = Seat.objects.filter(match__in=matches).order_by("position")
    for match, player, points in seats.values_list("match", "player", "points"):
        by_match[match][numbers[player]] = points
    return by_match


def _games_by_match(matches: Sequence[int]) -> Mapping[int, list[GameRow]]:
    """Return a row per seat and game, in order, by match."""
    by_match: dict[int, list[GameRow]] = defaultdict(list)
    played = GameSeat.objects.filter(game__match__in=matches).order_by("game__number", "role", "pk")
    rows = played.values_list(
        *("game__match", "game__number", "game__end", "game__winner__position"),
        *("seat__position", "role", "faction", "agenda_points", "victory_points"),
    )
    for match, *row in rows:
        by_match[match].append(GameRow(*row))
    return by_match
