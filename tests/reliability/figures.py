"""The figures of the last run, kept beside the page that tells them."""

import json
from pathlib import Path

FIGURES = Path(__file__).resolve().parent.parent.parent / "docs" / "reliability-figures.json"


def kept_figures() -> dict[str, list[str]]:
    """By the name of the test (`folder/file.py::test`), one sentence each."""
    return json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}


def keep_figures(figures: dict[str, list[str]]) -> None:
    """Write the figures of a run over those of older runs; tests that did not run keep theirs."""
    merged = dict(sorted({**kept_figures(), **figures}.items()))
    FIGURES.write_text(json.dumps(merged, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
