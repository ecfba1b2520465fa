"""Branch coverage of the rules by the quick tests."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MIN_COVERAGE = 100
"""Percentage of covered lines and branches of all rules."""


RULE_TESTS = (
    *("tests/decks", "tests/matches", "tests/engine/bracket", "tests/engine/documents"),
    *("tests/engine/pairing", "tests/engine/standings", "tests/engine/clinch"),
    *("tests/tournaments/event", "tests/tournaments/decklists", "tests/tournaments/profiles"),
    *("tests/tournaments/privacy", "tests/tournaments/settings"),
    "tests/tournaments/registration/test_waiting_list.py",
    "tests/tournaments/matrix/test_route_matrix.py",
    "tests/tournaments/files/test_import_steps.py",
    # They measure memory, which coverage slows down a lot, and they test parsers, not rules.
    "--ignore=tests/decks/formats",
)


@pytest.mark.slow
@pytest.mark.goal("G17")
def test_quick_tests_cover_the_rules(tmp_path: Path, figure: Callable[[str], None]) -> None:
    data_file, document = tmp_path / "coverage", tmp_path / "coverage.json"
    run(data_file, "run", "-m", "pytest", "-q", "-p", "no:xdist", "-m", "not slow", *RULE_TESTS)
    run(data_file, "json", "-q", "-o", str(document))

    totals = json.loads(document.read_text())["totals"]
    assert totals["percent_covered"] >= MIN_COVERAGE
    figure(
        f"{totals['covered_lines']} of {totals['num_statements']} statements and "
        f"{totals['covered_branches']} of {totals['num_branches']} branches of the rules are "
        f"gone through"
    )


def run(data_file: Path, *arguments: str) -> None:
    """Run coverage with the settings of pyproject.toml."""
    command = [sys.executable, "-m", "coverage", arguments[0], f"--data-file={data_file}"]
    subprocess.run([*command, *arguments[1:]], cwd=ROOT, check=True)
