"""P5: random events with drops, absences and byes, matched by our planner and by the full graph."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine.pairing.large_fields import LARGE_FIELD, match_field, max_nodes, planned_matching
from tools.bench.baselines import by_networkx, by_rustworkx, every_pair, packed
from tools.bench.figures import Figure
from tools.bench.instances import ODD_ONES, field_after, ids
from tools.bench.pairing import parts

SMALL = 40
"""Up to this number of players, the comparison uses networkx, which shares no code with us."""


@dataclass(frozen=True)
class Outcome:
    """The result of one event; `costs` are our cost and the lowest cost."""

    large: bool
    proven: bool
    everybody_sits: bool
    costs: tuple[int, int]

    @property
    def is_best(self) -> bool:
        """Return True if no matching costs less."""
        return self.costs[0] == self.costs[1]


def outcome(seed: int, sizes: tuple[int, int]) -> Outcome:
    """A random event of this seed, with a number of players between these sizes."""
    chance = random.Random(seed)
    family = chance.choice(ODD_ONES)
    players = chance.randint(*sizes)
    rounds = chance.randint(1, min(10, players // 3))
    field = field_after(family, players, rounds, seed)
    levels = family.profile.levels(field)
    matching = match_field(field, levels)
    seated = [
        seated_entrant.id
        for couple in matching.couples
        for seated_entrant in (couple.first, couple.second)
    ]
    if matching.sitting_out is not None:
        seated.append(matching.sitting_out.entrant.id)
    costs, weights = every_pair(field, levels)
    lowest = (by_networkx if len(field) <= SMALL else by_rustworkx)(costs)
    return Outcome(
        large=len(field) >= LARGE_FIELD,
        proven=planned_matching(field, levels, max_nodes(field)) is not None,
        everybody_sits=set(seated) == ids(field) and len(seated) == len(field),
        costs=(packed(parts(matching), weights), lowest),
    )


def figures(seeds: Iterable[int], sizes: tuple[int, int]) -> list[Figure]:
    """The number of optimally matched events."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        result = outcome(seed, sizes)
        counts.update(
            events=1, large=result.large, best=result.is_best, seated=result.everybody_sits
        )
        counts.update(proven=result.large and result.proven)
    return [
        Figure(
            "P5",
            f"random events with drops, absences and byes, {sizes[0]} to {sizes[1]} players",
            f"{counts['best']:,} of {counts['events']:,} cost the least there is on every level, "
            f"{counts['seated']:,} seat everybody; {counts['large']:,} have more than 96 players, "
            f"{counts['proven']:,} of them with a proof",
            "all, and all",
            counts["best"] == counts["seated"] == counts["events"],
        )
    ]
