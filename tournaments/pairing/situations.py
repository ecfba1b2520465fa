"""What reasons are told from: the field, what was chosen for it, and the rounds left."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tournaments.pairing.choosing import Choice
from tournaments.pairing.matching import Parts
from tournaments.pairing.profiles import Profile
from tournaments.pairing.records import Entrant
from tournaments.standings import PlayerId


@dataclass(frozen=True)
class Situation:
    """The players whom the engine matched with each other, and how; `rounds_left` follow."""

    field: Sequence[Entrant]
    round_number: int
    choice: Choice
    profile: Profile
    rounds_left: int

    @cached_property
    def by_score(self) -> Mapping[int, list[Entrant]]:
        """The score groups."""
        groups: defaultdict[int, list[Entrant]] = defaultdict(list)
        for entrant in self.field:
            groups[entrant.match_points].append(entrant)
        return groups

    @cached_property
    def opponents(self) -> Mapping[PlayerId, Entrant | None]:
        """Whom each of the players meets in this round; None is the bye."""
        matching = self.choice.matching
        met: dict[PlayerId, Entrant | None] = {}
        for couple in matching.couples:
            met[couple.first.id], met[couple.second.id] = couple.second, couple.first
        if matching.sitting_out is not None:
            met[matching.sitting_out.entrant.id] = None
        return met

    @cached_property
    def parts(self) -> Mapping[PlayerId, Parts]:
        """What the table or the bye of each of the players costs, on every level."""
        matching = self.choice.matching
        parts: dict[PlayerId, Parts] = {}
        for couple in matching.couples:
            parts[couple.first.id] = parts[couple.second.id] = couple.parts
        if matching.sitting_out is not None:
            parts[matching.sitting_out.entrant.id] = matching.sitting_out.parts
        return parts

    @cached_property
    def unlimited_tables(self) -> set[frozenset[PlayerId]]:
        """The tables and the bye of the matching that asks nothing about the rounds left."""
        matching = self.choice.unlimited or self.choice.matching
        tables = {frozenset((one.first.id, one.second.id)) for one in matching.couples}
        if matching.sitting_out is not None:
            tables.add(frozenset((matching.sitting_out.entrant.id,)))
        return tables
