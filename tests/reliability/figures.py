"""Figures of docs/dev/reliability.md, from the last run of each test."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

FIGURES = Path(__file__).resolve().with_name("figures.json")


class StoredFigures(TypedDict):
    """Figures of a test, and the day of the run (ISO)."""

    day: str
    measured: list[str]


def kept_figures() -> dict[str, list[str]]:
    """Figures by test (`folder/file.py::test`), one sentence each.

    A figure that was only measured on PostgreSQL is labelled.
    """
    return {name: _sentences(by_database) for name, by_database in _read().items()}


def _sentences(stored: dict[str, StoredFigures]) -> list[str]:
    by_database = {name: figures["measured"] for name, figures in stored.items()}
    first = by_database.pop("SQLite", [])
    other_figures = [
        f"{database}: {text}" if first else text
        for database, measured in by_database.items()
        for text in measured
        if text not in first
    ]
    return first + other_figures


def days_of_figures() -> list[str]:
    """Days on which the stored figures were measured, in order (ISO)."""
    return sorted(
        {figures["day"] for by_database in _read().values() for figures in by_database.values()}
    )


def keep_figures(name: str, database: str, measured: list[str]) -> None:
    """Replace the stored figures of a test on this database."""
    stored = _read()
    today = datetime.now(UTC).date().isoformat()
    stored.setdefault(name, {})[database] = StoredFigures(day=today, measured=measured)
    text = json.dumps(stored, indent=1, ensure_ascii=False, sort_keys=True)
    FIGURES.write_text(text + "\n", encoding="utf-8")


def _read() -> dict[str, dict[str, StoredFigures]]:
    """Figures by test, and then by database as Django names it."""
    return json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
