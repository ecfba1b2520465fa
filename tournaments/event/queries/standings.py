"""Stored standings, and results of closed rounds as plain rows.

A large event has thousands of seats in games. As model instances they took most of the time in
which a round is closed and the next one is drafted.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from core.errors import Refusal
from core.jobs import FAILED_STATES, LIVE_STATES
from engine.standings.records import PlayerId, StoredFigures
from engine.systems import CUT_SYSTEMS, STORED_SYSTEMS, SystemKind
from matches.models import SETTLED_STATES, GameSeat, Seat
from matches.scoring.results import GameRow, MatchResult, Points, Role, result_from_rows
from tournaments.event.queries.rounds import closed_pairings, rounds
from tournaments.models import (
    Job,
    JobKind,
    Pairing,
    Registration,
    Round,
    RoundState,
    Standing,
    StandingSnapshot,
    Tournament,
)

UNFINISHED = (*LIVE_STATES, *FAILED_STATES)


class StandingsOutdated(Refusal):
    """The stored standings do not include the latest change of a closed round yet."""

    code = "standings_outdated"


@dataclass(frozen=True, slots=True)
class ClosedTable:
    """A table of a closed round."""

    round: int
    in_pods: bool
    is_settled: bool
    # By player number, in the order of the seats; None while the result is not settled.
    points: Mapping[int, Points | None]
    # The player who was Corp in game 1; None in a pod.
    corp: int | None
    result: MatchResult

    @property
    def roles(self) -> dict[int, Role | None]:
        if self.corp is None:
            return dict.fromkeys(self.points)
        return {one: Role.CORP if one == self.corp else Role.RUNNER for one in self.points}


@dataclass(frozen=True, slots=True)
class ClosedBye:
    round: int
    player: int
    points: int


Closed: TypeAlias = ClosedTable | ClosedBye


def closed_tables(tournament: Tournament, up_to: Round | None = None) -> list[Closed]:
    """Tables and byes of closed rounds in order, without the cut; four queries.

    Includes rounds up to `up_to`. Players are identified by their number in the event.
    """
    numbers = dict(tournament.registrations.values_list("player", "number"))
    return tables_of(closed_pairings(tournament, up_to), numbers)


def closed_tables_of(registration: Registration, up_to: Round) -> list[Closed]:
    """Like `closed_tables`, with this player's tables and byes only."""
    mine = Seat.objects.filter(player=registration.player_id).order_by().values("match")
    pairings = closed_pairings(registration.tournament, up_to).filter(
        Q(match__in=mine) | Q(bye=registration)
    )
    seats = Seat.objects.filter(match__in=pairings.order_by().values("match"))
    entries = registration.tournament.registrations.filter(
        player__in=seats.order_by().values("player")
    )
    return tables_of(pairings, dict(entries.values_list("player", "number")))


def stored_figures(
    snapshot: StandingSnapshot, players: Collection[PlayerId]
) -> tuple[dict[PlayerId, StoredFigures], dict[int, str]]:
    """The figures of these players and their names, by player number; three queries."""
    tournament, round_ = snapshot.tournament, snapshot.round
    lines = snapshot.rows.order_by().filter(registration__number__in=players)
    found = list(
        lines.values_list(
            "registration__number",
            "registration__player",
            "registration__player__name",
            "match_points",
            "tie_breakers",
        )
    )
    keys = {player: number for number, player, *_ in found}
    closed = closed_pairings(tournament, round_).order_by()
    played = closed.filter(match__state__in=SETTLED_STATES, match__seats__player__in=keys)
    counted = Counter(
        {
            keys[player]: count
            for player, count in played.values_list("match__seats__player").annotate(Count("pk"))
        }
    )
    byes = closed.filter(bye__number__in=players).values_list("bye__number").annotate(Count("pk"))
    counted.update(dict(byes))
    figures: dict[PlayerId, StoredFigures] = {
        number: StoredFigures(
            {
                **{id_: value and Fraction(value) for id_, value in kept.items()},
                "match_points": points,
            },
            counted[number],
        )
        for number, _, _, points, kept in found
    }
    return figures, {number: name for number, _, name, *_ in found}


def tables_of(pairings: QuerySet[Pairing], numbers: Mapping[int, int]) -> list[Closed]:
    """The pairings as in `closed_tables`; `numbers` maps player keys to player numbers."""
    # Read the tables first: some callers have not locked the event.
    rows = list(
        pairings.values_list(
            *("match", "round__number", "round__stage__system", "match__state", "match__flags"),
            *("bye__number", "bye_points"),
        )
    )
    matches = [match for match, *_ in rows if match is not None]
    points, played = _points(matches, numbers), _played(matches)
    return [
        _table(number, points[match], played[match], system, state, flags)
        if match is not None
        else ClosedBye(number, bye, bye_points)
        for match, number, system, state, flags, bye, bye_points in rows
    ]


def _table(
    number: int,
    points: Mapping[int, Points | None],
    played: Sequence[GameRow],
    system: str,
    state: str,
    flags: Sequence[str],
) -> ClosedTable:
    in_pods = STORED_SYSTEMS[system].kind is SystemKind.PODS
    players = list(points)
    corp = next((one.position for one in played if one.role == Role.CORP), None)
    return ClosedTable(
        round=number,
        in_pods=in_pods,
        is_settled=state in SETTLED_STATES,
        points=points,
        corp=None if corp is None else players[corp - 1],
        # Points entered as totals are in `points`, without games.
        result=result_from_rows(played, has_roles=not in_pods, flags=flags, totals=()),
    )


def _points(
    matches: Sequence[int], numbers: Mapping[int, int]
) -> Mapping[int, Mapping[int, Points | None]]:
    """Points of each player, by match and in seat order."""
    found: dict[int, dict[int, Points | None]] = defaultdict(dict)
    seats = Seat.objects.filter(match__in=matches).order_by("position")
    for match, player, points in seats.values_list("match", "player", "points"):
        found[match][numbers[player]] = points
    return found


def _played(matches: Sequence[int]) -> Mapping[int, list[GameRow]]:
    """One row per seat and game, in order, by match."""
    found: dict[int, list[GameRow]] = defaultdict(list)
    played = GameSeat.objects.filter(game__match__in=matches).order_by("game__number", "role", "pk")
    rows = played.values_list(
        *("game__match", "game__number", "game__end", "game__winner__position"),
        *("seat__position", "role", "faction", "agenda_points", "victory_points"),
    )
    for match, *row in rows:
        found[match].append(GameRow(*row))
    return found


def newest_snapshot(
    tournament: Tournament, round_number: int | None = None
) -> StandingSnapshot | None:
    """The current standings after a round, by default the last closed one."""
    snapshots = tournament.snapshots.select_related("round").filter(round__state=RoundState.CLOSED)
    if round_number is not None:
        snapshots = snapshots.filter(round__number=round_number)
    return snapshots.order_by("-round__stage__number", "-round__number", "-pk").first()


def snapshots_of_events(events: Iterable[int]) -> QuerySet[Any, int | None]:
    """Subquery of the keys of the current standings of these events."""
    newest = StandingSnapshot.objects.filter(
        tournament=OuterRef("pk"), round__state=RoundState.CLOSED
    ).order_by("-round__stage__number", "-round__number", "-pk")
    found = Tournament.objects.filter(pk__in=events).order_by()
    return found.values_list(Subquery(newest.values("pk")[:1]), flat=True)


def standing_of(registration: Registration) -> Standing | None:
    """The player's row in the current standings, with its round; one query."""
    rows = Standing.objects.filter(
        registration=registration, snapshot__round__state=RoundState.CLOSED
    ).select_related("snapshot__round")
    newest = ("-snapshot__round__stage__number", "-snapshot__round__number", "-snapshot__pk")
    return rows.order_by(*newest).first()


def standing_rows(snapshot: StandingSnapshot) -> QuerySet[Standing]:
    """The rows of the standings, best first."""
    return snapshot.rows.select_related("registration__player").order_by("rank")


def snapshots_in_force(tournament: Tournament) -> dict[int, int]:
    """Keys of the current standings by round number, first to last; one query."""
    closed = tournament.snapshots.filter(round__state=RoundState.CLOSED)
    return dict(closed.order_by("round__number", "pk").values_list("round__number", "pk"))


def points_before(tournament: Tournament, number: int) -> dict[int, Points]:
    """Stored points before this round, by player number; one query."""
    earlier = tournament.snapshots.filter(
        round__state=RoundState.CLOSED, round__number__lt=number
    ).order_by("-round__number", "-pk")
    rows = Standing.objects.filter(snapshot=earlier.values("pk")[:1])
    return dict(rows.values_list("registration__number", "match_points"))


def ranked_rounds(tournament: Tournament) -> list[int]:
    """Numbers of the closed rounds with stored standings, first to last."""
    ranked = rounds(tournament).filter(state=RoundState.CLOSED, snapshots__isnull=False)
    return list(ranked.values_list("number", flat=True).distinct())


def _unfinished_jobs() -> QuerySet[Job]:
    """The newest standings job of each event, if unfinished. It replaces older ones."""
    kind = JobKind.RECOMPUTE_STANDINGS
    newer = Job.objects.filter(tournament=OuterRef("tournament"), kind=kind, pk__gt=OuterRef("pk"))
    return Job.objects.filter(~Exists(newer), kind=kind, state__in=UNFINISHED).order_by()


def unfinished_standings_jobs(tournament: Tournament) -> QuerySet[Job]:
    """The newest standings job, while it is unfinished or failed."""
    return _unfinished_jobs().filter(tournament=tournament)


def marked_if_outdated() -> QuerySet[Tournament]:
    """All events, annotated with `has_outdated_standings` for pages with a notice."""
    unfinished = _unfinished_jobs().filter(tournament=OuterRef("pk"))
    return Tournament.objects.annotate(has_outdated_standings=Exists(unfinished))


def has_standings(tournament: Tournament) -> bool:
    """Return True if standings are stored, or a job will store the first ones.

    A running job may have read the event already, so a change of the ranking must replace it.
    """
    return (
        newest_snapshot(tournament) is not None or standings_outdated_from(tournament) is not None
    )


def standings_outdated_from(tournament: Tournament) -> int | None:
    """The first closed round whose standings are not stored yet; None if all are; one query."""
    payloads = unfinished_standings_jobs(tournament).values_list("payload", flat=True)
    return min((payload["from_round"] for payload in payloads), default=None)


def with_current_standings(events: Collection[int]) -> QuerySet[Tournament, int]:
    """Keys of the events among these whose standings are not being recomputed."""
    unfinished = _unfinished_jobs().filter(tournament=OuterRef("pk"))
    current = Tournament.objects.filter(~Exists(unfinished), pk__in=events)
    return current.order_by().values_list("pk", flat=True)


def why_standings_wait(tournament: Tournament) -> str:
    """Why the stored standings are outdated and what to do; empty if they are current."""
    states = set(unfinished_standings_jobs(tournament).values_list("state", flat=True))
    if states.intersection(LIVE_STATES):
        return _("The standings are still being computed. Load the page again in a moment.")
    return _("Computing the standings failed. Try it again on the desk.") if states else ""


def refuse_outdated_standings(tournament: Tournament) -> None:
    if reason := why_standings_wait(tournament):
        raise StandingsOutdated(reason)


def lines_to_compute(tournament: Tournament, from_round: int) -> int:
    """Number of standings rows read and written to recompute from this round on."""
    closed = (
        rounds(tournament).filter(state=RoundState.CLOSED).exclude(stage__system__in=CUT_SYSTEMS)
    )
    numbers = list(closed.values_list("number", flat=True))
    written = sum(number >= from_round for number in numbers)
    return tournament.registrations.count() * (len(numbers) + written)
