"""Results of games and matches, their terms, points and rows. No database."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from core.text import Message, gettext_noop


class _LabelledTerm(StrEnum):
    @property
    def label(self) -> str:
        return _TERM_LABELS[self]


class Role(_LabelledTerm):
    CORP = "corp"
    RUNNER = "runner"

    @property
    def other(self) -> "Role":
        return Role.RUNNER if self is Role.CORP else Role.CORP


class GameEnd(_LabelledTerm):
    AGENDA = "agenda"
    FLATLINE = "flatline"
    DECKED = "decked"
    BAD_PUBLICITY = "bad_publicity"
    CONCESSION = "concession"
    TIME = "time"
    NO_SHOW = "no_show"
    JUDGE = "judge"
    DOUBLE_LOSS = "double_loss"
    NOT_RECORDED = "not_told"


class LoserRule(_LabelledTerm):
    """Which losers score their agenda points (docs/reference/rules.md)."""

    RUNNER_ONLY = "runner_only"
    EITHER_SIDE = "either_side"


_TERM_LABELS: dict[str, str] = {
    Role.CORP: gettext_noop("Corp"),
    Role.RUNNER: gettext_noop("Runner"),
    GameEnd.FLATLINE: gettext_noop("Flatline"),
    GameEnd.BAD_PUBLICITY: gettext_noop("Bad publicity"),
    GameEnd.CONCESSION: gettext_noop("Concession"),
    GameEnd.AGENDA: gettext_noop("Agenda points"),
    GameEnd.DECKED: gettext_noop("Corp out of cards"),
    GameEnd.TIME: gettext_noop("Time ran out"),
    GameEnd.NO_SHOW: gettext_noop("No-show"),
    GameEnd.JUDGE: gettext_noop("Decided by a judge"),
    GameEnd.DOUBLE_LOSS: gettext_noop("Both lost"),
    GameEnd.NOT_RECORDED: gettext_noop("Not recorded"),
    LoserRule.RUNNER_ONLY: gettext_noop("Only a losing Runner"),
    LoserRule.EITHER_SIDE: gettext_noop("Either loser"),
}


def corp_seat(number: int, first: int) -> int:
    """Return the seat (1 or 2) of the Corp. `first` is Corp in game 1; roles alternate."""
    return first if number % 2 else 3 - first


@dataclass(frozen=True)
class GameResult:
    number: int
    # Seat that played Corp.
    corp: int
    # None if the game was drawn, timed out or lost by both.
    winner: Role | None
    end: GameEnd
    # At the end of the game, as players count them: cards may add or remove some. None if they
    # were not required.
    corp_agenda_points: int | None = None
    runner_agenda_points: int | None = None

    def agenda_points(self, role: Role) -> int | None:
        return self.corp_agenda_points if role is Role.CORP else self.runner_agenda_points

    def position(self, role: Role) -> int:
        return self.corp if role is Role.CORP else 3 - self.corp

    def role(self, position: int) -> Role:
        return Role.CORP if self.corp == position else Role.RUNNER


# Exact points: an int if whole. Only a shared place can give a Fraction.
Points: TypeAlias = int | Fraction


class Flag(StrEnum):
    INTENTIONAL_DRAW = "intentional_draw"
    TWO_FOR_ONE = "two_for_one"
    TIMED = "timed"
    CONCEDED = "conceded"

    @property
    def label(self) -> str:
        return _FLAG_LABELS[self]

    @property
    def hint(self) -> str:
        return _FLAG_HINTS[self]


_FLAG_LABELS = {
    Flag.INTENTIONAL_DRAW: gettext_noop("Intentional draw"),
    Flag.TWO_FOR_ONE: gettext_noop("Two for one"),
    Flag.TIMED: gettext_noop("Timed"),
    Flag.CONCEDED: gettext_noop("Conceded"),
}


_FLAG_HINTS = {
    Flag.INTENTIONAL_DRAW: gettext_noop("The players agreed to draw, and no game was won."),
    Flag.TWO_FOR_ONE: gettext_noop("Game 1 counts twice, and there is no game 2."),
    Flag.TIMED: gettext_noop("Time was called before the match was over."),
    Flag.CONCEDED: gettext_noop("A player conceded before the end."),
}


@dataclass(frozen=True)
class MatchResult:
    games: tuple[GameResult, ...] = ()
    flags: frozenset[Flag] = field(default_factory=frozenset)
    # Match points by seat, if only these are known.
    totals: tuple[int, ...] = ()
    # By seat.
    victory_points: tuple[int, ...] = ()
    # By seat, "" if unknown.
    factions: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return True if anything but factions is recorded."""
        return bool(self.games or self.flags or self.totals or self.victory_points)

    @property
    def is_intentional_draw(self) -> bool:
        return Flag.INTENTIONAL_DRAW in self.flags

    @property
    def is_two_for_one(self) -> bool:
        return Flag.TWO_FOR_ONE in self.flags

    def games_won(self, position: int) -> int:
        """With two for one, game 1 counts twice."""
        won = 0
        for game in self.games:
            if game.winner is not None and game.position(game.winner) == position:
                won += 1
        return won * 2 if self.is_two_for_one else won

    def agenda_points(self, position: int) -> int | None:
        """Sum over the games in which both sides' agenda points are known."""
        points = None
        for game in self.games:
            corp, runner = game.corp_agenda_points, game.runner_agenda_points
            if corp is not None and runner is not None:
                points = (points or 0) + (corp if game.corp == position else runner)
        return points


@dataclass(frozen=True)
class PointShare:
    """A part of the points of a seat from a match, with a short reason."""

    points: Points
    reason: Message
    # Number of the game, None for the match as a whole.
    game: int | None = None


def exact(value: Points) -> Points:
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def total_points(shares: Iterable[PointShare]) -> Points:
    return exact(sum((share.points for share in shares), Fraction(0)))


@dataclass(frozen=True)
class FactionFacts:
    # Stored; its meaning never changes.
    id: str
    name: str
    colour: str


# The factions of Free Radicals (docs/reference/rules.md): ten, two to a colour.
_FACTIONS = (
    FactionFacts("farmers", "Farmers", "red"),
    FactionFacts("executives", "Executives", "red"),
    FactionFacts("artisans", "Artisans", "yellow"),
    FactionFacts("underground", "Underground", "yellow"),
    FactionFacts("merchants", "Merchants", "green"),
    FactionFacts("hoteliers", "Hoteliers", "green"),
    FactionFacts("adventurers", "Adventurers", "purple"),
    FactionFacts("paladins", "Paladins", "purple"),
    FactionFacts("entertainers", "Entertainers", "blue"),
    FactionFacts("couriers", "Couriers", "blue"),
)

FACTIONS: Mapping[str, FactionFacts] = {faction.id: faction for faction in _FACTIONS}


def faction_clashes(
    chosen: Sequence[str], table: Mapping[str, FactionFacts]
) -> Iterator[tuple[str, Message]]:
    """Yield problems with the factions of a table, as (code, message); "" is unknown.

    Two factions of one colour cannot be at a table (docs/reference/rules.md).
    """
    by_colour: defaultdict[str, list[str]] = defaultdict(list)
    for id_ in filter(None, chosen):
        if id_ not in table:
            text = gettext_noop('There is no faction "%(faction)s". Choose one of the list.')
            yield "unknown_faction", Message(text, {"faction": id_})
        else:
            by_colour[table[id_].colour].append(table[id_].name)
    for colour, names in by_colour.items():
        if len(names) > 1:
            text = gettext_noop(
                "Factions of the same colour (%(colour)s): %(factions)s. Each colour may appear "
                "once per table."
            )
            values = {"colour": colour, "factions": ", ".join(names)}
            yield "one_colour", Message(text, values)


class GameRow(NamedTuple):
    """A row for one seat in one game, as stored in the database and in tournament files."""

    number: int
    # Empty while the game has no result.
    end: str
    # Position of a seat, like `position`.
    winner: int | None
    position: int
    # Empty in a pod and if unknown.
    role: str
    # Empty outside a pod.
    faction: str
    agenda_points: int | None
    victory_points: int | None


def result_to_rows(result: MatchResult, before: Sequence[GameRow]) -> list[GameRow]:
    """Return the rows of a match with this result, in the order of its rows `before`.

    A game not recorded loses its result but not its roles; unknown roles become those of the game.
    Factions that were not entered are unchanged.
    """
    games = {game.number: game for game in result.games}
    return [
        _with_place(row, result)
        if result.victory_points
        else _with_game(row, games.get(row.number))
        for row in before
    ]


def _with_game(row: GameRow, game: GameResult | None) -> GameRow:
    if game is None:
        return row._replace(end="", winner=None, agenda_points=None, victory_points=None)
    role = game.role(row.position)
    return row._replace(
        end=game.end.value,
        winner=game.position(game.winner) if game.winner else None,
        role=role.value,
        agenda_points=game.agenda_points(role),
        victory_points=None,
    )


def _with_place(row: GameRow, result: MatchResult) -> GameRow:
    return row._replace(
        end="",
        winner=None,
        faction=result.factions[row.position - 1] if result.factions else row.faction,
        agenda_points=None,
        victory_points=result.victory_points[row.position - 1],
    )


def result_from_rows(
    rows: Iterable[GameRow],
    *,
    has_roles: bool,
    flags: Iterable[str],
    totals: Iterable[int | None],
) -> MatchResult:
    """`totals` are by seat. Totals and victory points are used only if every seat has them."""
    flag_set = frozenset(map(Flag, flags))
    if has_roles:
        # Grouped by game only once: an event has thousands of rows.
        ended = [row for row in rows if row.end]
        runners = {row.number: row for row in ended if row.role == Role.RUNNER}
        corps = sorted(row for row in ended if row.role == Role.CORP)
        return MatchResult(
            games=tuple(_game_from_rows(corp, runners[corp.number]) for corp in corps),
            flags=flag_set,
            totals=_complete_numbers(totals),
        )
    seats = sorted(rows, key=lambda row: row.position)
    factions = tuple(row.faction for row in seats)
    return MatchResult(
        flags=flag_set,
        victory_points=_complete_numbers(row.victory_points for row in seats),
        factions=factions if any(factions) else (),
    )


def _complete_numbers(numbers: Iterable[int | None]) -> tuple[int, ...]:
    by_seat = tuple(numbers)
    known = tuple(number for number in by_seat if number is not None)
    return known if len(known) == len(by_seat) else ()


def _game_from_rows(corp: GameRow, runner: GameRow) -> GameResult:
    winner = None
    if corp.winner is not None:
        winner = Role.CORP if corp.winner == corp.position else Role.RUNNER
    return GameResult(
        corp.number,
        corp.position,
        winner,
        GameEnd(corp.end),
        corp.agenda_points,
        runner.agenda_points,
    )
