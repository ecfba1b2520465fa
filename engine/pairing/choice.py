"""Choice of the matching for players without locks or promised byes, by score or by seed.

Also collects the data for its reasons, and notes on the planned rounds.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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
_OUTLOOK_NOTES: Mapping[PlanOutlook, str] = {
    PlanOutlook.KEPT_SOMEHOW: (
        "The {kept_rounds} {stay} free of {walls}. A cheaper way to pair this round that keeps "
        "{them} so may exist: not all were looked at."
    ),
    PlanOutlook.LOST: (
        "However this round is paired, the {rounds} left cannot be paired without {walls}. This "
        "round is paired at the least cost."
    ),
    PlanOutlook.UNKNOWN: (
        "Whether the {rounds} left can be paired without {walls} is not known: no way was found "
        "within the steps allowed. This round is paired at the least cost."
    ),
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
    if outlook in _OUTLOOK_NOTES:
        is_single = _kept_rounds(situation) == 1
        text = _OUTLOOK_NOTES[outlook].format(
            rounds=_rounds_in_words(situation.rounds_left),
            kept_rounds=kept_rounds_in_words(situation),
            stay="stays" if is_single else "stay",
            them="it" if is_single else "them",
            walls=avoided_meetings(situation),
        )
        yield PairingReason(f"look_ahead_{outlook.value}", (), text)


def _part_note(situation: PairingSituation, ahead: KeptPlan) -> PairingReason:
    """Name the part of the plan that can be kept."""
    if ahead.plan.rounds == situation.rounds_left == 1:
        text = "The one round left stays free of {walls}."
    elif ahead.plan.rounds == situation.rounds_left:
        text = "The {rounds} left stay free of {walls}."
    elif ahead.plan.rounds == 1 and ahead.is_most:
        text = (
            "Only one of the {rounds} left can be paired without {walls}. This round is paired so "
            "that the next one can."
        )
    elif ahead.is_most:
        text = (
            "At most {kept} of the {rounds} left can be paired without {walls}. This round is "
            "paired so that the next {kept} can."
        )
    else:
        text = (
            "The next {kept} of the {rounds} left can be paired without {walls}. Whether more can "
            "is not known."
        )
    if ahead.plan.meetings > situation.profile.meetings:
        text = f"No way was found to pair another round without rematches. {text}"
    return PairingReason(
        "look_ahead_part",
        (),
        text.format(
            kept=ahead.plan.rounds,
            rounds=_rounds_in_words(situation.rounds_left),
            walls=avoided_meetings(situation),
        ),
    )


def look_ahead_reasons(situation: PairingSituation, *players: PlayerId) -> Iterator[PairingReason]:
    """Explain a table or bye that differs from the cheapest matching."""
    if (
        situation.choice.outlook not in KEPT_OUTLOOKS
        or frozenset(players) in situation.unlimited_tables
    ):
        return
    what = "{0} and {1} meet" if len(players) == 2 else "{0} has the bye"
    free = f"keeps the {kept_rounds_in_words(situation)} free of {avoided_meetings(situation)}"
    known = "would not" if situation.choice.outlook is PlanOutlook.KEPT else "is not known to"
    text = f"{what} in a round that {free}; the round chosen without that {known}."
    yield PairingReason("look_ahead", players, text)


def avoided_meetings(situation: PairingSituation) -> str:
    ahead = situation.choice.ahead
    meetings = situation.profile.meetings if ahead is None else ahead.plan.meetings
    return "rematches" if meetings == 1 else "third meetings"


def kept_rounds_in_words(situation: PairingSituation) -> str:
    """Describe the rounds kept free of rematches: all remaining rounds, or the next N."""
    count = _kept_rounds(situation)
    if count == situation.rounds_left:
        return f"{_rounds_in_words(count)} left"
    return "next round" if count == 1 else f"next {count} rounds"


def _kept_rounds(situation: PairingSituation) -> int:
    ahead = situation.choice.ahead
    return situation.rounds_left if ahead is None else ahead.plan.rounds


def _rounds_in_words(rounds: int) -> str:
    return "one round" if rounds == 1 else f"{rounds} rounds"
