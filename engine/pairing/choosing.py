"""Choice of the matching for players without locks or promised byes, by score or by seed.

Also collects the data for its reasons, and notes on the planned rounds.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.pairing.costs import Level, Profile, fold
from engine.pairing.large import cheapest
from engine.pairing.look_ahead import Kept, Outlook, Plan, keep, keep_most
from engine.pairing.matching import (
    Couple,
    Matching,
    Parts,
    SittingOut,
    bye_parts,
    cheapest_matching,
    pair_parts,
)
from engine.pairing.records import Cost, Entrant, Reason
from engine.standings import PlayerId

KEPT = (Outlook.KEPT, Outlook.KEPT_SOMEHOW)
_NOTES: Mapping[Outlook, str] = {
    Outlook.KEPT_SOMEHOW: (
        "The {kept_rounds} {stay} free of {walls}. A cheaper way to pair this round that keeps "
        "{them} so may exist: not all were looked at."
    ),
    Outlook.LOST: (
        "However this round is paired, the {rounds} left cannot be paired without {walls}. This "
        "round is paired at the least cost."
    ),
    Outlook.UNKNOWN: (
        "Whether the {rounds} left can be paired without {walls} is not known: no way was found "
        "within the steps allowed. This round is paired at the least cost."
    ),
}


@dataclass(frozen=True)
class Choice:
    """A matching, the levels that make it the cheapest, and the rules among these levels.

    `ahead` describes the remaining rounds if they limited the choice.
    """

    matching: Matching
    levels: tuple[Level, ...]
    rules: tuple[Level, ...]
    folded: bool = False
    ahead: Kept | None = None

    @property
    def outlook(self) -> Outlook:
        return Outlook.CLEAR if self.ahead is None else self.ahead.outlook

    @property
    def cost(self) -> Cost:
        """The sum over all tables and the bye, by level."""
        parts = [couple.parts for couple in self.matching.couples]
        if self.matching.sitting_out is not None:
            parts.append(self.matching.sitting_out.parts)
        none = (0,) * len(self.levels)
        return by_level(self.levels, tuple(map(sum, zip(none, *parts, strict=True))))


def by_level(levels: Sequence[Level], parts: Parts) -> Cost:
    return {level.id: value for level, value in zip(levels, parts, strict=True)}


def choose(
    field: Sequence[Entrant],
    round_number: int,
    profile: Profile,
    plan: Plan | None,
    *,
    keeps_part: bool = True,
) -> Choice:
    """Return the cheapest matching of `field` that keeps the plan; its order breaks ties.

    Round 1 is folded if every player has a seed and nobody has points. With `keeps_part`, as much
    of the plan is kept as possible if not all of it can be kept.
    """
    if round_number == 1 and all(one.seed is not None and not one.match_points for one in field):
        return _folded(field, profile)
    levels = profile.levels(field)
    matching = cheapest(field, levels)
    if plan is None or not field:
        return Choice(matching, levels, profile.rules)
    kept = (keep_most if keeps_part else keep)(plan, matching, levels)
    return Choice(kept.matching, levels, profile.rules, ahead=kept)


def _folded(field: Sequence[Entrant], profile: Profile) -> Choice:
    # Before any meeting, all matchings leave the later rounds equally open. In round 1 the bye is a
    # matter of chance, so it is drawn before the seeds count.
    bye = cheapest(field, profile.rules).sitting_out
    left = [entrant for entrant in field if bye is None or entrant is not bye.entrant]
    levels = (*profile.rules, fold(sorted(left, key=lambda entrant: entrant.seed or 0)))
    matching = _straight(left, levels) or cheapest_matching(left, levels)
    if bye is not None:
        drawn = SittingOut(bye.entrant, bye_parts(levels, bye.entrant))
        matching = replace(matching, sitting_out=drawn)
    return Choice(matching, levels, profile.rules, folded=True)


def _straight(field: Sequence[Entrant], levels: Sequence[Level]) -> Matching | None:
    """Return the exact fold, which is the unique optimum, or None if it breaks a rule."""
    order = {entrant.id: lot for lot, entrant in enumerate(field)}
    by_seed = sorted(field, key=lambda entrant: entrant.seed or 0)
    half = len(field) // 2
    couples = []
    for pair in zip(by_seed[:half], by_seed[half:], strict=True):
        first, second = sorted(pair, key=lambda entrant: order[entrant.id])
        couples.append(Couple(first, second, pair_parts(levels, first, second)))
    if any(any(couple.parts) for couple in couples):
        return None
    return Matching(tuple(sorted(couples, key=lambda couple: order[couple.first.id])))


@dataclass(frozen=True)
class Situation:
    """The players matched by the engine, and their matching. `rounds_left` rounds follow."""

    field: Sequence[Entrant]
    round_number: int
    choice: Choice
    profile: Profile
    rounds_left: int

    @property
    def keeps_part(self) -> bool:
        """True if only a part of the plan can be kept."""
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
        """The opponent of each player in this round; None for the bye."""
        matching = self.choice.matching
        met: dict[PlayerId, Entrant | None] = {}
        for couple in matching.couples:
            met[couple.first.id], met[couple.second.id] = couple.second, couple.first
        if matching.sitting_out is not None:
            met[matching.sitting_out.entrant.id] = None
        return met

    @cached_property
    def parts(self) -> Mapping[PlayerId, Parts]:
        matching = self.choice.matching
        parts: dict[PlayerId, Parts] = {}
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
        tables = {frozenset((one.first.id, one.second.id)) for one in matching.couples}
        if matching.sitting_out is not None:
            tables.add(frozenset((matching.sitting_out.entrant.id,)))
        return tables


def notes(situation: Situation) -> Iterator[Reason]:
    """Yield notes on the remaining rounds, unless they can simply be kept."""
    outlook, ahead = situation.choice.outlook, situation.choice.ahead
    if ahead is not None and situation.keeps_part:
        yield _part_note(situation, ahead)
    if outlook in _NOTES:
        one = _kept_rounds(situation) == 1
        text = _NOTES[outlook].format(
            rounds=_counted(situation.rounds_left),
            kept_rounds=rounds_kept(situation),
            stay="stays" if one else "stay",
            them="it" if one else "them",
            walls=walls(situation),
        )
        yield Reason(f"look_ahead_{outlook.value}", (), text)


def _part_note(situation: Situation, ahead: Kept) -> Reason:
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
    return Reason(
        "look_ahead_part",
        (),
        text.format(
            kept=ahead.plan.rounds, rounds=_counted(situation.rounds_left), walls=walls(situation)
        ),
    )


def look_ahead_reasons(situation: Situation, *players: PlayerId) -> Iterator[Reason]:
    """Explain a table or bye that differs from the cheapest matching."""
    if situation.choice.outlook not in KEPT or frozenset(players) in situation.unlimited_tables:
        return
    what = "{0} and {1} meet" if len(players) == 2 else "{0} has the bye"
    free = f"keeps the {rounds_kept(situation)} free of {walls(situation)}"
    known = "would not" if situation.choice.outlook is Outlook.KEPT else "is not known to"
    text = f"{what} in a round that {free}; the round chosen without that {known}."
    yield Reason("look_ahead", players, text)


def walls(situation: Situation) -> str:
    """Return the plural name of the meetings that the remaining rounds avoid."""
    ahead = situation.choice.ahead
    meetings = situation.profile.meetings if ahead is None else ahead.plan.meetings
    return "rematches" if meetings == 1 else "third meetings"


def rounds_kept(situation: Situation) -> str:
    """Describe the rounds kept free of rematches: all remaining rounds, or the next N."""
    count = _kept_rounds(situation)
    if count == situation.rounds_left:
        return f"{_counted(count)} left"
    return "next round" if count == 1 else f"next {count} rounds"


def _kept_rounds(situation: Situation) -> int:
    ahead = situation.choice.ahead
    return situation.rounds_left if ahead is None else ahead.plan.rounds


def _counted(rounds: int) -> str:
    return "one round" if rounds == 1 else f"{rounds} rounds"
