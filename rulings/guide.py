"""The infraction guide: infractions at a tournament and their penalties.

The guide is data (rulings/data/infractions.json); an event may customise it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import Refusal

# Category of the infractions that an event adds.
OWN_CATEGORY = "own"
_CODE_LENGTH, _NAME_LENGTH = 60, 120
GUIDE_FILE = Path(__file__).parent / "data" / "infractions.json"


class PenaltyKind(StrEnum):
    """Generic penalties, mildest first."""

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


class UnreadableGuide(Refusal):
    def __init__(self, errors: Sequence[str]) -> None:
        super().__init__(" ".join(errors))
        self.errors = tuple(errors)


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


def read_guide(document: Any) -> Guide:
    """Parse a JSON guide. Raises UnreadableGuide with all problems.

    Format: {"categories": [{"code", "name"}], "infractions": [{"code", "name", "category",
    "description", "ladder": [penalty, ...]}]}.
    """
    if not isinstance(document, dict):
        raise UnreadableGuide(["The guide is an object with categories and infractions."])
    categories, infractions = _rows(document, "categories"), _rows(document, "infractions")
    known = {str(row.get("code", "")): str(row.get("name", "")) for _, row in categories}
    errors = [
        *_list_errors(document),
        *_duplicate_errors("categories", categories),
        *_duplicate_errors("infractions", infractions),
        *(
            error
            for place, row in categories
            for error in _text_errors(place, row, ("code", "name"))
        ),
        *(error for place, row in infractions for error in _infraction_errors(place, row, known)),
    ]
    if errors:
        raise UnreadableGuide(errors)
    return Guide({row["code"]: _infraction(row) for _, row in infractions}, known)


def _list_errors(document: Mapping[str, Any]) -> Iterator[str]:
    for key in ("categories", "infractions"):
        rows = document.get(key)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or not rows:
            yield f"{key}: a list of one or more objects is wanted."


def _rows(document: Mapping[str, Any], key: str) -> list[tuple[str, Mapping[str, Any]]]:
    rows = document.get(key)
    numbered = enumerate(rows, start=1) if isinstance(rows, list) else ()
    return [(f"{key}, row {number}", row) for number, row in numbered if isinstance(row, dict)]


def _duplicate_errors(key: str, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    codes = [str(row.get("code")) for _, row in rows]
    for code in dict.fromkeys(code for code in codes if codes.count(code) > 1):
        yield f'{key}: the code "{code}" is there more than once.'


def _text_errors(place: str, row: Mapping[str, Any], keys: Sequence[str]) -> Iterator[str]:
    for key in keys:
        if not isinstance(row.get(key), str) or not row[key].strip():
            yield f"{place}: {key} is missing."
    code = row.get("code")
    if isinstance(code, str) and code and not is_code(code):
        yield (f'{place}: "{code}" is not a code; use at most {_CODE_LENGTH} of a-z, 0-9 and "-".')
    if len(str(row.get("name", ""))) > _NAME_LENGTH:
        yield f"{place}: the name has more than {_NAME_LENGTH} characters."


def is_code(text: str) -> bool:
    letters = text.replace("-", "")
    is_plain = letters.isascii() and letters.isalnum() and letters == letters.lower()
    return is_plain and len(text) <= _CODE_LENGTH


def _infraction_errors(
    place: str, row: Mapping[str, Any], categories: Mapping[str, str]
) -> Iterator[str]:
    yield from _text_errors(place, row, ("code", "name", "category", "description"))
    if isinstance(row.get("category"), str) and row["category"] not in categories:
        yield f'{place}: there is no category "{row["category"]}".'
    yield from (f"{place}: {error}" for error in ladder_errors(row.get("ladder")))


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


def _infraction(row: Mapping[str, Any]) -> Infraction:
    return Infraction(
        code=row["code"],
        name=row["name"],
        category=row["category"],
        description=row["description"],
        ladder=tuple(map(PenaltyKind, row["ladder"])),
    )


@cache
def shipped_guide() -> Guide:
    return read_guide(json.loads(GUIDE_FILE.read_text(encoding="utf-8")))
