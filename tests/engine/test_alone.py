"""The engine without Django and without the site, except for match scoring."""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from engine.documents.commands import bracket, pair, rank, run_command
from engine.simulation.events import simulate
from tests.engine.documents.builders import bye, event, table

ROOT = Path(__file__).parents[2]
NEEDED = (
    *("engine", "matches/__init__.py", "matches/scoring"),
    *("core/__init__.py", "core/errors.py", "core/numbers.py", "core/text.py"),
)
LIBRARIES = ("numpy", "rustworkx", "scipy")
ALONE = """
import importlib.util, json, pkgutil, sys

sys.path.insert(0, "")
for name in ("django", "rest_framework", "celery", "allauth", "tournaments", "matches.models"):
    assert importlib.util.find_spec(name) is None, name

import engine

for module in pkgutil.walk_packages(engine.__path__, "engine."):
    importlib.import_module(module.name)

from engine.documents.commands import bracket, pair, rank, run_command
from engine.simulation.events import simulate

ANSWERS = {"pair": pair, "standings": rank, "bracket": bracket, "simulate": simulate}
for command, document in json.load(sys.stdin).items():
    sys.stdout.write(run_command(ANSWERS[command], json.dumps(document).encode()).text.decode())
"""
"""Loads every module of the engine, then answers {command: document}, a line each."""
PLAYED = event([table(1, (1, 20), (2, 4)), bye(3, 20)], players=3)
DOUBLE = {"datafort": 1, "system": "double_elimination"}
DOCUMENTS = {
    "pair": PLAYED,
    "standings": PLAYED,
    "bracket": {**DOUBLE, "seeds": [3, 1, 2], "results": [{"game": 1, "winner": 2}]},
    "simulate": {**DOUBLE, "players": 8},
}


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A folder with the engine, its imports and its libraries."""
    for name in NEEDED:
        source, copy = ROOT / name, tmp_path / name
        copy.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    for name in LIBRARIES:
        spec = find_spec(name)
        assert spec
        (tmp_path / name).symlink_to(*spec.submodule_search_locations or ())
    return tmp_path


def answers_of(folder: Path, documents: dict[str, Any]) -> list[str]:
    """Output of a bare Python: -I and -S exclude installed packages."""
    process = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ALONE],
        cwd=folder,
        input=json.dumps(documents),
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


@pytest.mark.goal("G2")
def test_engine_pairs_ranks_and_plays_a_bracket_without_the_site(alone: Path):
    answers = answers_of(alone, DOCUMENTS)

    commands = {"pair": pair, "standings": rank, "bracket": bracket, "simulate": simulate}
    assert answers == [
        run_command(commands[command], json.dumps(document).encode()).text.decode().strip()
        for command, document in DOCUMENTS.items()
    ]
    paired, ranked, in_play, played = map(json.loads, answers)
    assert len(paired["pairings"]) == 2
    assert [line["rank"] for line in ranked["standings"]] == [1, 2, 3]
    assert in_play["games"]
    assert [placing["rank"] for placing in played["placings"]] == list(range(1, 9))
