"""Records and figures of standings, and the arithmetic of tie-breakers term by term."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import chain
from math import lcm
from typing import NamedTuple, TypeAlias, TypeVar

from core.errors import Refusal

PlayerId: TypeAlias = int | str
AnyId = TypeVar("AnyId", bound=PlayerId)
# An exact number. Points are integers unless players share a place in a pod.
Exact: TypeAlias = int | Fraction


def id_order(player: PlayerId) -> tuple[bool, int, str]:
    """Sort key for ids: numbers by size, then texts alphabetically."""
    if isinstance(player, str):
        return True, 0, player
    return False, player, ""


def draw_places(players: Iterable[PlayerId], seed: int) -> dict[PlayerId, int]:
    """Return each player's place in the random draw, from 1.

    The draw of a player is the SHA-256 of `seed/id`, so anyone can repeat it. A late entry never
    changes the order of the rest.
    """
    # `repr` quotes a text, so that the id "7" differs from the id 7.
    drawn = sorted(players, key=lambda player: sha256(f"{seed}/{player!r}".encode()).digest())
    return {player: place for place, player in enumerate(drawn, start=1)}


class StandingsRefused(Refusal):
    code = "records_disagree"


class SeatResult(NamedTuple):
    """A player's result at a table; agenda and victory points are None if unknown."""

    points: Exact
    games_won: int = 0
    agenda_points: int | None = None
    victory_points: int | None = None


class DuplicatePlayer(StandingsRefused):
    code = StandingsRefused.code


class UnknownOpponent(StandingsRefused):
    code = StandingsRefused.code


@dataclass(frozen=True, slots=True)
class PlayedTable:
    opponents: tuple[PlayerId, ...]
    points: Exact
    games_won: int = 0
    # The player's and the opponent's, None if the games are not known.
    agenda_points: tuple[int, int] | None = None
    # The player's, None if the game has none.
    victory_points: int | None = None


@dataclass(frozen=True, slots=True)
class Bye:
    points: Exact


RoundRecord: TypeAlias = PlayedTable | Bye | None


@dataclass(frozen=True)
class StandingsRecord:
    """A player's closed rounds. Dropped players retain their played rounds."""

    id: PlayerId
    # First round first; None where the player was not paired.
    rounds: tuple[RoundRecord, ...] = ()
    # Manual order among players equal on match points; 1 is the best.
    manual_seed: int | None = None
    # The player plays no more rounds.
    has_dropped: bool = False

    @property
    def match_points(self) -> Exact:
        return sum(entry.points for entry in self.rounds if entry is not None)

    @property
    def byes(self) -> int:
        return sum(isinstance(entry, Bye) for entry in self.rounds)

    def tables(self) -> Iterator[tuple[int, PlayedTable]]:
        for number, entry in enumerate(self.rounds, start=1):
            if isinstance(entry, PlayedTable):
                yield number, entry

    def meetings(self) -> Iterator[tuple[int, PlayerId]]:
        """Yield round number and opponent, once per meeting."""
        for number, table in self.tables():
            for opponent in table.opponents:
                yield number, opponent


def opponents_at(table: Iterable[AnyId]) -> dict[AnyId, tuple[AnyId, ...]]:
    players = tuple(table)
    return {
        player: tuple(opponent for opponent in players if opponent != player) for player in players
    }


def table_entries(table: Mapping[AnyId, SeatResult]) -> dict[AnyId, PlayedTable]:
    """Agenda points are only compared between two players who both have them."""
    compared: dict[AnyId, tuple[int, int]] = {}
    if len(table) == 2:
        first, second = table
        points = table[first].agenda_points, table[second].agenda_points
        if points[0] is not None and points[1] is not None:
            compared[first] = points[0], points[1]
            compared[second] = points[1], points[0]
    return {
        player: PlayedTable(
            opponents, *table[player][:2], compared.get(player), table[player].victory_points
        )
        for player, opponents in opponents_at(table).items()
    }


# Arithmetic, term by term


@dataclass(frozen=True)
class WorkingTerm:
    """A term of the sum, from a round or an opponent. A bye has no opponents."""

    round: int
    opponents: tuple[PlayerId, ...]
    numerator: int
    denominator: int = 1

    @classmethod
    def of(
        cls, round_: int, opponents: tuple[PlayerId, ...], value: Exact, divisor: int = 1
    ) -> "WorkingTerm":
        """Return the term of a value, which may be a fraction, over an integer divisor."""
        return cls(round_, opponents, value.numerator, value.denominator * divisor)

    @property
    def value(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)

    @property
    def text(self) -> str:
        """`36/3`, or `20` if the denominator is 1."""
        if self.denominator == 1:
            return str(self.numerator)
        return f"{self.numerator}/{self.denominator}"


@dataclass(frozen=True)
class TieBreakWorking:
    """The arithmetic of a tie-breaker: the sum of the terms, over `divisor` unless None."""

    tie_breaker: str
    heading: str
    name: str
    # None if the tie-breaker does not apply, such as an unset manual seed.
    result: Fraction | None
    terms: tuple[WorkingTerm, ...] = ()
    divisor: int | None = None

    @property
    def text(self) -> str:
        """Such as `(36/3 + 20/3) / 2 = 28/3 = 9.3333`."""
        if self.result is None:
            return "none"
        steps = []
        if self.terms:
            total = " + ".join(
                f"({term.text})" if term.numerator < 0 else term.text for term in self.terms
            )
            steps.append(total if self.divisor is None else f"({total}) / {self.divisor}")
        if str(self.result) not in steps:
            steps.append(str(self.result))
        if self.result.denominator != 1:
            steps.append(as_decimal(self.result))
        return " = ".join(steps)


def as_decimal(number: Exact, digits: int = 4) -> str:
    """Format a number with exactly this many decimals, rounding halves away from zero."""
    exact = abs(Fraction(number)) * 10**digits
    units = (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
    whole, rest = divmod(units, 10**digits)
    sign = "-" if number < 0 and units else ""
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


# Figures of a whole field, each computed once, in time linear in players x rounds


# For each player, all players equal so far, including the player.
TiedPlayers: TypeAlias = Mapping[PlayerId, Sequence[PlayerId]]
STRENGTH_OF_SCHEDULE = "strength_of_schedule"


@dataclass(frozen=True)
class PlayerFigures:
    """A figure for each player who has it: a number, or a numerator over the denominator."""

    # Integers unless points are fractions.
    numerators: Mapping[PlayerId, Exact]
    denominator: int | None = None
    # Place of every player, if the numbers alone do not give the order; lower is better.
    places: Mapping[PlayerId, int] | None = None

    @cached_property
    def exact(self) -> Mapping[PlayerId, Exact]:
        below = self.denominator
        if below is None:
            return self.numerators
        return {player: Fraction(above, below) for player, above in self.numerators.items()}


def sums_of_figures(
    figures: PlayerFigures, of_each: Mapping[PlayerId, Sequence[PlayerId]]
) -> PlayerFigures:
    numerator = figures.numerators.__getitem__
    return PlayerFigures(
        {player: sum(map(numerator, others)) for player, others in of_each.items()},
        figures.denominator,
    )


def means_of_figures(
    figures: PlayerFigures, of_each: Mapping[PlayerId, Sequence[PlayerId]]
) -> PlayerFigures:
    """Average, for each player, the figures of the listed players; 0 without any."""
    totals = sums_of_figures(figures, of_each)
    return ratios_of_figures(
        totals.numerators,
        {player: len(others) for player, others in of_each.items()},
        figures.denominator or 1,
    )


def ratios_of_figures(
    above: Mapping[PlayerId, Exact], below: Mapping[PlayerId, int], denominator: int = 1
) -> PlayerFigures:
    """Return the ratios. A divisor of 0 gives 0."""
    counts = set(below.values())
    scale = lcm_of(counts)
    factors = {count: scale // (count or 1) for count in counts}
    return PlayerFigures(
        {player: above[player] * factors[count] for player, count in below.items()},
        scale * denominator,
    )


def lcm_of(counts: Iterable[int]) -> int:
    # 0 stands for no rounds.
    return lcm(*set(counts) - {0})


class StandingsField:
    """All players of a tournament with their closed rounds, and the seed of the random draw."""

    def __init__(self, records: Iterable[StandingsRecord], seed: int) -> None:
        """Raise DuplicatePlayer or UnknownOpponent if the records are inconsistent."""
        self.seed = seed
        self.records: dict[PlayerId, StandingsRecord] = {}
        for record in records:
            if record.id in self.records:
                raise DuplicatePlayer(f"Player {record.id} has two records.")
            self.records[record.id] = record
        tallies = {player: _tally(record.rounds) for player, record in self.records.items()}
        self.points = {player: tally[0] for player, tally in tallies.items()}
        self.games = {player: tally[1] for player, tally in tallies.items()}
        self.played = {player: tally[2] for player, tally in tallies.items()}
        self.byes = {player: tally[3] for player, tally in tallies.items()}
        # Once per meeting.
        self.opponents = {player: tally[4] for player, tally in tallies.items()}
        self._check_opponents()

    def _check_opponents(self) -> None:
        unknown = set(chain.from_iterable(self.opponents.values())) - self.records.keys()
        if unknown:
            player, opponent = next(
                (player, opponent)
                for player, met in self.opponents.items()
                for opponent in met
                if opponent in unknown
            )
            raise UnknownOpponent(f"Player {player} met {opponent}, who has no record.")

    @cached_property
    def counted(self) -> Mapping[PlayerId, int]:
        return {player: count + self.byes[player] for player, count in self.played.items()}

    @cached_property
    def most_in_a_round(self) -> Exact:
        """Includes byes."""
        return max((entry.points for entry in self._entries()), default=0)

    @cached_property
    def fewest_in_a_round(self) -> Exact:
        """At most 0."""
        return min((entry.points for entry in self._entries() if entry.points < 0), default=0)

    def _entries(self) -> Iterator[PlayedTable | Bye]:
        rounds = chain.from_iterable(record.rounds for record in self.records.values())
        return (entry for entry in rounds if entry is not None)

    @cached_property
    def strength_of_schedule(self) -> PlayerFigures:
        """Mean of the opponents' match points per round; 0 without opponents."""
        return means_of_figures(ratios_of_figures(self.points, self.counted), self.opponents)

    @cached_property
    def extended_strength_of_schedule(self) -> PlayerFigures:
        return means_of_figures(self.strength_of_schedule, self.opponents)


@dataclass(frozen=True)
class StoredFigures:
    # A player's stored figures by tie-breaker.
    values: Mapping[str, Exact | None]
    # Number of rounds not missed.
    counted: int


class StoredField(StandingsField):
    """Stored figures; only `points`, `counted` and `strength_of_schedule` have them."""

    def __init__(self, record: StandingsRecord, rows: Mapping[PlayerId, StoredFigures]) -> None:
        """Raise UnknownOpponent if an opponent has no figures."""
        others = (StandingsRecord(player) for player in rows if player != record.id)
        super().__init__((record, *others), seed=0)
        self.points = {player: row.values["match_points"] or 0 for player, row in rows.items()}
        self.counted = {player: row.counted for player, row in rows.items()}
        strengths = {player: row.values.get(STRENGTH_OF_SCHEDULE) for player, row in rows.items()}
        self.strength_of_schedule = PlayerFigures(
            {player: value for player, value in strengths.items() if value is not None}
        )


def _tally(rounds: Iterable[RoundRecord]) -> tuple[Exact, int, int, int, list[PlayerId]]:
    # A single pass: a large field has tens of thousands of entries.
    points: Exact = 0
    games = played = byes = 0
    met: list[PlayerId] = []
    for entry in rounds:
        if isinstance(entry, PlayedTable):
            played += 1
            points += entry.points
            games += entry.games_won
            met += entry.opponents
        elif entry is not None:
            byes += 1
            points += entry.points
    return points, games, played, byes, met
