"""Pairings as rows of pages and as chat text, in a constant number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from core.text import sort_key
from engine.table_plan import numbers_of
from matches import queries as match_queries
from matches.models import SETTLED, GameSeat, Seat
from matches.scoring import Faction, Points, Role, scoring_rule
from players.models import Player
from tournaments.event import queries
from tournaments.event.chat_text import escaped, pieces
from tournaments.models import Pairing, Round

# Additional prefetch for lists of pods.
FACTIONS = "match__seats__games"
# Roles in game 1, in the order of the seats.
ROLES = Role.CORP, Role.RUNNER
SEAT_COLUMNS = ("pk", "player_id", "player__name", "player__pronouns", "points")
TABLE_COLUMNS = ("match_id", "table_number", "match__state", "match__scoring_rule")
BYE_COLUMNS = (
    *("bye__player_id", "bye__player__name", "bye__player__pronouns", "bye__number"),
    "bye_points",
)


class SeatLine(NamedTuple):
    """A player at a table. `role` is the role in game 1; `points` are None until settled.

    In a pod there is no role but a faction, empty until it is known. In a cut there is no role
    until the higher seed, marked `chooses`, has chosen a side. `so_far` are the points before the
    round, for lists that show them.
    """

    name: str
    pronouns: str
    number: int
    role: Role | None
    points: Points | None
    has_won: bool
    is_me: bool
    faction: str = ""
    so_far: Points | None = None
    chooses: bool = False


class TableLine(NamedTuple):
    """A table of two to five players, the Corp of game 1 first; a bye has one seat and no table.

    `mark` says in the list of a round that it is a feature table or a player's fixed table.
    `round_title` is the bracket round of a cut, such as "Semifinal".
    """

    table: int | None
    seats: tuple[SeatLine, ...]
    is_settled: bool
    state: str
    bye_points: int | None = None
    mark: str = ""
    in_pod: bool = False
    round_title: str = ""

    @property
    def is_bye(self) -> bool:
        return self.table is None

    @property
    def is_mine(self) -> bool:
        return any(seat.is_me for seat in self.seats)

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(seat.number for seat in self.seats)

    @property
    def is_pod(self) -> bool:
        """Return True if the seats have factions instead of roles."""
        return self.in_pod

    @property
    def has_open_choice(self) -> bool:
        return any(seat.chooses for seat in self.seats)


class NameLine(NamedTuple):
    """The seat of one player; `opponents` is empty for a bye."""

    seat: SeatLine
    table: TableLine
    opponents: tuple[SeatLine, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.table.numbers


class SeatRow(NamedTuple):
    """A seat, as selected by SEAT_COLUMNS."""

    seat: int
    player: int
    name: str
    pronouns: str
    points: Points | None


class ByeRow(NamedTuple):
    """A bye, as selected by BYE_COLUMNS."""

    player: int
    name: str
    pronouns: str
    number: int
    points: int | None


def table_lines(round_: Round, me: Player | None = None) -> list[TableLine]:
    """Return the tables of the round in order, byes last.

    Built from rows instead of model objects, because a round can have hundreds of tables.
    """
    tables = list(round_.pairings.values_list(*TABLE_COLUMNS, *BYE_COLUMNS))
    seats = Seat.objects.filter(match__in=round_.pairings.values("match"))
    rows: defaultdict[int, list[SeatRow]] = defaultdict(list)
    for match, *row in seats.values_list("match_id", *SEAT_COLUMNS):
        rows[match].append(SeatRow(*row))
    factions: Mapping[int, str] = {}
    if not scoring_rule(round_.stage.scoring_rule).has_roles:
        played = GameSeat.objects.filter(seat__match__in=round_.pairings.values("match"))
        factions = _faction_names(dict(played.values_list("seat_id", "faction")))
    played_roles: Mapping[int, str] = {}
    if any(_is_known_by_role(state, rule) for _, _, state, rule, *_ in tables):
        played = GameSeat.objects.filter(seat__match__in=round_.pairings.values("match"))
        played_roles = dict(played.values_list("seat_id", "role"))
    cut_seatings = _cut_seatings(round_)
    # Query these after the seats, so that every seated player is included.
    places = round_.stage.tournament.registrations
    entries = list(places.values_list("player_id", "number", "fixed_table"))
    numbers = {player: number for player, number, _ in entries}
    fixed = {(player, table) for player, _, table in entries if table is not None}
    feature = frozenset(numbers_of(round_.stage.tournament.feature_tables))
    return [
        _bye_line(ByeRow(*bye), me)
        if match is None
        else _table_line(
            number,
            state,
            rule,
            rows[match],
            numbers,
            me,
            factions,
            played_roles,
            mark=_mark(
                is_feature=number in feature,
                is_fixed=any((row.player, number) in fixed for row in rows[match]),
            ),
            cut_seating=cut_seatings.get(match),
        )
        for match, number, state, rule, *bye in tables
    ]


class CutSeating(NamedTuple):
    """The bracket round of a table, and the number of the player who still has to choose a side."""

    round_title: str
    open_choice_of: int | None

    @classmethod
    def of(cls, pairing: Pairing) -> "CutSeating | None":
        """Build from a pairing with its stage; None outside a cut."""
        if pairing.bracket_game is None:
            return None
        chooser = pairing.chooser_number if pairing.has_open_choice else None
        return cls(pairing.round_title, chooser)


def _cut_seatings(round_: Round) -> dict[int | None, CutSeating | None]:
    """Return the cut seatings by match; empty outside a cut, without a query."""
    if not round_.stage.way.is_elimination:
        return {}
    pairings = list(round_.pairings.order_by())
    for pairing in pairings:
        pairing.round = round_
    return {pairing.match_id: CutSeating.of(pairing) for pairing in pairings}


def _mark(*, is_feature: bool, is_fixed: bool) -> str:
    marks = (("feature", is_feature), ("fixed", is_fixed))
    return ", ".join(word for word, is_it in marks if is_it)


def with_points_so_far(lines: Iterable[TableLine], round_: Round) -> list[TableLine]:
    """Return the lines with each player's points before the round; without points in a cut."""
    tournament = round_.stage.tournament
    is_cut = round_.stage.way.is_elimination
    points = {} if is_cut else queries.points_before(tournament, round_.number)
    return [
        line._replace(
            seats=tuple(seat._replace(so_far=points.get(seat.number)) for seat in line.seats)
        )
        for line in lines
    ]


def table_line(
    pairing: Pairing,
    numbers: Mapping[int, int],
    me: Player | None = None,
    factions: Mapping[str, Faction] | None = None,
) -> TableLine:
    """Return the line of one pairing; `numbers` maps players to their numbers in the event.

    `factions` are queried if they are needed and not given.
    """
    if pairing.match is None:
        assert pairing.bye is not None
        player = pairing.bye.player
        names = player.pk, player.name, player.pronouns
        return _bye_line(ByeRow(*names, pairing.bye.number, pairing.bye_points), me)
    match = pairing.match
    seats = list(match.seats.all())
    chosen, played_roles = {}, {}
    if not match.rule.has_roles:
        chosen = {seat.pk: game.faction for seat in seats for game in seat.games.all()}
    elif _is_known_by_role(match.state, match.scoring_rule):
        played_roles = {seat.pk: game.role for seat in seats for game in seat.games.all()}
    return _table_line(
        pairing.table_number,
        match.state,
        match.scoring_rule,
        [
            SeatRow(seat.pk, seat.player_id, seat.player.name, seat.player.pronouns, seat.points)
            for seat in seats
        ],
        numbers,
        me,
        _faction_names(chosen, factions),
        played_roles,
        cut_seating=CutSeating.of(pairing),
    )


def _is_known_by_role(state: str, rule: str) -> bool:
    """Return True for one played game, whose roles are stored and may be missing.

    Before that, and in matches of two games, the first seat is Corp in game 1.
    """
    return state in SETTLED and scoring_rule(rule).has_one_game


def _table_line(
    number: int | None,
    state: str,
    rule: str,
    seats: Sequence[SeatRow],
    numbers: Mapping[int, int],
    me: Player | None,
    factions: Mapping[int, str],
    played_roles: Mapping[int, str],
    *,
    mark: str = "",
    cut_seating: CutSeating | None = None,
) -> TableLine:
    """`rule` is the id of a scoring rule; `factions` are names and `played_roles` roles by seat."""
    in_pod = not scoring_rule(rule).has_roles
    is_settled = state in SETTLED
    chooser = cut_seating.open_choice_of if cut_seating and not is_settled else None
    roles: Sequence[Role | None] = ROLES
    if in_pod or chooser is not None:
        roles = (None,) * len(seats)
    elif _is_known_by_role(state, rule):
        found = (played_roles.get(row.seat) for row in seats)
        roles = [Role(role) if role else None for role in found]
    best = _best_points(seats) if is_settled else None
    return TableLine(
        table=number,
        seats=tuple(
            SeatLine(
                name=row.name,
                pronouns=row.pronouns,
                number=numbers[row.player],
                role=role,
                points=row.points if is_settled else None,
                has_won=best is not None and row.points == best,
                is_me=me is not None and row.player == me.pk,
                faction=factions.get(row.seat, ""),
                chooses=chooser is not None and numbers[row.player] == chooser,
            )
            # A table that was re-paired between the queries has no seats.
            for row, role in zip(seats, roles, strict=False)
        ),
        is_settled=is_settled,
        state=state,
        mark=mark,
        in_pod=in_pod,
        round_title=cut_seating.round_title if cut_seating else "",
    )


def _faction_names(
    chosen: Mapping[int, str], factions: Mapping[str, Faction] | None = None
) -> dict[int, str]:
    if not chosen:
        return {}
    known = match_queries.factions() if factions is None else factions
    return {seat: known[one].name if one in known else one for seat, one in chosen.items()}


def _best_points(seats: Iterable[SeatRow]) -> Points | None:
    """Return the winner's points in a settled match; None if all points are equal."""
    points = [row.points for row in seats if row.points is not None]
    return max(points) if len(set(points)) > 1 else None


def _bye_line(row: ByeRow, me: Player | None) -> TableLine:
    is_me = me is not None and row.player == me.pk
    seat = SeatLine(row.name, row.pronouns, row.number, None, row.points, False, is_me)
    return TableLine(None, (seat,), True, "bye", row.points)


def name_lines(lines: Iterable[TableLine]) -> list[NameLine]:
    """Return a line for each player, sorted by name."""
    named = [
        NameLine(seat, line, tuple(other for other in line.seats if other is not seat))
        for line in lines
        for seat in line.seats
    ]
    return sorted(named, key=lambda line: (sort_key(line.seat.name), line.seat.number))


def pairings_texts(round_: Round) -> list[str]:
    """Return the tables of a published round as chat messages; empty for a draft."""
    if round_.is_draft:
        return []
    heading = f"**{round_.title}: {escaped(round_.stage.tournament.name)}**"
    return pieces(heading, [_table_text(line) for line in table_lines(round_)])


def _table_text(line: TableLine) -> str:
    if line.is_bye:
        return f"Bye: {escaped(line.seats[0].name)}"
    between = ", " if line.is_pod else " against "
    return f"Table {line.table}: {between.join(map(_seat_text, line.seats))}"


def _seat_text(seat: SeatLine) -> str:
    if seat.chooses:
        return _("%(player)s (chooses a side)") % {"player": escaped(seat.name)}
    role = f" ({seat.role.value.capitalize()})" if seat.role else ""
    return escaped(seat.name) + role
