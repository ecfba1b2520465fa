"""Records of database counts, each with its number of occurrences."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from matches.scoring.results import GameEnd, Role

# Not won by play, so left out of win rates.
NOT_PLAYED = (GameEnd.NO_SHOW, GameEnd.JUDGE, GameEnd.DOUBLE_LOSS)


class EndingCount(NamedTuple):
    end: GameEnd
    winner: Role | None
    games: int


class MatchUpCount(NamedTuple):
    # Identities; "" if hidden.
    corp: str
    runner: str
    winner: Role
    games: int


class OwnGameCount(NamedTuple):
    side: Role
    # The player's identity and the opponent's; "" if hidden.
    identity: str
    against: str
    end: GameEnd
    winner: Role | None
    games: int

    @property
    def meeting(self) -> MatchUpCount | None:
        if self.winner is None or self.end in NOT_PLAYED:
            return None
        both = self.identity, self.against
        corp, runner = both if self.side is Role.CORP else both[::-1]
        return MatchUpCount(corp, runner, self.winner, self.games)


class IdentityCount(NamedTuple):
    side: str
    identity: str
    # The event of these players had a cut.
    had_cut: bool
    made_cut: bool
    players: int


class CardCount(NamedTuple):
    side: str
    title: str
    decks: int
    # In all of these decks together.
    copies: int


class PodSeatCount(NamedTuple):
    # "" if unknown.
    faction: str
    position: int
    # No player at the table had more victory points.
    was_first: bool
    seats: int
    # Of all these seats together.
    points: Fraction


class RoundLengthCount(NamedTuple):
    number: int
    minutes: int
    rounds: int = 1


class PlayCount(NamedTuple):
    events: int = 0
    players: int = 0
    entries: int = 0
    matches: int = 0
    games: int = 0
    # Matches with points but without games.
    untold: int = 0


class CutCount(NamedTuple):
    players: int = 0
    in_cut: int = 0


class OpponentCount(NamedTuple):
    player: int
    name: str
    # At a table of several players, each of them counts as an opponent.
    tables: int
    # By match points.
    won: int
    drawn: int
    lost: int


NOTHING, NO_CUT = PlayCount(), CutCount()


@dataclass(frozen=True)
class OwnTallies:
    """All counts of a player in a set of events of the same game."""

    games: Sequence[OwnGameCount] = ()
    # The player counts once per event with a cut, so `players` are events.
    entries: Sequence[IdentityCount] = ()
    cut: CutCount = NO_CUT
    factions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Tallies:
    """All counts of a set of events of the same game."""

    count: PlayCount = NOTHING
    endings: Sequence[EndingCount] = ()
    meetings: Sequence[MatchUpCount] = ()
    entries: Sequence[IdentityCount] = ()
    cards: Sequence[CardCount] = ()
    # The number of open decks by side.
    decks: Mapping[str, int] = field(default_factory=dict)
    sittings: Sequence[PodSeatCount] = ()
    rounds: Sequence[RoundLengthCount] = ()
    cut: CutCount = NO_CUT
    # By identity.
    factions: Mapping[str, str] = field(default_factory=dict)
    # The event is still being played, so small groups of decks are left out.
    hides_small: bool = False


# Tallies of events as JSON, and their sum.


StoredTallies = dict[str, Any]


def tallies_as_json(tallies: Tallies, players: Collection[int]) -> StoredTallies:
    """Return tallies as JSON; without the keys of their `players` only their number is known.

    Factions are left out: they are looked up for the sum.
    """
    return {
        "count": list(tallies.count),
        "players": sorted(players),
        "endings": [list(row) for row in tallies.endings],
        "meetings": [list(row) for row in tallies.meetings],
        "entries": [list(row) for row in tallies.entries],
        "cards": [list(row) for row in tallies.cards],
        "decks": dict(tallies.decks),
        "sittings": [[*row[:-1], str(row.points)] for row in tallies.sittings],
        "rounds": [list(row) for row in tallies.rounds],
        "cut": list(tallies.cut),
    }


@dataclass
class TalliesSum:
    """The sum of the figures of events. A player of several events counts once.

    Figures without the keys of their players can be read back, but not added to another sum.
    """

    count: list[int] = field(default_factory=lambda: [0] * len(PlayCount._fields))
    players: set[int] = field(default_factory=set)
    cut: list[int] = field(default_factory=lambda: [0] * len(CutCount._fields))
    decks: Counter[str] = field(default_factory=Counter)
    endings: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    meetings: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    entries: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    cards: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    copies: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    sittings: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    points: dict[tuple[Any, ...], Fraction] = field(default_factory=dict)
    rounds: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, figures: StoredTallies) -> None:
        self.count = _add_pairwise(self.count, figures["count"])
        self.players.update(figures["players"])
        self.cut = _add_pairwise(self.cut, figures["cut"])
        self.decks.update(figures["decks"])
        for name in ("endings", "meetings", "entries"):
            counts = getattr(self, name)
            for *key, number in figures[name]:
                counts[tuple(key)] += number
        for side, title, decks, copies in figures["cards"]:
            self.cards[side, title] += decks
            self.copies[side, title] += copies
        for *key, seats, points in figures["sittings"]:
            place = tuple(key)
            self.sittings[place] += seats
            self.points[place] = self.points.get(place, Fraction(0)) + Fraction(points)
        for row in figures["rounds"]:
            time = RoundLengthCount(*row)
            self.rounds[time.number, time.minutes] += time.rounds

    @property
    def identities(self) -> set[str]:
        return {identity for _, identity, *_ in self.entries}

    def tallies(self, factions: Mapping[str, str]) -> Tallies:
        """Return the sum, in the same order as the database queries."""
        cards = [
            CardCount(side, title, decks, self.copies[side, title])
            for (side, title), decks in sorted(
                self.cards.items(),
                key=lambda use: (use[0][0], -use[1], -self.copies[use[0]], use[0][1]),
            )
        ]
        count = PlayCount(*self.count)
        return Tallies(
            count=count._replace(players=len(self.players)) if self.players else count,
            endings=[
                EndingCount(GameEnd(end), Role(winner) if winner else None, games)
                for (end, winner), games in sorted(
                    self.endings.items(), key=lambda row: (row[0][0], row[0][1] or "")
                )
            ],
            meetings=[
                MatchUpCount(corp, runner, Role(winner), games)
                for (corp, runner, winner), games in sorted(self.meetings.items())
            ],
            entries=[
                IdentityCount(side, identity, had_cut, made_cut, players)
                for (side, identity, had_cut, made_cut), players in sorted(self.entries.items())
            ],
            cards=cards,
            decks=dict(self.decks),
            sittings=[
                PodSeatCount(
                    faction, position, was_first, seats, self.points[faction, position, was_first]
                )
                for (faction, position, was_first), seats in sorted(self.sittings.items())
            ],
            rounds=[
                RoundLengthCount(*time, rounds) for time, rounds in sorted(self.rounds.items())
            ],
            cut=CutCount(*self.cut),
            factions=factions,
        )


def _add_pairwise(first: Iterable[int], second: Iterable[int]) -> list[int]:
    return [left + right for left, right in zip(first, second, strict=True)]
