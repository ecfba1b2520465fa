"""The infraction guide: infractions at a tournament and their penalties.

The guide is data (rulings/data/infractions.json); an event may customise it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

# Category of the infractions that an event adds.
OWN_CATEGORY = "own"
LONGEST_CODE = 60
GUIDE_FILE = Path(__file__).parent / "data" / "infractions.json"


class PenaltyKind(StrEnum):
    CAUTION = "caution"
    WARNING = "warning"
    GAME_LOSS = "game_loss"
    MATCH_LOSS = "match_loss"
    DISQUALIFICATION = "disqualification"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ").capitalize()

    @property
    def costs_games(self) -> bool:
        return self in (self.GAME_LOSS, self.MATCH_LOSS, self.DISQUALIFICATION)


@dataclass(frozen=True)
class Infraction:
    """An infraction; its `code` is permanent. The last step of its `ladder` repeats."""

    code: str
    name: str
    category: str
    description: str
    ladder: tuple[PenaltyKind, ...]

    def penalty(self, earlier: int) -> PenaltyKind:
        """Return the penalty for a player with `earlier` penalties for it at this event."""
        return self.ladder[min(earlier, len(self.ladder) - 1)]


@dataclass(frozen=True)
class GuideChange:
    """Customisation by an event; an empty `name`, `description` or `ladder` changes nothing.

    A code that is not in the guide adds an infraction, which needs a name and a ladder.
    """

    code: str
    name: str = ""
    description: str = ""
    ladder: tuple[PenaltyKind, ...] = ()
    is_off: bool = False


@dataclass(frozen=True)
class Guide:
    infractions: Mapping[str, Infraction]
    categories: Mapping[str, str] = field(default_factory=dict)

    def by_category(self) -> list[tuple[str, list[Infraction]]]:
        by_code: dict[str, list[Infraction]] = {code: [] for code in self.categories}
        for infraction in self.infractions.values():
            by_code.setdefault(infraction.category, []).append(infraction)
        return [
            (self.categories.get(code, code), found) for code, found in by_code.items() if found
        ]

    def with_changes(self, changes: Iterable[GuideChange]) -> "Guide":
        infractions, categories = dict(self.infractions), dict(self.categories)
        for change in changes:
            if change.is_off:
                infractions.pop(change.code, None)
                continue
            changed = _apply_change(infractions.get(change.code), change)
            if changed is not None:
                infractions[change.code] = changed
        if any(infraction.category == OWN_CATEGORY for infraction in infractions.values()):
            categories[OWN_CATEGORY] = "At this event"
        return Guide(infractions, categories)


def _apply_change(infraction: Infraction | None, change: GuideChange) -> Infraction | None:
    if infraction is not None:
        return replace(
            infraction,
            name=change.name or infraction.name,
            description=change.description or infraction.description,
            ladder=change.ladder or infraction.ladder,
        )
    if not change.name or not change.ladder:
        return None
    return Infraction(change.code, change.name, OWN_CATEGORY, change.description, change.ladder)


def is_code(text: str) -> bool:
    letters = text.replace("-", "")
    is_plain = letters.isascii() and letters.isalnum() and letters == letters.lower()
    return is_plain and len(text) <= LONGEST_CODE


def ladder_errors(ladder: Any) -> Iterator[str]:
    if not isinstance(ladder, list | tuple) or not ladder:
        yield "the ladder has no step; say what it costs the first time."
        return
    known = [kind.value for kind in PenaltyKind]
    unknown = [step for step in ladder if step not in known]
    for step in unknown:
        yield f'there is no penalty "{step}"; known are {", ".join(known)}.'
    steps = [known.index(step) for step in ladder if step in known]
    if not unknown and steps != sorted(steps):
        yield "the ladder goes down; a later step is never milder."


@cache
def shipped_guide() -> Guide:
    document = json.loads(GUIDE_FILE.read_text(encoding="utf-8"))
    infractions = (
        Infraction(**{**row, "ladder": tuple(map(PenaltyKind, row["ladder"]))})
        for row in document["infractions"]
    )
    return Guide(
        {infraction.code: infraction for infraction in infractions},
        {row["code"]: row["name"] for row in document["categories"]},
    )
