"""What is chosen for the players whom nothing binds: one matching, by score or by seed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournaments.pairing.costs import Level, fold
from tournaments.pairing.matching import (
    Matching,
    Parts,
    SittingOut,
    bye_parts,
    cheapest_matching,
)
from tournaments.pairing.profiles import Profile
from tournaments.pairing.records import Cost, Entrant


@dataclass(frozen=True)
class Choice:
    """A matching, the levels by which it is the cheapest, and those of them that are rules."""

    matching: Matching
    levels: tuple[Level, ...]
    rules: tuple[Level, ...]
    folded: bool = False

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


def choose(field: Sequence[Entrant], round_number: int, profile: Profile) -> Choice:
    """The cheapest matching of `field`, whose order is the lot among equals.

    Round 1 is folded when every player has a seed.
    """
    if round_number == 1 and all(entrant.seed is not None for entrant in field):
        return _folded(field, profile)
    levels = profile.levels(field)
    return Choice(cheapest_matching(field, levels), levels, profile.rules)


def _folded(field: Sequence[Entrant], profile: Profile) -> Choice:
    # In round 1 the bye is a matter of chance, so it is drawn before the seeds count.
    bye = cheapest_matching(field, profile.rules).sitting_out
    left = [entrant for entrant in field if bye is None or entrant is not bye.entrant]
    levels = (*profile.rules, fold(sorted(left, key=lambda entrant: entrant.seed or 0)))
    matching = cheapest_matching(left, levels)
    if bye is not None:
        drawn = SittingOut(bye.entrant, bye_parts(levels, bye.entrant))
        matching = replace(matching, sitting_out=drawn)
    return Choice(matching, levels, profile.rules, folded=True)
