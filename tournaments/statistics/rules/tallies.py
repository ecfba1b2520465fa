"""What the database counts: each record says how often one thing happened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from matches.scoring import GameEnd, Role

NOT_PLAYED = (GameEnd.NO_SHOW, GameEnd.JUDGE, GameEnd.DOUBLE_LOSS)
"""Nobody won these by playing, so they are in no win rate."""


class Ending(NamedTuple):
    """So many games ended this way and were won by this side, None for a game nobody won."""

    end: GameEnd
    winner: Role | None
    games: int


class Meeting(NamedTuple):
    """So many games that these identities played and `winner` won; "" for one that is not shown."""

    corp: str
    runner: str
    winner: Role
    games: int


class OwnGames(NamedTuple):
    """So many games of one player on this side, and who won; None for a game nobody won.

    `identity` is the player's, `against` the opponent's, "" where it is not shown.
    """

    side: Role
    identity: str
    against: str
    end: GameEnd
    winner: Role | None
    games: int

    @property
    def meeting(self) -> Meeting | None:
        """As a meeting; None for games that nobody won by playing."""
        if self.winner is None or self.end in NOT_PLAYED:
            return None
        both = self.identity, self.against
        corp, runner = both if self.side is Role.CORP else both[::-1]
        return Meeting(corp, runner, self.winner, self.games)


class Entry(NamedTuple):
    """So many players with this identity of a side.

    `had_cut`: their event had a cut; `made_cut`: they were in it.
    """

    side: str
    identity: str
    had_cut: bool
    made_cut: bool
    players: int


class CardUse(NamedTuple):
    """So many decks of a side have this card, with so many copies in all."""

    side: str
    title: str
    decks: int
    copies: int


class Sitting(NamedTuple):
    """So many seats at tables of several: the faction ("" unknown), the position, the points.

    `was_first`: nobody at the table had more victory points. `points` are the sum.
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
    """How much is in the set; `untold` matches have points and no games."""

    events: int = 0
    players: int = 0
    entries: int = 0
    matches: int = 0
    games: int = 0
    untold: int = 0


class CutCount(NamedTuple):
    """Players of events with a cut, and those among them who were in it."""

    players: int = 0
    in_cut: int = 0


class Opponent(NamedTuple):
    """Another player by key, how many tables they shared with this one, and who had more points.

    Of a table of several each other player counts.
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
    """All that is counted of one player in a set of events of one game.

    In `cut` and `entries` the player counts once for each event with a cut: `players` are events.
    """

    games: Sequence[OwnGames] = ()
    entries: Sequence[Entry] = ()
    cut: CutCount = NO_CUT
    factions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Tallies:
    """All that is counted of a set of events of one game.

    `factions` name the faction of an identity, `decks` how many open decks there are by side.
    `hides_small`: an event is still played, so small groups are left out.
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
