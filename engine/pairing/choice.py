"""Choice of the matching for players without locks or promised byes, by score or by seed.

Also collects the data for its reasons, and notes on the planned rounds.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.pairing.costs import (
    CostLevel,
    LevelCosts,
    MatchedCouple,
    Matching,
    PairingProfile,
    SittingOut,
    bye_parts,
    cheapest_matching,
    fold_level,
    pair_parts,
)
from engine.pairing.large_fields import match_field
from engine.pairing.look_ahead import (
    KeptPlan,
    LookAheadPlan,
    PlanOutlook,
    keep_most_of_plan,
    keep_plan,
)
from engine.pairing.records import Cost, Entrant, PairingReason
from engine.standings.records import PlayerId

KEPT_OUTLOOKS = (PlanOutlook.KEPT, PlanOutlook.KEPT_SOMEHOW)
_OUTLOOK_CODES: Mapping[PlanOutlook, str] = {
    PlanOutlook.KEPT_SOMEHOW: "rounds_kept_somehow",
    PlanOutlook.LOST: "rounds_lost",
    PlanOutlook.UNKNOWN: "rounds_unknown",
}


@dataclass(frozen=True)
class MatchingChoice:
    """A matching, and the levels that make it the cheapest."""

    matching: Matching
    levels: tuple[CostLevel, ...]
    # The hard rules among the levels.
    rules: tuple[CostLevel, ...]
    folded: bool = False
    # The remaining rounds, if they limited the choice.
    ahead: KeptPlan | None = None

    @property
    def outlook(self) -> PlanOutlook:
        return PlanOutlook.CLEAR if self.ahead is None else self.ahead.outlook

    @property
    def cost(self) -> Cost:
        parts = [couple.parts for couple in self.matching.couples]
        if self.matching.sitting_out is not None:
            parts.append(self.matching.sitting_out.parts)
        none = (0,) * len(self.levels)
        return costs_by_level(self.levels, tuple(map(sum, zip(none, *parts, strict=True))))


def costs_by_level(levels: Sequence[CostLevel], parts: LevelCosts) -> Cost:
    return {level.id: value for level, value in zip(levels, parts, strict=True)}


def choose_matching(
    field: Sequence[Entrant],
    round_number: int,
    profile: PairingProfile,
    plan: LookAheadPlan | None,
    *,
    keeps_part: bool,
) -> MatchingChoice:
    """Return the cheapest matching of `field` that keeps the plan; its order breaks ties.

    Round 1 is folded if every player has a seed and nobody has points. With `keeps_part`, as much
    of the plan is kept as possible if not all of it can be kept.
    """
    if round_number == 1 and all(
        entrant.seed is not None and not entrant.match_points for entrant in field
    ):
        return _fold_round(field, profile)
    levels = profile.levels(field)
    matching = match_field(field, levels)
    if plan is None or not field:
        return MatchingChoice(matching, levels, profile.rules)
    kept = (keep_most_of_plan if keeps_part else keep_plan)(plan, matching, levels)
    return MatchingChoice(kept.matching, levels, profile.rules, ahead=kept)


def _fold_round(field: Sequence[Entrant], profile: PairingProfile) -> MatchingChoice:
    # Before any meeting, all matchings leave the later rounds equally open. In round 1 the bye is a
    # matter of chance, so it is drawn before the seeds count.
    bye = match_field(field, profile.rules).sitting_out
    left = [entrant for entrant in field if bye is None or entrant is not bye.entrant]
    levels = (*profile.rules, fold_level(sorted(left, key=lambda entrant: entrant.seed or 0)))
    matching = _exact_fold(left, levels) or cheapest_matching(left, levels)
    if bye is not None:
        drawn = SittingOut(bye.entrant, bye_parts(levels, bye.entrant))
        matching = replace(matching, sitting_out=drawn)
    return MatchingChoice(matching, levels, profile.rules, folded=True)


def _exact_fold(field: Sequence[Entrant], levels: Sequence[CostLevel]) -> Matching | None:
    """Return the exact fold, which is the unique optimum, or None if it breaks a rule."""
    order = {entrant.id: lot for lot, entrant in enumerate(field)}
    by_seed = sorted(field, key=lambda entrant: entrant.seed or 0)
    half = len(field) // 2
    couples = []
    for pair in zip(by_seed[:half], by_seed[half:], strict=True):
        first, second = sorted(pair, key=lambda entrant: order[entrant.id])
        couples.append(MatchedCouple(first, second, pair_parts(levels, first, second)))
    if any(any(couple.parts) for couple in couples):
        return None
    return Matching(tuple(sorted(couples, key=lambda couple: order[couple.first.id])))


@dataclass(frozen=True)
class PairingSituation:
    """The players matched by the engine, and their matching."""

    field: Sequence[Entrant]
    round_number: int
    choice: MatchingChoice
    profile: PairingProfile
    # Rounds after this round.
    rounds_left: int

    @property
    def keeps_part(self) -> bool:
        ahead = self.choice.ahead
        if ahead is None or not ahead.is_kept:
            return False
        plan = (ahead.plan.rounds, ahead.plan.meetings)
        return plan != (self.rounds_left, self.profile.meetings)

    @cached_property
    def by_score(self) -> Mapping[int, list[Entrant]]:
        groups: defaultdict[int, list[Entrant]] = defaultdict(list)
        for entrant in self.field:
            groups[entrant.match_points].append(entrant)
        return groups

    @cached_property
    def opponents(self) -> Mapping[PlayerId, Entrant | None]:
        matching = self.choice.matching
        met: dict[PlayerId, Entrant | None] = {}
        for couple in matching.couples:
            met[couple.first.id], met[couple.second.id] = couple.second, couple.first
        if matching.sitting_out is not None:
            met[matching.sitting_out.entrant.id] = None
        return met

    @cached_property
    def parts(self) -> Mapping[PlayerId, LevelCosts]:
        matching = self.choice.matching
        parts: dict[PlayerId, LevelCosts] = {}
        for couple in matching.couples:
            parts[couple.first.id] = parts[couple.second.id] = couple.parts
        if matching.sitting_out is not None:
            parts[matching.sitting_out.entrant.id] = matching.sitting_out.parts
        return parts

    @cached_property
    def unlimited_tables(self) -> set[frozenset[PlayerId]]:
        """The tables and the bye of the cheapest matching, ignoring later rounds."""
        ahead = self.choice.ahead
        matching = self.choice.matching if ahead is None else ahead.cheapest
        tables = {frozenset((couple.first.id, couple.second.id)) for couple in matching.couples}
        if matching.sitting_out is not None:
            tables.add(frozenset((matching.sitting_out.entrant.id,)))
        return tables


def look_ahead_notes(situation: PairingSituation) -> Iterator[PairingReason]:
    """Yield notes on the remaining rounds, unless they can simply be kept."""
    outlook, ahead = situation.choice.outlook, situation.choice.ahead
    if ahead is not None and situation.keeps_part:
        yield _part_note(situation, ahead)
    if outlook in _OUTLOOK_CODES:
        code = plan_code(situation, _OUTLOOK_CODES[outlook])
        yield PairingReason(f"look_ahead_{outlook.value}", (), code, plan_params(situation))


def _part_note(situation: PairingSituation, ahead: KeptPlan) -> PairingReason:
    """Name the part of the plan that can be kept."""
    if ahead.plan.rounds == situation.rounds_left:
        code = "all_rounds_kept"
    elif ahead.is_most:
        code = "most_rounds_kept"
    else:
        code = "some_rounds_kept"
    params = plan_params(situation)
    if ahead.plan.meetings > situation.profile.meetings:
        params["details"] = ["rematches_needed"]
    return PairingReason("look_ahead_part", (), plan_code(situation, code), params)


def look_ahead_reasons(situation: PairingSituation, *players: PlayerId) -> Iterator[PairingReason]:
    """Explain a table or bye that differs from the cheapest matching."""
    if (
        situation.choice.outlook not in KEPT_OUTLOOKS
        or frozenset(players) in situation.unlimited_tables
    ):
        return
    is_proven = situation.choice.outlook is PlanOutlook.KEPT
    code = plan_code(situation, "keeps_rounds" if is_proven else "may_keep_rounds")
    yield PairingReason("look_ahead", players, code, plan_params(situation))


def plan_code(situation: PairingSituation, code: str) -> str:
    """Return the code of a sentence about rematches, or the one about third meetings."""
    ahead = situation.choice.ahead
    meetings = situation.profile.meetings if ahead is None else ahead.plan.meetings
    return code if meetings == 1 else f"{code}_third"


def plan_params(situation: PairingSituation) -> dict[str, Any]:
    """Return the number of rounds left, and of the next rounds kept free of rematches."""
    ahead = situation.choice.ahead
    kept = situation.rounds_left if ahead is None else ahead.plan.rounds
    return {"kept": kept, "left": situation.rounds_left}
