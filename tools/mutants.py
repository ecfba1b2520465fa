"""Mutate the rules repeatedly, and count the mutants that no test notices.

Fails if the percentage of noticed mutants is below the minimum of each kind of rules (RULES).

    python -m tools.mutants                     all rules: more than an hour
    python -m tools.mutants standings scoring   only these rules

Mutants are made by mutmut in a copy of the project. Rules that only database tests cover
(permissions, visibility) are not included: a matrix of all addresses and people covers them.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = (".git", ".venv", "var", ".hypothesis", ".*_cache", "__pycache__", "mutants")


@dataclass(frozen=True)
class Rules:
    """Some of the rules: the files to mutate, and the tests that should notice.

    At least `least` per cent of the mutants must be noticed.
    """

    files: str
    tests: tuple[str, ...]
    least: int = 85


RULES = {
    "standings": Rules("engine/standings/*", ("tests/engine/standings",), least=93),
    "scoring": Rules("matches/scoring/*", ("tests/matches",)),
    "legality": Rules(
        "decks/legality/*", ("tests/decks/legality", "tests/decks/test_completing.py")
    ),
    "bracket": Rules("engine/bracket/*", ("tests/engine/bracket",)),
    "pairing": Rules("engine/pairing/*", ("tests/engine/pairing",)),
}

SETTINGS = """
[tool.mutmut]
source_paths = ["config", "core", "players", "decks", "matches", "engine", "rulings", "tournaments"]
only_mutate = {files}
also_copy = ["manage.py", "templates", "static", "docs", "tools"]
pytest_add_cli_args = ["-m", "plain and not slow", "-p", "no:xdist"]
pytest_add_cli_args_test_selection = {tests}
"""


@dataclass(frozen=True)
class Outcome:
    """Numbers of noticed mutants and of all mutants; `unnoticed` are names."""

    noticed: int
    changes: int
    unnoticed: tuple[str, ...]

    @property
    def per_cent(self) -> float:
        """The mutation score."""
        return 100 * self.noticed / self.changes


def outcome_of(rules: Rules, folder: Path) -> Outcome:
    """Make all mutants of these rules in a copy of the project in `folder`, and test each."""
    copy = folder / "project"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
    settings = SETTINGS.format(files=json.dumps([rules.files]), tests=json.dumps(rules.tests))
    with (copy / "pyproject.toml").open("a") as file:
        file.write(settings)
    _mutmut(copy, "run")
    _mutmut(copy, "export-cicd-stats")
    counted = json.loads((copy / "mutants" / "mutmut-cicd-stats.json").read_text())
    lines = _mutmut(copy, "results").splitlines()
    return Outcome(
        # A mutant that lets a test run forever counts as noticed.
        counted["killed"] + counted["timeout"],
        counted["total"],
        tuple(line.strip() for line in lines if ": timeout" not in line),
    )


def _mutmut(folder: Path, *arguments: str) -> str:
    command = [str(Path(sys.executable).with_name("mutmut")), *arguments]
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> int:
    """Print the mutants that no test noticed, and their number; return 1 if there are too many."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", choices=[[], *RULES], metavar="RULES")
    is_enough = True
    for name in parser.parse_args().rules or RULES:
        with tempfile.TemporaryDirectory() as folder:
            outcome = outcome_of(RULES[name], Path(folder))
        print(*outcome.unnoticed, sep="\n")
        noticed = f"{outcome.noticed} of {outcome.changes} changes noticed"
        print(f"{name}: {noticed}, {outcome.per_cent:.1f} %", flush=True)
        is_enough = is_enough and outcome.per_cent >= RULES[name].least
    return 0 if is_enough else 1


if __name__ == "__main__":
    sys.exit(main())
