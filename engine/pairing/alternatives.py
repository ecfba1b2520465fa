"""Explanations for players who expected a nearer opponent.

They name the rules that bar nearer opponents, and the cost of an exchange. An exchange is between
two tables, or between a table and the bye.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.pairing.choosing import Situation, rounds_kept, walls
from engine.pairing.costs import (
    AVOID_GROUP,
    SAME_ROLES,
    SECOND_BYE,
    SECOND_MEETING,
    SIDE_IMBALANCE,
    Level,
    point_gap,
    swap_roles,
    times_met,
)
from engine.pairing.look_ahead import Outlook
from engine.pairing.matching import Parts, bye_parts, pair_parts
from engine.pairing.records import Entrant, Reason
from engine.standings import PlayerId
from engine.standings.records import id_order


@dataclass(frozen=True)
class Table:
    """A possible table, or a bye if `second` is None."""

    first: Entrant
    second: Entrant | None

    def parts(self, levels: Sequence[Level]) -> Parts:
        if self.second is None:
            return bye_parts(levels, self.first)
        return pair_parts(levels, self.first, self.second)


@dataclass(frozen=True)
class Exchange:
    """The two tables after an exchange, and their additional cost."""

    tables: tuple[Table, Table]
    dearer_by: Parts

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All players who would change opponents, table by table."""
        return tuple(one.id for one in self._entrants)

    @property
    def _entrants(self) -> tuple[Entrant, ...]:
        seats = (seat for table in self.tables for seat in (table.first, table.second))
        return tuple(seat for seat in seats if seat is not None)

    def tables_in_words(self) -> str:
        """Describe the tables with placeholders for the names of `players`."""
        return " and ".join(self._in_words(table) for table in self.tables)

    def _in_words(self, table: Table) -> str:
        first = self._name(table.first)
        if table.second is None:
            return f"the bye for {first}"
        return f"{first} with {self._name(table.second)}"

    def _name(self, entrant: Entrant) -> str:
        return f"{{{self.players.index(entrant.id)}}}"

    def verdict(self, situation: Situation) -> str:
        """Describe the effect of the exchange by the weightiest level it changes."""
        for level, more in zip(situation.choice.levels, self.dearer_by, strict=True):
            if more > 0:
                return f"would {self._harm(level, more)}"
            if more < 0:
                return self._why_not(situation, level, -more)
        by_lot = situation.choice.outlook is Outlook.CLEAR
        return "would cost the same" + (", so the lot has chosen" if by_lot else "")

    def parts_a_group(self, situation: Situation) -> bool:
        """Return True if the verdict is about players of an avoid group."""
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
        # With any other outlook the matching is optimal: no exchange lowers its cost.
        known = {
            Outlook.KEPT: "could not all be paired",
            Outlook.KEPT_SOMEHOW: "are not known to be possible",
        }[situation.choice.outlook]
        rounds = f"the {rounds_kept(situation)} {known} without {walls(situation)}"
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
    """Return the exchange that lets `player`, who sits at a table, meet `wanted`."""
    left = situation.opponents[player.id]
    assert left is not None
    after = (Table(player, wanted), Table(left, situation.opponents[wanted.id]))
    return _exchange(situation, player, wanted, after)


def for_bye(situation: Situation, player: Entrant, wanted: Entrant) -> Exchange:
    """Return the exchange that gives the bye of `player` to `wanted`."""
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
    """Return the exchange with the lowest extra cost; the ids break ties."""
    return min(
        exchanges, key=lambda one: (one.dearer_by, [id_order(player) for player in one.players])
    )


MOST_NAMED = 3
# Limit of exchanges compared among players with the same score.
MOST_COMPARED = 20


@dataclass(frozen=True)
class _Barred:
    """A nearer player, and the weightiest rule that a table with them would break."""

    entrant: Entrant
    rule: Level


def why_nobody_nearer(situation: Situation, player: Entrant) -> Iterator[Reason]:
    """Explain, for nearer scores, the barred players and the cheapest exchange."""
    opponent = situation.opponents[player.id]
    assert opponent is not None
    barred: list[_Barred] = []
    free: list[Entrant] = []
    for _, group in groupby(
        _nearer(situation, player, opponent), lambda one: point_gap(player, one)
    ):
        for one in group:
            rule = _barring_rule(situation, player, opponent, one)
            if rule is None:
                free.append(one)
            else:
                barred.append(_Barred(one, rule))
        if free:
            break
    yield from _barred_reasons(player, barred)
    if free:
        exchange = cheapest([for_opponent(situation, player, one) for one in free[:MOST_COMPARED]])
        many = f" ({_of_several(free)})" if free[1:] else ""
        opening = (
            f"{{1}} has the nearest score to {{0}}'s among those whom no rule bars{many}. "
            f"{'The cheapest' if many else 'An'} exchange of opponents with one table for that"
        )
        yield _exchange_reason(situation, exchange, opening)
    elif not barred:
        text = "No score in this round is nearer to {0}'s than {1}'s."
        yield Reason("nobody_nearer", (player.id, opponent.id), text)


def why_not_the_lowest(situation: Situation, player: Entrant) -> Iterator[Reason]:
    """Explain a bye above the lowest score by the cost of giving it to a player with that score."""
    fewest = min(one.byes for one in situation.field)
    eligible = [one for one in situation.field if one.byes == fewest]
    lowest = min(one.match_points for one in eligible)
    if player.byes == fewest and lowest < player.match_points:
        below = [one for one in eligible if one.match_points == lowest]
        exchange = cheapest([for_bye(situation, player, one) for one in below[:MOST_COMPARED]])
        many = f" ({_of_several(below)})" if below[1:] else ""
        opening = (
            f"{{0}} has the lowest score among those with the fewest byes{many}. "
            f"{'The cheapest' if many else 'An'} exchange with one table for that bye"
        )
        yield _exchange_reason(situation, exchange, opening)


def _nearer(situation: Situation, player: Entrant, opponent: Entrant) -> Iterator[Entrant]:
    """Yield the players with a nearer score than the opponent's, nearest first."""
    gap = point_gap(player, opponent)
    scores = sorted(situation.by_score, key=lambda score: abs(score - player.match_points))
    for score in scores:
        if abs(score - player.match_points) < gap:
            yield from (one for one in situation.by_score[score] if one is not player)


def _barring_rule(
    situation: Situation, player: Entrant, opponent: Entrant, wanted: Entrant
) -> Level | None:
    """Return the weightiest rule broken, if this table breaks more than the current table."""
    rules = situation.choice.rules
    would = pair_parts(rules, player, wanted)
    if not any(would) or would <= pair_parts(rules, player, opponent):
        return None
    return next(rule for rule, value in zip(rules, would, strict=True) if value)


def _barred_reasons(player: Entrant, barred: Sequence[_Barred]) -> Iterator[Reason]:
    for one in barred[:MOST_NAMED]:
        kind, fact = _fact(player, one)
        text = f"{{0}} and {{1}} have closer scores, but {fact}."
        yield Reason(kind, (player.id, one.entrant.id), text)
    more = len(barred) - MOST_NAMED
    if more > 0:
        others = (
            "one other player with a closer score is"
            if more == 1
            else (f"{more} other players with closer scores are")
        )
        yield Reason("nearer_more", (player.id,), f"For {{0}}, {others} barred in the same ways.")


def _fact(player: Entrant, barred: _Barred) -> tuple[str, str]:
    if barred.rule is AVOID_GROUP:
        return "nearer_group", "are in one group"
    if barred.rule is SIDE_IMBALANCE:
        if swap_roles(player, barred.entrant):
            swapped = "would have to swap the roles of their last meeting"
            return "nearer_sides", f"{swapped}, which makes a side imbalance worse"
        return "nearer_sides", "are owed the same side"
    met = [one.round_number for one in player.opponents if one.opponent == barred.entrant.id]
    known = [str(number) for number in met if number is not None]
    setting = ", and this event avoids second meetings" if barred.rule is SECOND_MEETING else ""
    if len(known) < len(met) or not known:
        fact = "met before" if len(met) == 1 else f"met {len(met)} times before"
    else:
        rounds = "round" if len(known) == 1 else "rounds"
        fact = f"met in {rounds} {' and '.join(known)}"
    return "nearer_met", fact + setting


def _exchange_reason(situation: Situation, exchange: Exchange, opening: str) -> Reason:
    kind = "exchange_group" if exchange.parts_a_group(situation) else "exchange"
    verdict = exchange.verdict(situation)
    return Reason(kind, exchange.players, f"{opening}, {exchange.tables_in_words()}, {verdict}.")


def _of_several(wanted: Sequence[Entrant]) -> str:
    if len(wanted) <= MOST_COMPARED:
        return f"one of {len(wanted)}"
    return f"one of {len(wanted)}, of whom {MOST_COMPARED} were compared"
