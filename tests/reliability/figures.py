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
    """By the name of the test (`folder/file.py::test`), one sentence each."""
    return {name: kept["measured"] for name, kept in _read().items()}


def days_of_figures() -> list[str]:
    """The days at which kept figures were measured, in order (ISO)."""
    return sorted({kept["day"] for kept in _read().values()})


def keep_figures(figures: dict[str, list[str]]) -> None:
    """Write the figures of a run over those of older runs; tests that did not run keep theirs."""
    today = datetime.now(UTC).date().isoformat()
    fresh = {name: Kept(day=today, measured=measured) for name, measured in figures.items()}
    text = json.dumps(dict(sorted({**_read(), **fresh}.items())), indent=1, ensure_ascii=False)
    FIGURES.write_text(text + "\n", encoding="utf-8")


def _read() -> dict[str, Kept]:
    return json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
