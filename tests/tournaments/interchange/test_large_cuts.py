"""A cut that somebody made up keeps nobody waiting: what nobody plays is not tried out."""

import json
from datetime import date
from typing import Any

import pytest

from tournaments.bracket import TOLD, play
from tournaments.interchange import own, read
from tournaments.interchange.own import cutting

Json = dict[str, Any]


def knockout(size: int) -> Json:
    """A file of single elimination in which the better seed wins."""
    rounds, left = [], list(range(1, size + 1))
    while len(left) > 1:
        half = len(left) // 2
        rounds.append([_game(left[place], left[-1 - place]) for place in range(half)])
        left = left[:half]
    players = [{"id": id_, "name": f"Player {id_}", "rank": id_} for id_ in range(1, size + 1)]
    places = [{"id": id_, "rank": id_, "seed": id_} for id_ in range(1, size + 1)]
    return {"players": players, "eliminationPlayers": places, "cutToTop": size, "rounds": rounds}


def _game(best: int, worst: int) -> Json:
    return {
        "player1": {"id": best, "role": "corp", "winner": True},
        "player2": {"id": worst, "role": "runner", "winner": False},
        "eliminationGame": True,
    }


def cut_of(document: Json) -> Json:
    told = read(json.dumps(document).encode())
    ranked = [row.id for row in told.standings]
    event, _ = own.event_of_file(told.event, ranked, seed=1, today=date(2026, 5, 2))
    stage: Json = event["stages"][1]
    return stage


def test_a_cut_of_any_size_that_is_played_becomes_a_bracket():
    assert cut_of(knockout(cutting.MOST_IN_A_BRACKET))["system"] == "single_elimination"


def test_a_larger_one_is_kept_as_told():
    stage = cut_of(knockout(2 * cutting.MOST_IN_A_BRACKET))

    assert stage["system"] == TOLD
    assert [len(round_["pairings"]) for round_ in stage["rounds"]][:2] == [128, 64]


def test_a_bracket_is_played_once_a_round_and_not_once_a_table(monkeypatch: pytest.MonkeyPatch):
    played = []

    def counted(*args: Any, **options: Any) -> Any:
        played.append(args)
        return play(*args, **options)

    monkeypatch.setattr(cutting, "play", counted)
    cut_of(knockout(64))

    rounds_and_the_start = 7
    assert len(played) <= len(cutting.WAYS) * rounds_and_the_start


def test_who_won_is_not_followed_through_a_chain_longer_than_any_cut():
    told = [{"corpPlayer": 1, "runnerPlayer": 2, "winner_id": 100, "loser_id": 2}]
    chain = [
        {"corpPlayer": 1, "runnerPlayer": 2, "winner_id": 100 + place, "loser_id": 101 + place}
        for place in range(300)
    ]
    last = {"corpPlayer": 1, "runnerPlayer": 3, "winner_id": 400, "loser_id": 3}
    document = {
        "players": [{"id": id_, "name": f"Player {id_}"} for id_ in (1, 2, 3)],
        "rounds": [[{**game, "eliminationGame": True} for game in (*chain, last, *told)]],
        "uploadedFrom": "AesopsTables",
    }

    notices = read(json.dumps(document).encode()).event.notices

    assert any("it is not clear who won" in notice for notice in notices)
