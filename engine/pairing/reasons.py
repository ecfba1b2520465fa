"""Reasons for Swiss rounds as sentences: scores, byes, broken rules, and exchanges.

Exchanges explain to players who expected a nearer opponent what an exchange would cost. An exchange
is between two tables, or between a table and the bye.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.pairing.choice import (
    KEPT_OUTLOOKS,
    PairingSituation,
    avoided_meetings,
    kept_rounds_in_words,
)
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
from engine.pairing.records import Entrant, PairingReason, points_in_words
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

    def tables_in_words(self) -> str:
        return " and ".join(
            f"the bye for {self._name(table.first)}"
            if table.second is None
            else f"{self._name(table.first)} with {self._name(table.second)}"
            for table in self.tables
        )

    def _name(self, entrant: Entrant) -> str:
        return f"{{{self.players.index(entrant.id)}}}"

    def verdict(self, situation: PairingSituation) -> str:
        """Describe the effect of the exchange by the weightiest level it changes."""
        for level, more in zip(situation.choice.levels, self.dearer_by, strict=True):
            if more > 0:
                return f"would {self._harm(level, more)}"
            if more < 0:
                return self._why_not(situation, level, -more)
        by_lot = situation.choice.outlook is PlanOutlook.CLEAR
        return "would cost the same" + (", so the lot has chosen" if by_lot else "")

    def parts_a_group(self, situation: PairingSituation) -> bool:
        levels = zip(situation.choice.levels, self.dearer_by, strict=True)
        return next((level is AVOID_GROUP for level, more in levels if more), False)

    def _harm(self, level: CostLevel, more: int) -> str:
        if not level.name:
            return f"raise {_aim_name(level)} by {more}"
        table = next(table for table in self.tables[::-1] if any(table.parts([level])))
        names = " and ".join(
            self._name(seat) for seat in (table.first, table.second) if seat is not None
        )
        if level.id in _HARM_TEXTS:
            return _HARM_TEXTS[level.id].format(names=names, byes=table.first.byes + 1)
        if level is SAME_ROLES:
            return f"make {names} meet again in roles that were played before"
        times = times_met(table.first, table.second) if table.second else 0
        number = f", meeting number {times + 1}" if times > 1 else ""
        return f"make {names} meet again{number}"

    @staticmethod
    def _why_not(situation: PairingSituation, level: CostLevel, less: int) -> str:
        gain = (
            f"have {less} fewer {level.name}"
            if level.name
            else f"lower {_aim_name(level)} by {less}"
        )
        # With any other outlook the matching is optimal: no exchange lowers its cost.
        known = {
            PlanOutlook.KEPT: "could not all be paired",
            PlanOutlook.KEPT_SOMEHOW: "are not known to be possible",
        }[situation.choice.outlook]
        rounds = (
            f"the {kept_rounds_in_words(situation)} {known} without {avoided_meetings(situation)}"
        )
        return f"would {gain}, but then {rounds}"


_HARM_TEXTS = {
    SECOND_BYE.id: "give {names} bye number {byes}",
    AVOID_GROUP.id: "put {names}, who are in one group, at a table",
    SIDE_IMBALANCE.id: "make a side imbalance of {names} worse, to two or more",
}


def _aim_name(level: CostLevel) -> str:
    return {
        "point_gap": "the sum of squared point gaps",
        "closeness": "the price of gaps, second meetings and sides",
    }.get(level.id, level.id)


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
        many = f" ({_number_compared(free)})" if free[1:] else ""
        opening = (
            f"{{1}} has the nearest score to {{0}}'s among those whom no rule bars{many}. "
            f"{'The cheapest' if many else 'An'} exchange of opponents with one table for that"
        )
        yield _exchange_reason(situation, exchange, opening)
    elif not barred:
        text = "No score in this round is nearer to {0}'s than {1}'s."
        yield PairingReason("nobody_nearer", (player.id, opponent.id), text)


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
        many = f" ({_number_compared(below)})" if below[1:] else ""
        opening = (
            f"{{0}} has the lowest score among those with the fewest byes{many}. "
            f"{'The cheapest' if many else 'An'} exchange with one table for that bye"
        )
        yield _exchange_reason(situation, exchange, opening)


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
        kind, fact = _barring_fact(player, nearer)
        text = f"{{0}} and {{1}} have closer scores, but {fact}."
        yield PairingReason(kind, (player.id, nearer.entrant.id), text)
    more = len(barred) - MAX_NAMED
    if more > 0:
        others = (
            "one other player with a closer score is"
            if more == 1
            else f"{more} other players with closer scores are"
        )
        yield PairingReason(
            "nearer_more", (player.id,), f"For {{0}}, {others} barred in the same ways."
        )


def _barring_fact(player: Entrant, barred: _BarredPlayer) -> tuple[str, str]:
    if barred.rule is AVOID_GROUP:
        return "nearer_group", "are in one group"
    if barred.rule is SIDE_IMBALANCE:
        if must_swap_roles(player, barred.entrant):
            swapped = "would have to swap the roles of their last meeting"
            return "nearer_sides", f"{swapped}, which makes a side imbalance worse"
        return "nearer_sides", "are owed the same side"
    met = [
        meeting.round_number
        for meeting in player.opponents
        if meeting.opponent == barred.entrant.id
    ]
    known = [str(number) for number in met if number is not None]
    setting = ", and this event avoids second meetings" if barred.rule is SECOND_MEETING else ""
    if len(known) < len(met) or not known:
        fact = "met before" if len(met) == 1 else f"met {len(met)} times before"
    else:
        rounds = "round" if len(known) == 1 else "rounds"
        fact = f"met in {rounds} {' and '.join(known)}"
    return "nearer_met", fact + setting


def _exchange_reason(
    situation: PairingSituation, exchange: Exchange, opening: str
) -> PairingReason:
    kind = "exchange_group" if exchange.parts_a_group(situation) else "exchange"
    verdict = exchange.verdict(situation)
    return PairingReason(
        kind, exchange.players, f"{opening}, {exchange.tables_in_words()}, {verdict}."
    )


def _number_compared(wanted: Sequence[Entrant]) -> str:
    if len(wanted) <= MAX_EXCHANGES_COMPARED:
        return f"one of {len(wanted)}"
    return f"one of {len(wanted)}, of whom {MAX_EXCHANGES_COMPARED} were compared"


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
        text = f"{{0}} and {{1}}: seed {better.seed} meets seed {worse.seed}, as the fold has it."
        yield PairingReason("fold", (better.id, worse.id), text)
    elif situation.round_number == 1 and higher.match_points == lower.match_points == 0:
        yield PairingReason("random", ids, "{0} and {1} are drawn at random for the first round.")
    elif point_gap(first, second) == 0:
        yield PairingReason("same_score", ids, f"{{0}} and {{1}} both have {_points_of(higher)}.")
    else:
        scores = f"{_points_of(higher)} against {_points_of(lower)}"
        down, up = _float_reason(situation, higher), _float_reason(situation, lower)
        yield PairingReason(
            "floated_down", ids, f"{{0}} plays down against {{1}}, {scores}: {down}."
        )
        yield from nearer_opponent_reasons(situation, higher)
        yield PairingReason("floated_up", ids[::-1], f"{{0}} plays up against {{1}}: {up}.")
        yield from nearer_opponent_reasons(situation, lower)


def bye_reason(situation: PairingSituation, entrant: Entrant) -> PairingReason:
    fewest = min(player.byes for player in situation.field)
    eligible = [player for player in situation.field if player.byes == fewest]
    lowest = min(player.match_points for player in eligible)
    equals = sum(player.match_points == lowest for player in eligible)
    among = "without a bye" if fewest == 0 else f"with the fewest byes ({fewest})"
    if entrant.match_points > lowest:
        why = (
            f"{_points_of(entrant)}, although the lowest score {among} is {lowest}: that bye would "
            f"break another rule or {_cost_objection(situation)}"
        )
    elif equals == 1:
        why = f"{_points_of(entrant)} is the lowest score among the players {among}"
    else:
        why = (
            f"one of {equals} players with the lowest score ({_points_of(entrant)}) among those "
            f"{among}, by lot where the other tables leave a choice"
        )
    return PairingReason("bye", (entrant.id,), f"{{0}} has the bye: {why}.")


def broken_by_couple(couple: MatchedCouple, rules: Sequence[CostLevel]) -> Iterator[PairingReason]:
    first, second = couple.first, couple.second
    for rule in _broken_rules(rules, couple.parts):
        text = (
            f"{{0}} and {{1}} {_broken_rule_fact(rule, first, second)}: no way to pair the round "
            f"has fewer {rule.name}, unless a rule that weighs more is broken."
        )
        yield PairingReason(rule.id, (first.id, second.id), text)


def broken_by_bye(bye: SittingOut, rules: Sequence[CostLevel]) -> Iterator[PairingReason]:
    for rule in _broken_rules(rules, bye.parts):
        number = bye.entrant.byes + 1
        text = f"{{0}} has bye number {number}: nobody to be paired has had fewer."
        yield PairingReason(rule.id, (bye.entrant.id,), text)


def _broken_rules(rules: Sequence[CostLevel], parts: LevelCosts) -> Iterator[CostLevel]:
    # The last part is the aim, which is no rule.
    return (rule for rule, value in zip(rules, parts, strict=False) if value)


def _broken_rule_fact(rule: CostLevel, first: Entrant, second: Entrant) -> str:
    if rule is AVOID_GROUP:
        # Braces in the name are no placeholders.
        group = (first.avoid_group or "").replace("{", "{{").replace("}", "}}")
        return f'are both in the group "{group}"'
    if rule is SIDE_IMBALANCE and must_swap_roles(first, second):
        return "swap the roles of their last meeting, which makes a side imbalance worse"
    if rule is SIDE_IMBALANCE:
        return "are owed the same side, and one of them or both go on without it"
    return f"meet again, meeting number {times_met(first, second) + 1}"


def _float_reason(situation: PairingSituation, entrant: Entrant) -> str:
    group = situation.by_score[entrant.match_points]
    rivals = [rival for rival in group if rival.id != entrant.id]
    if not rivals:
        return f"nobody else has {_points_of(entrant)}"
    most = situation.profile.meetings
    if all(times_met(entrant, rival) >= most for rival in rivals):
        past = "are past opponents" if most == 1 else "were met twice before"
        return f"all others with {_points_of(entrant)} {past}"
    if len(group) % 2:
        return f"{len(group)} players have {_points_of(entrant)}, an odd number"
    return (
        f"pairing all who have {_points_of(entrant)} among themselves would break another rule or "
        f"{_cost_objection(situation)}"
    )


def _cost_objection(situation: PairingSituation) -> str:
    """Return the possible objection to a choice that breaks no rule."""
    if situation.choice.outlook in KEPT_OUTLOOKS:
        return "cost more at other tables or in the rounds left"
    return "cost more at other tables"


def _points_of(entrant: Entrant) -> str:
    return points_in_words(entrant.match_points)
