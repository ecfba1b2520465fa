"""Cuts of documents: only cuts that a bracket allows are imported."""

import json
from typing import Any

import pytest

from engine.systems import IMPORTED_CUT
from tests.factories.sessions import logged_in
from tests.factories.tournaments import make_event, make_user, play_round
from tests.tournaments.pages import url
from tournaments.files import services as files_services
from tournaments.files import whole_event
from tournaments.files.records import TournamentFileRefused
from tournaments.rounds import cut as rounds_cut

Json = Any
# Game of each table, its winner and its loser.
Tables = list[tuple[int | None, int, int]]
BOTH_PLAYED: Tables = [(1, 1, 4), (2, 2, 3)]
FAULTS: dict[str, tuple[Tables, str]] = {
    "unknown player": ([(1, 1, 5), (2, 2, 3)], "Player 5 is not known here"),
    "unknown game": ([(1, 1, 4), (9, 2, 3)], "The games of this bracket are 1 to 3"),
    "wrong players": ([(1, 1, 3), (2, 2, 4)], "do not lead to this game"),
    "repeated game": ([(1, 1, 4), (1, 2, 3)], "Duplicate entry"),
    "game too early": ([(1, 1, 4), (3, 2, 3)], "cannot be played yet"),
    "missing game": ([(None, 1, 4)], "needs its bracket game"),
}


@pytest.fixture
def played_event():
    event = make_event(4, game="anr")
    play_round(event)
    play_round(event)
    return whole_event.event_document(event)


def import_document(document, **options):
    return files_services.import_file(json.dumps(document).encode(), **options)


def with_cut(played_event: Json, tables: Tables, **stage: Any) -> Json:
    """Add a cut of four with its first round to the event."""
    document = json.loads(json.dumps(played_event))
    player = document["event"]["players"][0]
    document["event"]["players"] += [{**player, "id": number} for number in (5, 6)]
    for number, row in enumerate(document["event"]["players"], start=1):
        row["name"] = f"Player no. {number}"
    match = document["event"]["stages"][0]["rounds"][0]["pairings"][0]["match"]
    document["event"]["stages"].append(
        {
            "number": 2,
            "system": "single_elimination",
            "scoring_rule": document["event"]["settings"]["scoring_rule"],
            "fixed_bracket": True,
            "entries": [{"player": number, "seed": number} for number in (1, 2, 3, 4)],
            "rounds": [
                {
                    "number": 3,
                    "pairings": [
                        {
                            "table": table_number,
                            "bracket_game": game,
                            "match": between(match, first, second),
                        }
                        for table_number, (game, first, second) in enumerate(tables, start=1)
                    ],
                }
            ],
            **stage,
        }
    )
    return {key: document[key] for key in ("datafort", "event")}


def between(match: Json, winner: int, loser: int) -> Json:
    """A copy of the match with these players and result."""
    first, second = (seat["id"] for seat in match["seats"])
    games = json.dumps(match["games"]).replace(f'"id": {first}', '"id": "?"')
    games = games.replace(f'"id": {second}', f'"id": {loser}').replace(
        '"id": "?"', f'"id": {winner}'
    )
    return {
        "state": "decided",
        "seats": [{"id": winner, "points": 20}, {"id": loser, "points": 0}],
        "games": [{**game, "winner": winner, "end": "agenda"} for game in json.loads(games)],
    }


def test_possible_cut_is_imported(played_event):
    event = import_document(with_cut(played_event, BOTH_PLAYED)).tournament

    stage = event.get_cut()
    assert stage is not None
    assert {game.number for game in rounds_cut.get_cut(stage).state.games} == {3}


@pytest.mark.parametrize("fault", FAULTS)
def test_impossible_cut_is_refused(played_event, fault):
    tables, message = FAULTS[fault]

    for preview in (True, False):
        with pytest.raises(TournamentFileRefused, match=message) as refused:
            import_document(with_cut(played_event, tables), preview=preview)
        assert refused.value.path.startswith("$.event.stages[1].rounds")


@pytest.mark.parametrize("system", ["single_elimination", IMPORTED_CUT])
def test_repeated_game_of_an_earlier_round_is_refused(played_event, system):
    document = with_cut(played_event, BOTH_PLAYED, system=system)
    rounds = document["event"]["stages"][1]["rounds"]
    rounds.append({**rounds[0], "number": 4})

    with pytest.raises(TournamentFileRefused, match="already played"):
        import_document(document)


def test_game_after_the_decision_is_refused(played_event):
    # The top seed won the final of a double elimination, so there is no bracket reset.
    document = with_cut(played_event, [(1, 1, 2)], system="double_elimination")
    stage = document["event"]["stages"][1]
    stage["entries"] = stage["entries"][:2]
    first = stage["rounds"][0]
    second = json.loads(json.dumps(first).replace('"bracket_game": 1', '"bracket_game": 2'))
    third = json.loads(json.dumps(first).replace('"bracket_game": 1', '"bracket_game": 3'))
    match = third["pairings"][0]["match"]
    third["pairings"][0]["match"] = {
        **match,
        "state": "open",
        "seats": [{"id": seat["id"]} for seat in match["seats"]],
        "games": [{**game, "winner": None, "end": ""} for game in match["games"]],
    }
    stage["rounds"] = [first, {**second, "number": 4}]
    assert import_document(document).tournament

    stage["rounds"].append({**third, "number": 5, "state": "running"})
    with pytest.raises(TournamentFileRefused, match="do not lead to this game"):
        import_document(document)


@pytest.mark.parametrize(
    ("seeds", "message"), [([1], "at least 2 players, not 1"), ([1, 3], "1, 2, 3 and so on")]
)
def test_gap_in_the_seeds_and_cut_of_one_are_refused(played_event, seeds, message):
    entries = [{"player": seed, "seed": seed} for seed in seeds]

    with pytest.raises(TournamentFileRefused, match=message):
        import_document(with_cut(played_event, [], entries=entries))


def test_bye_in_a_cut_and_too_large_cut_are_refused(played_event):
    bye = {"number": 3, "pairings": [{"bye": 1, "points": 0}]}
    with pytest.raises(TournamentFileRefused, match="no byes"):
        import_document(with_cut(played_event, [], rounds=[bye]))

    many = with_cut(played_event, [])
    player = many["event"]["players"][0]
    many["event"]["players"] = [
        {**player, "id": number, "name": f"Player no. {number}"} for number in range(1, 258)
    ]
    many["event"]["stages"][1]["entries"] = [
        {"player": number, "seed": number} for number in range(1, 258)
    ]
    with pytest.raises(TournamentFileRefused, match="at most 256 players, not 257"):
        import_document(many)


@pytest.mark.parametrize("games", [(), (2, 1)], ids=["no games", "final numbered first"])
def test_imported_cut_is_drawn(played_event, games):
    document = with_cut(played_event, [], system=IMPORTED_CUT)
    stage = document["event"]["stages"][1]
    match = document["event"]["stages"][0]["rounds"][0]["pairings"][0]["match"]
    stage["rounds"] = [
        {
            "number": number,
            "pairings": [{"table": 1, "bracket_game": game, "match": between(match, 1, 4)}],
        }
        for number, game in enumerate(games, start=3)
    ]
    owner = make_user()

    event = import_document(document, owner=owner).tournament

    assert logged_in(owner).get(url("bracket", event)).status_code == 200
    assert logged_in(owner).get(url("cut", event)).status_code == 200


def test_rounds_of_an_imported_cut_are_not_counted_as_swiss(played_event):
    document = with_cut(played_event, BOTH_PLAYED, system=IMPORTED_CUT)

    for preview in (True, False):
        answer = import_document(document, preview=preview).answer
        assert (answer["rounds"], answer["cut"]) == (2, 4)
