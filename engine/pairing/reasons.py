"""Reasons for Swiss rounds: scores, byes, broken rules, and exchanges.

Exchanges explain to players who expected a nearer opponent what an exchange would cost. An exchange
is between two tables, or between a table and the bye.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine.pairing.choice import KEPT_OUTLOOKS, PairingSituation, plan_code, plan_params
from engine.pairing.costs import (
    AVOID_GROUP,
    SAME_ROLES,
    SECOND_BYE,
    SECOND_MEETING,
    SIDE_IMBALANCE,
    CostLevel,
    LevelCosts,
    MatchedCouple,
    SittingOut,
    bye_parts,
    must_swap_roles,
    pair_parts,
    point_gap,
    times_met,
)
from engine.pairing.look_ahead import PlanOutlook
from engine.pairing.records import Entrant, PairingReason
from engine.standings.records import PlayerId, id_order


@dataclass(frozen=True)
class CandidateTable:
    first: Entrant
    # None for a bye.
    second: Entrant | None

    def parts(self, levels: Sequence[CostLevel]) -> LevelCosts:
        if self.second is None:
            return bye_parts(levels, self.first)
        return pair_parts(levels, self.first, self.second)


@dataclass(frozen=True)
class Exchange:
    """The two tables after an exchange, and their additional cost."""

    tables: tuple[CandidateTable, CandidateTable]
    dearer_by: LevelCosts

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All players who would change opponents, table by table."""
        seats = (seat for table in self.tables for seat in (table.first, table.second))
        return tuple(seat.id for seat in seats if seat is not None)

    def effect(self, situation: PairingSituation) -> tuple[str, dict[str, Any]]:
        """Return the code and params for the weightiest level that the exchange changes."""
        for level, more in zip(situation.choice.levels, self.dearer_by, strict=True):
            if more > 0:
                return self._harm(level, more)
            if more < 0:
                # With any other outlook the matching is optimal: no exchange lowers its cost.
                code = {
                    PlanOutlook.KEPT: "swap_spoils_rounds",
                    PlanOutlook.KEPT_SOMEHOW: "swap_may_spoil_rounds",
                }[situation.choice.outlook]
                params = {"level": level.id, "less": -more, **plan_params(situation)}
                return plan_code(situation, code), params
        is_random = situation.choice.outlook is PlanOutlook.CLEAR
        return "swap_costs_the_same_random" if is_random else "swap_costs_the_same", {}

    def parts_a_group(self, situation: PairingSituation) -> bool:
        levels = zip(situation.choice.levels, self.dearer_by, strict=True)
        return next((level is AVOID_GROUP for level, more in levels if more), False)

    def _harm(self, level: CostLevel, more: int) -> tuple[str, dict[str, Any]]:
        if not level.name:
            return f"swap_raises_{level.id}", {"more": more}
        table = next(table for table in self.tables[::-1] if any(table.parts([level])))
        seats = [seat for seat in (table.first, table.second) if seat is not None]
        params: dict[str, Any] = {"harmed": [self.players.index(seat.id) for seat in seats]}
        if level is SECOND_BYE:
            number = table.first.byes + 1
            code = "swap_second_bye" if number == 2 else "swap_repeated_bye"
            return code, params | {"number": number}
        if level.id in _HARM_CODES:
            return _HARM_CODES[level.id], params
        number = 1 + (times_met(table.first, table.second) if table.second else 0)
        code = "swap_repeated_match" if number > 2 else "swap_rematch"
        return code, params | {"number": number}


_HARM_CODES = {
    AVOID_GROUP.id: "swap_same_group",
    SIDE_IMBALANCE.id: "swap_side_imbalance",
    SAME_ROLES.id: "swap_same_sides",
}


def exchange_for_opponent(
    situation: PairingSituation, player: Entrant, wanted: Entrant
) -> Exchange:
    """Return the exchange that lets `player`, who sits at a table, meet `wanted`."""
    left = situation.opponents[player.id]
    assert left is not None
    after = (CandidateTable(player, wanted), CandidateTable(left, situation.opponents[wanted.id]))
    return _exchange(situation, player, wanted, after)


def exchange_for_bye(situation: PairingSituation, player: Entrant, wanted: Entrant) -> Exchange:
    """Return the exchange that gives the bye of `player` to `wanted`."""
    after = (CandidateTable(wanted, None), CandidateTable(player, situation.opponents[wanted.id]))
    return _exchange(situation, player, wanted, after)


def _exchange(
    situation: PairingSituation,
    player: Entrant,
    wanted: Entrant,
    after: tuple[CandidateTable, CandidateTable],
) -> Exchange:
    parts = [table.parts(situation.choice.levels) for table in after]
    now = (situation.parts[player.id], situation.parts[wanted.id])
    would_cost, costs = (map(sum, zip(*both, strict=True)) for both in (parts, now))
    return Exchange(after, tuple(new - old for new, old in zip(would_cost, costs, strict=True)))


def cheapest_exchange(exchanges: Sequence[Exchange]) -> Exchange:
    """Return the exchange with the lowest extra cost; the ids break ties."""
    return min(
        exchanges,
        key=lambda exchange: (exchange.dearer_by, [id_order(id_) for id_ in exchange.players]),
    )


MAX_NAMED = 3
# Limit of exchanges compared among players with the same score.
MAX_EXCHANGES_COMPARED = 20


@dataclass(frozen=True)
class _BarredPlayer:
    entrant: Entrant
    # The weightiest rule that a table with the player would break.
    rule: CostLevel


def nearer_opponent_reasons(
    situation: PairingSituation, player: Entrant
) -> Iterator[PairingReason]:
    """Explain, for nearer scores, the barred players and the cheapest exchange."""
    opponent = situation.opponents[player.id]
    assert opponent is not None
    barred: list[_BarredPlayer] = []
    free: list[Entrant] = []
    for _, group in groupby(
        _nearer_players(situation, player, opponent), lambda nearer: point_gap(player, nearer)
    ):
        for nearer in group:
            rule = _barring_rule(situation, player, opponent, nearer)
            if rule is None:
                free.append(nearer)
            else:
                barred.append(_BarredPlayer(nearer, rule))
        if free:
            break
    yield from _barred_reasons(player, barred)
    if free:
        exchange = cheapest_exchange(
            [
                exchange_for_opponent(situation, player, nearer)
                for nearer in free[:MAX_EXCHANGES_COMPARED]
            ]
        )
        tables = "swap_bye" if exchange.tables[1].second is None else "swap_tables"
        yield _exchange_reason(situation, exchange, "swap_opponents", tables, len(free))
    elif not barred:
        yield PairingReason("nobody_nearer", (player.id, opponent.id), "no_closer_score")


def higher_bye_reasons(situation: PairingSituation, player: Entrant) -> Iterator[PairingReason]:
    """Explain a bye above the lowest score by the cost of giving it to a player with that score."""
    fewest = min(entrant.byes for entrant in situation.field)
    eligible = [entrant for entrant in situation.field if entrant.byes == fewest]
    lowest = min(entrant.match_points for entrant in eligible)
    if player.byes == fewest and lowest < player.match_points:
        below = [entrant for entrant in eligible if entrant.match_points == lowest]
        exchange = cheapest_exchange(
            [
                exchange_for_bye(situation, player, entrant)
                for entrant in below[:MAX_EXCHANGES_COMPARED]
            ]
        )
        yield _exchange_reason(situation, exchange, "swap_bye_holder", "swap_gives_bye", len(below))


def _nearer_players(
    situation: PairingSituation, player: Entrant, opponent: Entrant
) -> Iterator[Entrant]:
    gap = point_gap(player, opponent)
    scores = sorted(situation.by_score, key=lambda score: abs(score - player.match_points))
    for score in scores:
        if abs(score - player.match_points) < gap:
            yield from (rival for rival in situation.by_score[score] if rival is not player)


def _barring_rule(
    situation: PairingSituation, player: Entrant, opponent: Entrant, wanted: Entrant
) -> CostLevel | None:
    """Return the weightiest rule broken, if this table breaks more than the current table."""
    rules = situation.choice.rules
    would = pair_parts(rules, player, wanted)
    if not any(would) or would <= pair_parts(rules, player, opponent):
        return None
    return next(rule for rule, value in zip(rules, would, strict=True) if value)


def _barred_reasons(player: Entrant, barred: Sequence[_BarredPlayer]) -> Iterator[PairingReason]:
    for nearer in barred[:MAX_NAMED]:
        kind, code, params = _barring_fact(player, nearer)
        yield PairingReason(kind, (player.id, nearer.entrant.id), code, params)
    more = len(barred) - MAX_NAMED
    if more > 0:
        code = "closer_barred_too" if more == 1 else "more_closer_barred_too"
        yield PairingReason("nearer_more", (player.id,), code, {"players": more})


def _barring_fact(player: Entrant, barred: _BarredPlayer) -> tuple[str, str, dict[str, Any]]:
    """Return the kind, code and params."""
    if barred.rule is AVOID_GROUP:
        return "nearer_group", "closer_same_group", {}
    if barred.rule is SIDE_IMBALANCE:
        is_swap = must_swap_roles(player, barred.entrant)
        return "nearer_sides", "closer_sides_reversed" if is_swap else "closer_same_side", {}
    rounds = [
        meeting.round_number
        for meeting in player.opponents
        if meeting.opponent == barred.entrant.id
    ]
    params: dict[str, Any] = {"meetings": len(rounds)}
    if barred.rule is SECOND_MEETING:
        params["details"] = ["event_avoids_second_meetings"]
    if not rounds or None in rounds:
        return "nearer_met", "closer_met", params
    return "nearer_met", "closer_met_in_rounds", params | {"rounds": rounds}


def _exchange_reason(
    situation: PairingSituation, exchange: Exchange, code: str, tables: str, candidates: int
) -> PairingReason:
    """Return the best of the exchanges with these candidates, of which the first are compared."""
    effect, params = exchange.effect(situation)
    params |= {"players": candidates, "details": [tables, effect]}
    if candidates > MAX_EXCHANGES_COMPARED:
        code = f"{code}_of_compared"
        params |= {"compared": MAX_EXCHANGES_COMPARED}
    elif candidates > 1:
        code = f"{code}_of_many"
    kind = "exchange_group" if exchange.parts_a_group(situation) else "exchange"
    return PairingReason(kind, exchange.players, code, params)


# Floats, byes and broken rules


# Reasons that reveal avoid groups, so players must not see them.
STAFF_REASONS = frozenset({AVOID_GROUP.id, "nearer_group", "exchange_group"})


def pairing_reasons(
    situation: PairingSituation, first: Entrant, second: Entrant
) -> Iterator[PairingReason]:
    higher, lower = sorted((first, second), key=lambda entrant: -entrant.match_points)
    ids = (higher.id, lower.id)
    if situation.choice.folded:
        better, worse = sorted((first, second), key=lambda entrant: entrant.seed or 0)
        params = {"seed": better.seed, "opponent_seed": worse.seed}
        yield PairingReason("fold", (better.id, worse.id), "fold", params)
    elif situation.round_number == 1 and higher.match_points == lower.match_points == 0:
        yield PairingReason("random", ids, "random")
    elif point_gap(first, second) == 0:
        yield PairingReason("same_score", ids, "same_score", {"points": higher.match_points})
    else:
        yield _float_reason(situation, "floated_down", higher, lower)
        yield from nearer_opponent_reasons(situation, higher)
        yield _float_reason(situation, "floated_up", lower, higher)
        yield from nearer_opponent_reasons(situation, lower)


def bye_reason(situation: PairingSituation, entrant: Entrant) -> PairingReason:
    fewest = min(player.byes for player in situation.field)
    eligible = [player for player in situation.field if player.byes == fewest]
    lowest = min(player.match_points for player in eligible)
    equals = sum(player.match_points == lowest for player in eligible)
    params: dict[str, Any] = {"points": entrant.match_points, "fewest_byes": fewest}
    if entrant.match_points > lowest:
        code = "bye_above_lowest"
        params |= {"lowest": lowest, "details": [_cost_objection(situation)]}
    elif equals == 1:
        code = "bye_lowest"
    else:
        code = "bye_random"
        params |= {"players": equals}
    return PairingReason("bye", (entrant.id,), code, params)


def broken_by_couple(couple: MatchedCouple, rules: Sequence[CostLevel]) -> Iterator[PairingReason]:
    first, second = couple.first, couple.second
    for rule in _broken_rules(rules, couple.parts):
        code, params = _broken_rule_fact(rule, first, second)
        params["details"] = ["no_better_round"]
        yield PairingReason(rule.id, (first.id, second.id), code, params)


def broken_by_bye(bye: SittingOut, rules: Sequence[CostLevel]) -> Iterator[PairingReason]:
    number = bye.entrant.byes + 1
    code = "second_bye" if number == 2 else "repeated_bye"
    for rule in _broken_rules(rules, bye.parts):
        yield PairingReason(rule.id, (bye.entrant.id,), code, {"number": number})


def _broken_rules(rules: Sequence[CostLevel], parts: LevelCosts) -> Iterator[CostLevel]:
    # The last part is the aim, which is no rule.
    return (rule for rule, value in zip(rules, parts, strict=False) if value)


def _broken_rule_fact(
    rule: CostLevel, first: Entrant, second: Entrant
) -> tuple[str, dict[str, Any]]:
    """Return the code and params."""
    if rule is AVOID_GROUP:
        return "same_group", {"group": first.avoid_group}
    if rule is SIDE_IMBALANCE:
        is_swap = must_swap_roles(first, second)
        return "sides_reversed" if is_swap else "owed_same_side", {}
    number = times_met(first, second) + 1
    return "rematch" if number == 2 else "repeated_match", {"number": number}


def _float_reason(
    situation: PairingSituation, code: str, entrant: Entrant, opponent: Entrant
) -> PairingReason:
    group = situation.by_score[entrant.match_points]
    rivals = [rival for rival in group if rival.id != entrant.id]
    most = situation.profile.meetings
    if not rivals:
        cause = "alone_on_score"
    elif all(times_met(entrant, rival) >= most for rival in rivals):
        cause = "all_met_on_score" if most == 1 else "all_met_twice_on_score"
    elif len(group) % 2:
        cause = "odd_number_on_score"
    else:
        cause = f"score_group_{_cost_objection(situation)}"
    params = {
        "points": entrant.match_points,
        "opponent_points": opponent.match_points,
        "players": len(group),
        "details": [cause],
    }
    return PairingReason(code, (entrant.id, opponent.id), code, params)


def _cost_objection(situation: PairingSituation) -> str:
    """Return the code of the possible objection to a choice that breaks no rule."""
    if situation.choice.outlook in KEPT_OUTLOOKS:
        return "costs_more_later"
    return "costs_more"
