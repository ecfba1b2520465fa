"""The same field and seed give the same round, whatever the date or the order."""

import random
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pairing.costs import DOUBLE_PROFILE, SINGLE_PROFILE, PairingProfile
from engine.pairing.records import Entrant, LockedTable
from engine.pairing.swiss import pair_round
from tests.engine.pairing.documents import fields

ALPHABET = """
import sys
from engine.pairing.swiss import Entrant, pair_round
field = [Entrant(name, len(name)) for name in "a bb c dd e ff g hh i jj k".split()]
print(pair_round(field, round_number=2, seed=7))
print("framework:", "django" in sys.modules)
"""


@given(
    fields(max_players=12),
    st.integers(1, 4),
    st.integers(),
    st.sampled_from([DOUBLE_PROFILE, SINGLE_PROFILE]),
    st.randoms(use_true_random=False),
)
def test_order_of_entrants_does_not_matter(
    entrants: list[Entrant],
    round_number: int,
    seed: int,
    profile: PairingProfile,
    chance: random.Random,
) -> None:
    shuffled = sorted(entrants, key=lambda _: chance.random())

    first, second = (
        pair_round(field, round_number=round_number, seed=seed, profile=profile, planned_rounds=6)
        for field in (entrants, shuffled)
    )

    assert first == second
    assert repr(first) == repr(second)


def test_order_of_locks_does_not_matter() -> None:
    field = [Entrant(player) for player in range(1, 8)]
    locks = [LockedTable(1, 1, 2), LockedTable(4, 3, 4)]

    assert pair_round(field, round_number=1, seed=1, locked=locks) == pair_round(
        field, round_number=1, seed=1, locked=locks[::-1]
    )


def test_every_process_pairs_the_same_round_without_django() -> None:
    rounds = {
        subprocess.run(
            [sys.executable, "-c", ALPHABET],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed in ("1", "2")
    }

    (printed,) = rounds
    assert printed.startswith("PairedRound(pairings=(PairedTable(")
    assert printed.endswith("framework: False\n")


def test_round_of_an_engine_version_never_changes() -> None:
    field = [Entrant(player, 10 * (player % 3)) for player in range(1, 8)]
    round_ = pair_round(field, round_number=2, seed=7)

    assert round_.certificate.engine_version == "2"
    assert [(table.corp, table.runner) for table in round_.pairings] == [(2, 5), (1, 4), (6, 7)]
    assert [bye.player for bye in round_.byes] == [3]
    assert round_.certificate.digest == (
        "15fa51727a0ec16fba106e841c8c1f72986a048854709f2e50eb63604b1bc935"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"round_number": 3},
        {"planned_rounds": 5},
        {"seed": 8},
        {"profile": replace(DOUBLE_PROFILE, id="other")},
        {"locked": [LockedTable(1, 1, 2)]},
        {"entrants": [Entrant(1, 1), Entrant(2)]},
    ],
)
def test_certificate_differs_by_round(changes: dict[str, object]) -> None:
    inputs = {"entrants": [Entrant(1), Entrant(2)], "round_number": 2, "seed": 7}

    first = pair_round(**inputs).certificate  # type: ignore[arg-type]
    second = pair_round(**{**inputs, **changes}).certificate  # type: ignore[arg-type]

    assert first.digest != second.digest
    assert (first.document == second.document) == ("seed" in changes)
    assert (first.engine_version, first.seed, len(first.digest)) == ("2", 7, 64)
