"""Reads what the reversals of a list reversed; that is known of them, and stands in our data."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

FIELDS = {"ruling": str, "supersedes": list, "overturned": str}
LONGEST = 200  # characters


@dataclass(frozen=True)
class Reversal:
    """A ruling, the rulings of the list it stands in the place of, and in words what else."""

    ruling: str
    supersedes: tuple[str, ...]
    overturned: str


def read_reversals(text: str, codes: Collection[str]) -> list[Reversal]:
    """The reversals of our own JSON file. `codes` are those of the list.

    A ValueError for a field that is missing or unknown, for a ruling that is not in the list,
    that stands twice or that reverses itself or nothing.
    """
    reversals = [_reversal(row, codes) for row in json.loads(text)]
    if len({reversal.ruling for reversal in reversals}) < len(reversals):
        raise ValueError("a ruling stands twice among the reversals")
    return reversals


def _reversal(row: Any, codes: Collection[str]) -> Reversal:
    if not isinstance(row, dict) or set(row) != set(FIELDS):
        raise ValueError(f"a reversal has {', '.join(FIELDS)}: {row}")
    for field, kind in FIELDS.items():
        if not isinstance(row[field], kind):
            raise ValueError(f'"{field}" is of the wrong kind: {row}')
    reversal = Reversal(row["ruling"], tuple(row["supersedes"]), row["overturned"].strip())
    unknown = {reversal.ruling, *reversal.supersedes} - set(codes)
    if unknown:
        raise ValueError(f"these rulings are not in the list: {', '.join(sorted(unknown))}")
    if reversal.ruling in reversal.supersedes:
        raise ValueError(f"{reversal.ruling} reverses itself")
    if not (reversal.supersedes or reversal.overturned) or len(reversal.overturned) > LONGEST:
        raise ValueError(f"{reversal.ruling} has to say what it reverses, in {LONGEST} characters")
    return reversal
