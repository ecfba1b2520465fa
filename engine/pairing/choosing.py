"""What is chosen for the players whom nothing binds: one matching, by score or by seed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.pairing.costs import Level, fold
from engine.pairing.large import cheapest
from engine.pairing.look_ahead import Outlook, keep
from engine.pairing.matching import (
    Couple,
    Matching,
    Parts,
    SittingOut,
    bye_parts,
    cheapest_matching,
    pair_parts,
)
from engine.pairing.plans import Plan
from engine.pairing.profiles import Profile
from engine.pairing.records import Cost, Entrant


@dataclass(frozen=True)
class Choice:
    """A matching, the levels by which it is the cheapest, and those of them that are rules.

    `outlook` tells of the rounds left where these limited the choice; `unlimited` is what would
    have been chosen without them.
    """

    matching: Matching
    levels: tuple[Level, ...]
    rules: tuple[Level, ...]
    folded: bool = False
    outlook: Outlook = Outlook.CLEAR
    unlimited: Matching | None = None

    @property
    def cost(self) -> Cost:
        """The sum over all tables and the bye, level by level."""
        parts = [couple.parts for couple in self.matching.couples]
        if self.matching.sitting_out is not None:
            parts.append(self.matching.sitting_out.parts)
        none = (0,) * len(self.levels)
        return by_level(self.levels, tuple(map(sum, zip(none, *parts, strict=True))))


def by_level(levels: Sequence[Level], parts: Parts) -> Cost:
    """Parts with the names of their levels."""
    return {level.id: value for level, value in zip(levels, parts, strict=True)}


def choose(
    field: Sequence[Entrant], round_number: int, profile: Profile, plan: Plan | None
) -> Choice:
    """The cheapest matching of `field` that keeps the plan; the order of `field` is the lot.

    Round 1 is folded when every player has a seed.
    """
    if round_number == 1 and all(entrant.seed is not None for entrant in field):
        return _folded(field, profile)
    levels = profile.levels(field)
    matching = cheapest(field, levels)
    if plan is None or not field:
        return Choice(matching, levels, profile.rules)
    kept = keep(plan, matching, levels)
    return Choice(
        kept.matching,
        levels,
        profile.rules,
        outlook=kept.outlook,
        unlimited=kept.cheapest,
    )


def _folded(field: Sequence[Entrant], profile: Profile) -> Choice:
    # Before anybody has met, all matchings leave the rounds to come as open as each other.
    # In round 1 the bye is a matter of chance, so it is drawn before the seeds count.
    bye = cheapest(field, profile.rules).sitting_out
    left = [entrant for entrant in field if bye is None or entrant is not bye.entrant]
    levels = (*profile.rules, fold(sorted(left, key=lambda entrant: entrant.seed or 0)))
    matching = _straight(left, levels) or cheapest_matching(left, levels)
    if bye is not None:
        drawn = SittingOut(bye.entrant, bye_parts(levels, bye.entrant))
        matching = replace(matching, sitting_out=drawn)
    return Choice(matching, levels, profile.rules, folded=True)


def _straight(field: Sequence[Entrant], levels: Sequence[Level]) -> Matching | None:
    """The fold itself, which no other matching equals; None when it breaks a rule."""
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
