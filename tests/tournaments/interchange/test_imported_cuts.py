"""The cut of a document: only what a bracket can have had becomes an event."""

import json
from typing import Any

import pytest

from tests.factories.tournaments import make_event, play_round
from tournaments.event import queries
from tournaments.interchange.exports import whole_event
from tournaments.interchange.formats.records import FileRefused
from tournaments.interchange.services import importing
from tournaments.rounds import elimination

pytestmark = pytest.mark.django_db

Json = Any
BOTH_PLAYED = [(1, 1, 4), (2, 2, 3)]
WORDS = {
    "a stranger at a table": ([(1, 1, 5), (2, 2, 3)], "Player 5 is not known here"),
    "a game that is not there": ([(1, 1, 4), (9, 2, 3)], "The games of this bracket are 1 to 3"),
    "a game of others": ([(1, 1, 3), (2, 2, 4)], "other players play this game"),
    "one game twice": ([(1, 1, 4), (1, 2, 3)], "This is there twice"),
    "a game too early": ([(1, 1, 4), (3, 2, 3)], "cannot be played yet"),
}


@pytest.fixture
def played():
    event = make_event(4, game="anr")
    play_round(event)
    play_round(event)
    return whole_event.document(event)


def bring_in(document, **options):
    return importing.import_file(json.dumps(document).encode(), **options)


def with_cut(played: Json, tables: list[tuple[int, int, int]], **stage: Any) -> Json:
    """The event with a cut of four and its first round; a table is its game and two players.

    The first one won.
    """
    document = json.loads(json.dumps(played))
    player = document["event"]["players"][0]
    document["event"]["players"] += [{**player, "id": number} for number in (5, 6)]
    for number, one in enumerate(document["event"]["players"], start=1):
        one["name"] = f"Player no. {number}"
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
                        {"table": at, "bracket_game": game, "match": between(match, first, second)}
                        for at, (game, first, second) in enumerate(tables, start=1)
                    ],
                }
            ],
            **stage,
        }
    )
    return {key: document[key] for key in ("datafort", "event")}


def between(match: Json, winner: int, loser: int) -> Json:
    """A match as this one, of other players and with another end."""
    one, two = (seat["id"] for seat in match["seats"])
    games = json.dumps(match["games"]).replace(f'"id": {one}', '"id": "?"')
    games = games.replace(f'"id": {two}', f'"id": {loser}').replace('"id": "?"', f'"id": {winner}')
    return {
        "state": "decided",
        "seats": [{"id": winner, "points": 20}, {"id": loser, "points": 0}],
        "games": [{**game, "winner": winner, "end": "agenda"} for game in json.loads(games)],
    }


def test_a_cut_that_can_have_been_played_is_taken(played):
    event = bring_in(with_cut(played, BOTH_PLAYED)).tournament

    stage = queries.cut_of_event(event)
    assert stage is not None
    assert {one.number for one in elimination.cut_of(stage).state.games} == {3}


@pytest.mark.parametrize("fault", WORDS)
def test_a_cut_that_nobody_can_have_played_is_refused(played, fault):
    tables, words = WORDS[fault]

    for preview in (True, False):
        with pytest.raises(FileRefused, match=words) as refused:
            bring_in(with_cut(played, tables), preview=preview)
        assert refused.value.path.startswith("$.event.stages[1].rounds")


def test_a_bye_in_a_cut_and_one_too_large_are_refused(played):
    bye = {"number": 3, "pairings": [{"bye": 1, "points": 0}]}
    with pytest.raises(FileRefused, match="no byes"):
        bring_in(with_cut(played, [], rounds=[bye]))

    many = with_cut(played, [])
    one = many["event"]["players"][0]
    many["event"]["players"] = [
        {**one, "id": number, "name": f"Player no. {number}"} for number in range(1, 258)
    ]
    many["event"]["stages"][1]["entries"] = [
        {"player": number, "seed": number} for number in range(1, 258)
    ]
    with pytest.raises(FileRefused, match="at most 256 players, not 257"):
        bring_in(many)
