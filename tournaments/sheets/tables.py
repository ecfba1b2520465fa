"""The rows of pairings and standings as pages show them; each list in a few queries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.text import sort_key
from matches import queries as match_queries
from matches.models import Match, MatchState, Seat
from matches.scoring import Faction, Points, Role, scoring_rule
from players.models import Player
from tournaments import queries
from tournaments.models import (
    Pairing,
    RegistrationState,
    Round,
    StandingSnapshot,
    Tournament,
)
from tournaments.snapshots import shown_tie_breakers, tie_breakers_of
from tournaments.standings import TIE_BREAKERS
from tournaments.standings.tie_breakers import TieBreaker

FACTIONS = "match__seats__games"
"""What a list of pods fetches besides."""

STATE_BADGES: Mapping[str, tuple[str, str]] = {
    MatchState.OPEN: ("open", "Playing"),
    MatchState.PROPOSED: ("reported", "Waits for an answer"),
    MatchState.DISPUTED: ("disputed", "Disputed"),
    MatchState.CONFIRMED: ("confirmed", "Confirmed"),
    MatchState.DECIDED: ("decided", "Decided by staff"),
}
"""Badge and words of each state, for the players of the table and the staff."""


@dataclass(frozen=True)
class SeatLine:
    """One player at a table. `role` is that of game 1; `points` are None until settled.

    In a pod there is no role, but a faction, empty until it is known.
    """

    name: str
    pronouns: str
    number: int
    role: Role | None
    points: Points | None
    has_won: bool
    is_me: bool
    faction: str = ""


@dataclass(frozen=True)
class TableLine:
    """One table of two to five, the Corp of game 1 first; a bye has one seat and no table."""

    table: int | None
    seats: tuple[SeatLine, ...]
    is_settled: bool
    state: str
    bye_points: int | None = None

    @property
    def is_bye(self) -> bool:
        return self.table is None

    @property
    def is_mine(self) -> bool:
        return any(seat.is_me for seat in self.seats)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Who is on this line, by number in the event."""
        return tuple(seat.number for seat in self.seats)

    @property
    def is_pod(self) -> bool:
        """Whether the seats have factions instead of roles."""
        return not self.is_bye and self.seats[0].role is None


@dataclass(frozen=True)
class NameLine:
    """Where one player sits; there are no `opponents` in a bye."""

    seat: SeatLine
    table: TableLine
    opponents: tuple[SeatLine, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.table.numbers


@dataclass(frozen=True)
class StandingLine:
    """One line of the standings; `figures` follow the headings of the table."""

    rank: int
    name: str
    pronouns: str
    number: int
    match_points: Points
    figures: tuple[tuple[str, str], ...]
    has_dropped: bool
    is_me: bool

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.number,)


@dataclass(frozen=True)
class StandingsTable:
    """Standings with the (heading, name) of each tie-breaker that is shown."""

    headings: tuple[tuple[str, str], ...]
    lines: tuple[StandingLine, ...]


def table_lines(round_: Round, me: Player | None = None) -> list[TableLine]:
    """Tables of the round in order, byes last."""
    tournament, pairings = round_.stage.tournament, queries.pairings_by_table(round_)
    factions: Mapping[str, Faction] = {}
    if not scoring_rule(round_.stage.scoring_rule).has_roles:
        pairings, factions = pairings.prefetch_related(FACTIONS), match_queries.factions()
    found = list(pairings)
    # Afterwards: whoever sits there is among them.
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    return [table_line(pairing, numbers, me, factions) for pairing in found]


def table_line(
    pairing: Pairing,
    numbers: Mapping[int, int],
    me: Player | None = None,
    factions: Mapping[str, Faction] | None = None,
) -> TableLine:
    """One pairing; `numbers` maps players to their numbers in the event.

    `factions` are asked for where they are needed and not given.
    """
    if pairing.match is None:
        return _bye_line(pairing, me)
    match = pairing.match
    seats = list(match.seats.all())
    best = _best_points(match, seats)
    names = _faction_names(match, factions)
    return TableLine(
        table=pairing.table_number,
        seats=tuple(
            SeatLine(
                name=seat.player.name,
                pronouns=seat.player.pronouns,
                number=numbers[seat.player_id],
                role=_role(match, seat),
                points=seat.points if match.is_settled else None,
                has_won=best is not None and seat.points == best,
                is_me=me is not None and seat.player_id == me.pk,
                faction=names.get(seat.pk, ""),
            )
            for seat in seats
        ),
        is_settled=match.is_settled,
        state=match.state,
    )


def _role(match: Match, seat: Seat) -> Role | None:
    if not match.rule.has_roles:
        return None
    return Role.CORP if seat.position == 1 else Role.RUNNER


def _faction_names(match: Match, factions: Mapping[str, Faction] | None) -> dict[int, str]:
    """The factions of a pod by seat, as far as they are known."""
    if match.rule.has_roles:
        return {}
    known = match_queries.factions() if factions is None else factions
    return {
        seat.pk: known[played.faction].name if played.faction in known else played.faction
        for seat in match.seats.all()
        for played in seat.games.all()
    }


def _best_points(match: Match, seats: Iterable[Seat]) -> Points | None:
    """The points of the player who took more from the match; None while nobody did."""
    points = [seat.points for seat in seats if seat.points is not None]
    return max(points) if match.is_settled and len(set(points)) > 1 else None


def _bye_line(pairing: Pairing, me: Player | None) -> TableLine:
    assert pairing.bye is not None
    player = pairing.bye.player
    seat = SeatLine(
        name=player.name,
        pronouns=player.pronouns,
        number=pairing.bye.number,
        role=None,
        points=pairing.bye_points,
        has_won=False,
        is_me=me is not None and player.pk == me.pk,
    )
    return TableLine(None, (seat,), True, "bye", pairing.bye_points)


def name_lines(lines: Iterable[TableLine]) -> list[NameLine]:
    """The same pairings, a line for each player, by name."""
    named = [
        NameLine(seat, line, tuple(other for other in line.seats if other is not seat))
        for line in lines
        for seat in line.seats
    ]
    return sorted(named, key=lambda line: (sort_key(line.seat.name), line.seat.number))


def standings_table(
    tournament: Tournament, snapshot: StandingSnapshot, me: Player | None = None
) -> StandingsTable:
    """The stored standings with every tie-breaker that can differ between players."""
    rows = list(queries.standing_rows(snapshot))
    shown = shown_tie_breakers(tournament, [row.tie_breakers for row in rows])
    return StandingsTable(
        headings=tuple((TIE_BREAKERS[id_].heading, TIE_BREAKERS[id_].name) for id_ in shown),
        lines=tuple(
            StandingLine(
                rank=row.rank,
                name=row.registration.player.name,
                pronouns=row.registration.player.pronouns,
                number=row.registration.number,
                match_points=row.match_points,
                figures=tuple(
                    (
                        TIE_BREAKERS[id_].heading,
                        TIE_BREAKERS[id_].printed(row.tie_breakers.get(id_)),
                    )
                    for id_ in shown
                ),
                has_dropped=row.registration.state == RegistrationState.DROPPED,
                is_me=me is not None and row.registration.player_id == me.pk,
            )
            for row in rows
        ),
    )


def tie_breakers_in_words(tournament: Tournament) -> list[TieBreaker]:
    """What decides between equal players of this event, in order."""
    return [TIE_BREAKERS[id_] for id_ in tie_breakers_of(tournament)]
