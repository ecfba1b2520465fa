"""How much of the rules the quick tests go through, branches counted."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LEAST = 100
"""Per cent of the lines and branches of all rules."""


WHERE = (
    *("tests/decks", "tests/matches", "tests/engine/bracket", "tests/engine/documents"),
    *("tests/engine/pairing", "tests/engine/standings", "tests/engine/clinch"),
    *("tests/tournaments/event", "tests/tournaments/decklists", "tests/tournaments/profiles"),
    *("tests/tournaments/privacy", "tests/tournaments/settings"),
    "tests/tournaments/registration/test_waiting_list.py",
    "tests/tournaments/matrix/test_route_matrix.py",
    "tests/tournaments/files/test_import_steps.py",
    # They measure memory, which takes very long beside this, and read lists, which is no rule.
    "--ignore=tests/decks/formats",
)


@pytest.mark.slow
@pytest.mark.goal("G17")
def test_the_rules_are_gone_through(tmp_path: Path, figure: Callable[[str], None]) -> None:
    kept, document = tmp_path / "coverage", tmp_path / "coverage.json"
    run(kept, "run", "-m", "pytest", "-q", "-p", "no:xdist", "-m", "not slow", *WHERE)
    run(kept, "json", "-q", "-o", str(document))

    totals = json.loads(document.read_text())["totals"]
    assert totals["percent_covered"] >= LEAST
    figure(
        f"{totals['covered_lines']} of {totals['num_statements']} statements and "
        f"{totals['covered_branches']} of {totals['num_branches']} branches of the rules are "
        f"gone through"
    )


def run(kept: Path, *arguments: str) -> None:
    """Coverage of one process, its settings from pyproject.toml."""
    command = [sys.executable, "-m", "coverage", arguments[0], f"--data-file={kept}"]
    subprocess.run([*command, *arguments[1:]], cwd=ROOT, check=True)
