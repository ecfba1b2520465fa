"""Reasons for Swiss rounds as sentences: floats, byes and broken rules."""

from collections.abc import Iterator, Sequence

from engine.pairing.alternatives import why_nobody_nearer
from engine.pairing.choosing import KEPT, Situation
from engine.pairing.costs import (
    AVOID_GROUP,
    SIDE_IMBALANCE,
    Level,
    point_gap,
    swap_roles,
    times_met,
)
from engine.pairing.matching import Couple, Parts, SittingOut
from engine.pairing.records import Entrant, Reason, in_points

# Reasons that reveal avoid groups, so players must not see them.
FOR_STAFF = frozenset({AVOID_GROUP.id, "nearer_group", "exchange_group"})


def pairing_reasons(situation: Situation, first: Entrant, second: Entrant) -> Iterator[Reason]:
    higher, lower = sorted((first, second), key=lambda entrant: -entrant.match_points)
    ids = (higher.id, lower.id)
    if situation.choice.folded:
        best, other = sorted((first, second), key=lambda entrant: entrant.seed or 0)
        text = f"{{0}} and {{1}}: seed {best.seed} meets seed {other.seed}, as the fold has it."
        yield Reason("fold", (best.id, other.id), text)
    elif situation.round_number == 1 and higher.match_points == lower.match_points == 0:
        yield Reason("random", ids, "{0} and {1} are drawn at random for the first round.")
    elif point_gap(first, second) == 0:
        yield Reason("same_score", ids, f"{{0}} and {{1}} both have {_points(higher)}.")
    else:
        scores = f"{_points(higher)} against {_points(lower)}"
        down, up = _why_out_of_group(situation, higher), _why_out_of_group(situation, lower)
        yield Reason("floated_down", ids, f"{{0}} plays down against {{1}}, {scores}: {down}.")
        yield from why_nobody_nearer(situation, higher)
        yield Reason("floated_up", ids[::-1], f"{{0}} plays up against {{1}}: {up}.")
        yield from why_nobody_nearer(situation, lower)


def bye_reason(situation: Situation, entrant: Entrant) -> Reason:
    fewest = min(other.byes for other in situation.field)
    eligible = [other for other in situation.field if other.byes == fewest]
    lowest = min(other.match_points for other in eligible)
    equals = sum(other.match_points == lowest for other in eligible)
    among = "without a bye" if fewest == 0 else f"with the fewest byes ({fewest})"
    if entrant.match_points > lowest:
        why = (
            f"{_points(entrant)}, although the lowest score {among} is {lowest}: that bye would "
            f"break another rule or {_dearer(situation)}"
        )
    elif equals == 1:
        why = f"{_points(entrant)} is the lowest score among the players {among}"
    else:
        why = (
            f"one of {equals} players with the lowest score ({_points(entrant)}) among those "
            f"{among}, by lot where the other tables leave a choice"
        )
    return Reason("bye", (entrant.id,), f"{{0}} has the bye: {why}.")


def broken_by_couple(couple: Couple, rules: Sequence[Level]) -> Iterator[Reason]:
    """Yield a reason for each hard rule broken by this table."""
    first, second = couple.first, couple.second
    for rule in _broken(rules, couple.parts):
        text = (
            f"{{0}} and {{1}} {_fact(rule, first, second)}: no way to pair the round has fewer "
            f"{rule.name}, unless a rule that weighs more is broken."
        )
        yield Reason(rule.id, (first.id, second.id), text)


def broken_by_bye(bye: SittingOut, rules: Sequence[Level]) -> Iterator[Reason]:
    """Yield a reason for each hard rule broken by this bye."""
    for rule in _broken(rules, bye.parts):
        number = bye.entrant.byes + 1
        text = f"{{0}} has bye number {number}: nobody to be paired has had fewer."
        yield Reason(rule.id, (bye.entrant.id,), text)


def _broken(rules: Sequence[Level], parts: Parts) -> Iterator[Level]:
    # The last part is the aim, which is no rule.
    return (rule for rule, value in zip(rules, parts, strict=False) if value)


def _fact(rule: Level, first: Entrant, second: Entrant) -> str:
    if rule is AVOID_GROUP:
        return f'are both in the group "{_literal(first.avoid_group or "")}"'
    if rule is SIDE_IMBALANCE and swap_roles(first, second):
        return "swap the roles of their last meeting, which makes a side imbalance worse"
    if rule is SIDE_IMBALANCE:
        return "are owed the same side, and one of them or both go on without it"
    return f"meet again, meeting number {times_met(first, second) + 1}"


def _why_out_of_group(situation: Situation, entrant: Entrant) -> str:
    group = situation.by_score[entrant.match_points]
    rivals = [other for other in group if other.id != entrant.id]
    if not rivals:
        return f"nobody else has {_points(entrant)}"
    most = situation.profile.meetings
    if all(times_met(entrant, other) >= most for other in rivals):
        past = "are past opponents" if most == 1 else "were met twice before"
        return f"all others with {_points(entrant)} {past}"
    if len(group) % 2:
        return f"{len(group)} players have {_points(entrant)}, an odd number"
    return (
        f"pairing all who have {_points(entrant)} among themselves would break another rule or "
        f"{_dearer(situation)}"
    )


def _dearer(situation: Situation) -> str:
    """Return the possible objection to a choice that breaks no rule."""
    if situation.choice.outlook in KEPT:
        return "cost more at other tables or in the rounds left"
    return "cost more at other tables"


def _points(entrant: Entrant) -> str:
    return in_points(entrant.match_points)


def _literal(text: str) -> str:
    """Escape text so that braces are not placeholders."""
    return text.replace("{", "{{").replace("}", "}}")
