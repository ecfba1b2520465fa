"""Records of database counts, each with its number of occurrences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from matches.scoring import GameEnd, Role

# Not won by play, so left out of win rates.
NOT_PLAYED = (GameEnd.NO_SHOW, GameEnd.JUDGE, GameEnd.DOUBLE_LOSS)


class Ending(NamedTuple):
    """Number of games by ending and winner; None for a game without a winner."""

    end: GameEnd
    winner: Role | None
    games: int


class Meeting(NamedTuple):
    """Number of games by identities and winner; "" for a hidden identity."""

    corp: str
    runner: str
    winner: Role
    games: int


class OwnGames(NamedTuple):
    """Number of a player's games on a side by end and winner; None without a winner.

    `identity` is the player's, `against` the opponent's; "" if hidden.
    """

    side: Role
    identity: str
    against: str
    end: GameEnd
    winner: Role | None
    games: int

    @property
    def meeting(self) -> Meeting | None:
        """The games as a Meeting; None for games not won by play."""
        if self.winner is None or self.end in NOT_PLAYED:
            return None
        both = self.identity, self.against
        corp, runner = both if self.side is Role.CORP else both[::-1]
        return Meeting(corp, runner, self.winner, self.games)


class Entry(NamedTuple):
    """Number of players with an identity of a side.

    `had_cut`: their event had a cut; `made_cut`: they were in it.
    """

    side: str
    identity: str
    had_cut: bool
    made_cut: bool
    players: int


class CardUse(NamedTuple):
    """Number of decks of a side with this card, and total copies in them."""

    side: str
    title: str
    decks: int
    copies: int


class Sitting(NamedTuple):
    """Number of pod seats by faction ("" if unknown) and position, with the sum of points.

    `was_first` means that no player at the table had more victory points.
    """

    faction: str
    position: int
    was_first: bool
    seats: int
    points: Fraction


class RoundTime(NamedTuple):
    """Number of rounds with this ordinal and length in whole minutes."""

    number: int
    minutes: int
    rounds: int = 1


class Count(NamedTuple):
    """Size of the set of events; `untold` matches have points but no games."""

    events: int = 0
    players: int = 0
    entries: int = 0
    matches: int = 0
    games: int = 0
    untold: int = 0


class CutCount(NamedTuple):
    """Players of events with a cut, and the number of them in it."""

    players: int = 0
    in_cut: int = 0


class Opponent(NamedTuple):
    """An opponent by key, with the number of shared tables and results by match points.

    At a table of several players, each of them counts as an opponent.
    """

    player: int
    name: str
    tables: int
    won: int
    drawn: int
    lost: int


NOTHING, NO_CUT = Count(), CutCount()


@dataclass(frozen=True)
class OwnTallies:
    """All counts of a player in a set of events of the same game.

    In `cut` and `entries` the player counts once per event with a cut, so `players` are events.
    """

    games: Sequence[OwnGames] = ()
    entries: Sequence[Entry] = ()
    cut: CutCount = NO_CUT
    factions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Tallies:
    """All counts of a set of events of the same game.

    `factions` maps identities to factions, `decks` has the number of open decks by side. With
    `hides_small` an event is still being played, so small groups are left out.
    """

    count: Count = NOTHING
    endings: Sequence[Ending] = ()
    meetings: Sequence[Meeting] = ()
    entries: Sequence[Entry] = ()
    cards: Sequence[CardUse] = ()
    decks: Mapping[str, int] = field(default_factory=dict)
    sittings: Sequence[Sitting] = ()
    rounds: Sequence[RoundTime] = ()
    cut: CutCount = NO_CUT
    factions: Mapping[str, str] = field(default_factory=dict)
    hides_small: bool = False
