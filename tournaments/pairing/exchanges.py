"""What it would cost if two tables, or a table and the bye, exchanged opponents alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.pairing.costs import (
    AVOID_GROUP,
    SAME_ROLES,
    SECOND_BYE,
    SIDE_IMBALANCE,
    Level,
    times_met,
)
from tournaments.pairing.look_ahead import Outlook
from tournaments.pairing.matching import Parts, bye_parts, pair_parts
from tournaments.pairing.records import Entrant
from tournaments.pairing.situations import Situation, rounds_left, walls
from tournaments.standings import PlayerId
from tournaments.standings.lots import id_order


@dataclass(frozen=True)
class Table:
    """Two who would meet, or one who would sit out."""

    first: Entrant
    second: Entrant | None

    def parts(self, levels: Sequence[Level]) -> Parts:
        """What this table or bye costs, on every level."""
        if self.second is None:
            return bye_parts(levels, self.first)
        return pair_parts(levels, self.first, self.second)


@dataclass(frozen=True)
class Exchange:
    """The two tables there would be, and by what they are dearer than those there are."""

    tables: tuple[Table, Table]
    dearer_by: Parts

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All who would change opponents, each table after the other."""
        return tuple(one.id for one in self._entrants)

    @property
    def _entrants(self) -> tuple[Entrant, ...]:
        seats = (seat for table in self.tables for seat in (table.first, table.second))
        return tuple(seat for seat in seats if seat is not None)

    def tables_in_words(self) -> str:
        """Who would meet whom, with places for the names of `players`."""
        return " and ".join(self._in_words(table) for table in self.tables)

    def _in_words(self, table: Table) -> str:
        first = self._name(table.first)
        if table.second is None:
            return f"the bye for {first}"
        return f"{first} with {self._name(table.second)}"

    def _name(self, entrant: Entrant) -> str:
        return f"{{{self.players.index(entrant.id)}}}"

    def verdict(self, situation: Situation) -> str:
        """What the exchange would do, by the weightiest level on which it changes anything."""
        for level, more in zip(situation.choice.levels, self.dearer_by, strict=True):
            if more > 0:
                return f"would {self._harm(level, more)}"
            if more < 0:
                return self._why_not(situation, level, -more)
        by_lot = situation.choice.outlook is Outlook.CLEAR
        return "would cost the same" + (", so the lot has chosen" if by_lot else "")

    def parts_a_group(self, situation: Situation) -> bool:
        """Whether the verdict is about a group of players who are kept apart."""
        levels = zip(situation.choice.levels, self.dearer_by, strict=True)
        return next((level is AVOID_GROUP for level, more in levels if more), False)

    def _harm(self, level: Level, more: int) -> str:
        if not level.name:
            return f"raise {_aim(level)} by {more}"
        table = next(one for one in self.tables[::-1] if any(one.parts([level])))
        names = " and ".join(
            self._name(seat) for seat in (table.first, table.second) if seat is not None
        )
        return _HARM.get(level.id, "make {names} meet again{again}").format(
            names=names,
            byes=table.first.byes + 1,
            again=_again(table, level),
        )

    @staticmethod
    def _why_not(situation: Situation, level: Level, less: int) -> str:
        gain = f"have {less} fewer {level.name}" if level.name else f"lower {_aim(level)} by {less}"
        known = {
            Outlook.KEPT: "could not all be paired",
            Outlook.KEPT_SOMEHOW: "are not known to be possible",
        }.get(situation.choice.outlook)
        if known is None:
            return f"would {gain}"
        rounds = f"the {rounds_left(situation)} left {known} without {walls(situation)}"
        return f"would {gain}, but then {rounds}"


_HARM = {
    SECOND_BYE.id: "give {names} bye number {byes}",
    AVOID_GROUP.id: "put {names}, who are in one group, at a table",
    SIDE_IMBALANCE.id: "make a side imbalance of {names} worse, to two or more",
}


def _again(table: Table, level: Level) -> str:
    if level is SAME_ROLES:
        return " in roles that were played before"
    times = times_met(table.first, table.second) if table.second else 0
    return f", meeting number {times + 1}" if times > 1 else ""


def _aim(level: Level) -> str:
    return {
        "point_gap": "the sum of squared point gaps",
        "closeness": "the price of gaps, second meetings and sides",
    }.get(level.id, level.id)


def for_opponent(situation: Situation, player: Entrant, wanted: Entrant) -> Exchange:
    """The exchange that lets `player`, who sits at a table, meet `wanted`."""
    left = situation.opponents[player.id]
    assert left is not None
    after = (Table(player, wanted), Table(left, situation.opponents[wanted.id]))
    return _exchange(situation, player, wanted, after)


def for_bye(situation: Situation, player: Entrant, wanted: Entrant) -> Exchange:
    """The exchange that gives the bye of `player` to `wanted`."""
    after = (Table(wanted, None), Table(player, situation.opponents[wanted.id]))
    return _exchange(situation, player, wanted, after)


def _exchange(
    situation: Situation, player: Entrant, wanted: Entrant, after: tuple[Table, Table]
) -> Exchange:
    parts = [table.parts(situation.choice.levels) for table in after]
    now = (situation.parts[player.id], situation.parts[wanted.id])
    would_cost, costs = (map(sum, zip(*both, strict=True)) for both in (parts, now))
    return Exchange(after, tuple(new - old for new, old in zip(would_cost, costs, strict=True)))


def cheapest(exchanges: Sequence[Exchange]) -> Exchange:
    """The one that is dearer by the least; the ids decide among equals."""
    return min(
        exchanges, key=lambda one: (one.dearer_by, [id_order(player) for player in one.players])
    )
