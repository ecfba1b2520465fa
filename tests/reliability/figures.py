"""The figures that docs/dev/reliability.md shows, from the last run of each test."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

FIGURES = Path(__file__).resolve().with_name("figures.json")


class Kept(TypedDict):
    """What one test measured, and on which day (ISO)."""

    day: str
    measured: list[str]


def kept_figures() -> dict[str, list[str]]:
    """By the name of the test (`folder/file.py::test`), one sentence each.

    Where both databases were measured, a sentence of PostgreSQL alone says so.
    """
    return {name: _sentences(kept) for name, kept in _read().items()}


def _sentences(kept: dict[str, Kept]) -> list[str]:
    by_database = {name: one["measured"] for name, one in kept.items()}
    first = by_database.pop("SQLite", [])
    others = [
        f"{database}: {text}" if first else text
        for database, measured in by_database.items()
        for text in measured
        if text not in first
    ]
    return first + others


def days_of_figures() -> list[str]:
    """The days at which kept figures were measured, in order (ISO)."""
    return sorted({one["day"] for kept in _read().values() for one in kept.values()})


def keep_figures(name: str, database: str, measured: list[str]) -> None:
    """Write what a test measured over what it measured on this database before."""
    kept = _read()
    today = datetime.now(UTC).date().isoformat()
    kept.setdefault(name, {})[database] = Kept(day=today, measured=measured)
    text = json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True)
    FIGURES.write_text(text + "\n", encoding="utf-8")


def _read() -> dict[str, dict[str, Kept]]:
    """By the name of the test and of the database, as Django shows it."""
    return json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
