"""Figures of docs/dev/reliability.csv, from the last run of each test."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypedDict

FIGURES = Path(__file__).resolve().with_name("figures.json")


class StoredFigures(TypedDict):
    """Figures of a test, and the day of the run (ISO)."""

    day: str
    measured: list[str]


class Figure(NamedTuple):
    day: str
    database: str
    text: str


def last_figures() -> dict[str, list[Figure]]:
    """Figures by test (`folder/file.py::test`), those of SQLite first.

    A sentence of both databases is listed once.
    """
    return {name: _figures(by_database) for name, by_database in _read().items()}


def _figures(stored: dict[str, StoredFigures]) -> list[Figure]:
    figures: dict[str, Figure] = {}
    for database in sorted(stored, key=lambda name: name != "SQLite"):
        for text in stored[database]["measured"]:
            figures.setdefault(text, Figure(stored[database]["day"], database, text))
    return list(figures.values())


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
