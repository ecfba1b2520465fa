"""The texts of documents stay the same, whatever the sentences on pages become."""

import json
import random
from collections.abc import Iterator
from hashlib import sha256

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pairing.costs import PROFILES
from engine.pairing.pods import PodRound, seat_pods
from engine.pairing.reason_texts import document_text
from engine.pairing.records import Entrant, PairedRound, PairingReason
from engine.pairing.swiss import pair_round
from engine.standings.records import PlayerId
from tests.engine.pairing import documents
from tests.engine.pairing.pods import fields as pods

# Of the texts as release 0.1.0 wrote them.
DIGEST = "15fcbc9bdd8452fa7d7b52ac7af1fbf9a326ddae4e6b81154bfd32f9d484662a"


def reasons_of(round_: PairedRound | PodRound) -> Iterator[PairingReason]:
    tables = round_.pairings if isinstance(round_, PairedRound) else round_.pods
    for entry in (*tables, *round_.byes):
        yield from entry.reasons
    yield from round_.relaxations
    if isinstance(round_, PairedRound):
        yield from round_.notes


def swiss_rounds(chance: random.Random, profile: str) -> Iterator[PairedRound]:
    players: list[PlayerId] = list(range(1, chance.randint(4, 11)))
    groups = {player: chance.choice(["x", "{y}"]) for player in players if chance.random() < 0.2}
    history, planned = documents.History(players), chance.randint(3, 8)
    for number in range(1, planned + 1):
        round_ = pair_round(
            history.entrants(groups),
            round_number=number,
            seed=number,
            profile=PROFILES[profile],
            planned_rounds=planned,
        )
        yield round_
        documents.play_round(history, round_, chance)


def pod_rounds(chance: random.Random) -> Iterator[PodRound]:
    history = pods.History(range(1, chance.randint(4, 13)))
    for number in range(1, 5):
        round_ = seat_pods(
            history.entrants({1: "x", 2: "x"}), round_number=number, seed=number, searches=1
        )
        yield round_
        history.play([pod.seats for pod in round_.pods], chance)


def test_texts_of_whole_events_are_unchanged() -> None:
    digest = sha256()
    for event in range(12):
        chance = random.Random(event)
        swiss = [round_ for id_ in PROFILES for round_ in swiss_rounds(chance, id_)]
        rounds: list[PairedRound | PodRound] = [*swiss, *pod_rounds(chance)]
        for reason in (reason for round_ in rounds for reason in reasons_of(round_)):
            line = (reason.kind, reason.players, document_text(reason))
            digest.update(json.dumps(line).encode())

    assert digest.hexdigest() == DIGEST


def assert_params_are_json(reasons: Iterator[PairingReason]) -> None:
    for reason in reasons:
        assert json.loads(json.dumps(reason.params)) == reason.params


@settings(max_examples=30)
@given(documents.fields(), st.sampled_from(list(PROFILES)), st.integers(0, 3))
def test_params_of_swiss_rounds_are_json(field: list[Entrant], profile: str, left: int) -> None:
    round_ = pair_round(
        field, round_number=3, seed=1, profile=PROFILES[profile], planned_rounds=3 + left
    )
    assert_params_are_json(reasons_of(round_))


@settings(max_examples=20)
@given(pods.fields(), st.sampled_from([1, 60]))
def test_params_of_pods_are_json(field: list[Entrant], unit: int) -> None:
    round_ = seat_pods(field, round_number=3, seed=1, point_unit=unit)
    assert_params_are_json(reasons_of(round_))
