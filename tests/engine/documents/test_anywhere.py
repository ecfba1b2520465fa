"""The same document and seed give the same bytes on any machine."""

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from engine.simulation.events import RULES_BY_SYSTEM, SimulationPlan, simulate_event
from tests.engine.documents.asking import answers
from tests.engine.simulation.plans import random_plan

ROOT = Path(__file__).parents[3]
LOCALES = ("C", "C.UTF-8", "tr_TR.ISO-8859-9")
ZONES = ("UTC", "Asia/Kathmandu", "America/St_Johns")
HASH_SEEDS = ("0", "1", "2", "3", "4")
EVERY_SETTING = list(product(LOCALES, ZONES, HASH_SEEDS))
ONE_OF_EACH = list(zip(LOCALES, ZONES, HASH_SEEDS, strict=False))


@pytest.fixture(scope="module")
def questions() -> list[list[object]]:
    """Every command in an event of each system, and in an event too large for the full graph."""
    plans = [random_plan(3, system) for system in RULES_BY_SYSTEM]
    plans.append(SimulationPlan("double", seed=3, players=131, rounds=3, scoring_rule="anr_double"))
    answers = [answer for plan in plans for answer in simulate_event(plan).answers]
    return [[answer.command, answer.document] for answer in answers]


@pytest.fixture(scope="module")
def local_answers(questions: list[list[object]]) -> bytes:
    return answers(questions)


def answers_elsewhere(
    locale: str, zone: str, hash_seed: str, questions: list[list[object]]
) -> bytes:
    process = subprocess.run(
        [sys.executable, "-m", "tests.engine.documents.asking"],
        cwd=ROOT,
        env=os.environ
        | {
            "LC_ALL": locale,
            "LANG": locale,
            "TZ": zone,
            "PYTHONHASHSEED": hash_seed,
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
        },
        input=json.dumps(questions).encode(),
        capture_output=True,
        check=True,
    )
    return process.stdout


@pytest.mark.goal("G2")
@pytest.mark.parametrize(("locale", "zone", "hash_seed"), ONE_OF_EACH)
def test_answers_are_the_same_bytes_anywhere(
    locale: str, zone: str, hash_seed: str, questions: list[list[object]], local_answers: bytes
):
    assert answers_elsewhere(locale, zone, hash_seed, questions) == local_answers


@pytest.mark.goal("G2")
@pytest.mark.slow
@pytest.mark.parametrize(("locale", "zone", "hash_seed"), EVERY_SETTING)
def test_answers_are_the_same_bytes_in_every_setting(
    locale: str, zone: str, hash_seed: str, questions: list[list[object]], local_answers: bytes
):
    assert answers_elsewhere(locale, zone, hash_seed, questions) == local_answers
