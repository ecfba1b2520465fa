"""Invalid files are refused with a path, and large made-up cuts are read in bounded time."""

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bracket.games import play_bracket
from engine.systems import IMPORTED_CUT
from tests.changing import change_something, places
from tests.factories import files
from tests.tournaments.files import fixtures
from tournaments.files import conversion
from tournaments.files.reading import read_file
from tournaments.files.records import ComputedEvent, TournamentFileRefused

pytestmark = pytest.mark.goal("G15")

Json = Any
WHOLE = ["cobra_totals_only", "cobra_single_cut", "aesops_cut_places", "aesops_by_role", "nrtm"]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 20)
    | st.integers()
    | st.floats()
    | st.sampled_from(
        ["", "(BYE)", "corp", "3", "0", "-2", "1e9", "11", "\x00", "\u202e", "½", "²"]
    )
    | st.text(max_size=3)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "player1", "player2", "corpPlayer", "rel", "winner", "rank"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def refusal(data: bytes | str) -> TournamentFileRefused:
    with pytest.raises(TournamentFileRefused) as caught:
        read_file(data)
    return caught.value


def path_of(document: Any) -> str:
    return refusal(files.as_bytes(document)).path


def replace_value(path: list[Any], value: Any, name: str = "cobra_single_cut") -> Any:
    """A fixture with one value replaced."""
    document = fixtures.document(name)
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return document


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff\xfe{}", '{"a": NaN}', '{"players": [], "players": []}', "[" * 99, "nul"],
)
def test_invalid_json_is_refused(data: bytes | str):
    assert refusal(data).path == "$"


@pytest.mark.parametrize("value", [[], 7, "text", None, True])
def test_values_that_are_not_objects_are_refused(value: Any):
    assert path_of(value) == "$"


def test_file_without_players_is_refused():
    assert str(refusal("{}")) == ('"players" is missing. A tournament file has a list of players.')
    assert path_of({"players": []}) == "$.players"
    assert path_of({"players": {"1": {}}}) == "$.players"


def test_datafort_document_is_refused():
    assert path_of({"datafort": 1, "event": {}}) == "$.datafort"


WRONG_VALUES: list[tuple[list[Any], Any, str]] = [
    (["name"], 7, "$.name"),
    (["cutToTop"], "many", "$.cutToTop"),
    (["preliminaryRounds"], -1, "$.preliminaryRounds"),
    (["players", 2], "Ada", "$.players[2]"),
    (["players", 2, "id"], None, "$.players[2].id"),
    (["players", 2, "id"], [1], "$.players[2].id"),
    (["players", 2, "id"], 1.5, "$.players[2].id"),
    (["players", 2, "id"], True, "$.players[2].id"),
    (["players", 2, "name"], 12, "$.players[2].name"),
    (["players", 2, "rank"], "first", "$.players[2].rank"),
    (["players", 2, "matchPoints"], "6 points", "$.players[2].matchPoints"),
    (["players", 2, "strengthOfSchedule"], [], "$.players[2].strengthOfSchedule"),
    (["players", 2, "strengthOfSchedule"], 1e9, "$.players[2].strengthOfSchedule"),
    (["players", 2, "corpIdentity"], {"title": "x"}, "$.players[2].corpIdentity"),
    (["eliminationPlayers"], "none", "$.eliminationPlayers"),
    (["eliminationPlayers", 0], 3, "$.eliminationPlayers[0]"),
    (["rounds"], {"1": []}, "$.rounds"),
    (["rounds", 1], None, "$.rounds[1]"),
    (["rounds", 1, 0], [], "$.rounds[1][0]"),
    (["rounds", 1, 0], {}, "$.rounds[1][0]"),
    (["rounds", 1, 0, "player1"], 18, "$.rounds[1][0].player1"),
    (["rounds", 1, 0, "player1", "id"], 999, "$.rounds[1][0].player1.id"),
    (["rounds", 1, 0, "player1", "id"], {}, "$.rounds[1][0].player1.id"),
    (["rounds", 1, 0, "player1", "role"], "judge", "$.rounds[1][0].player1.role"),
    (["rounds", 1, 0, "player2", "combinedScore"], "3:0", "$.rounds[1][0].player2.combinedScore"),
    (["rounds", 1, 0, "player2", "combinedScore"], 1.5, "$.rounds[1][0].player2.combinedScore"),
    (["rounds", 1, 0, "player2", "combinedScore"], 5000, "$.rounds[1][0].player2.combinedScore"),
    (["rounds", 1, 0, "eliminationGame"], "no", "$.rounds[1][0].eliminationGame"),
    (["rounds", 3, 0, "player1", "winner"], "yes", "$.rounds[3][0].player1.winner"),
]


@pytest.mark.parametrize(("path", "value", "expected"), WRONG_VALUES)
def test_wrong_value_is_refused_with_its_path(path: list[Any], value: Any, expected: str):
    assert path_of(replace_value(path, value)) == expected


def test_duplicate_ids_are_refused():
    document = fixtures.document("cobra_single")
    document["players"][3]["id"] = str(document["players"][0]["id"])

    assert path_of(document) == "$.players[3].id"


def test_player_twice_in_a_round_is_refused():
    document = fixtures.document("cobra_single")
    first = document["rounds"][2][0]["player1"]["id"]
    document["rounds"][2][1]["player2"]["id"] = first

    error = refusal(json.dumps(document))

    assert error.path == "$.rounds[2][1].player2.id"
    assert str(error) == f"Player {first} is in this round twice."


def test_player_against_themself_is_refused():
    document = fixtures.document("aesops")
    game = document["rounds"][0][0]
    game["runnerPlayer"] = game["corpPlayer"]

    assert path_of(document) == "$.rounds[0][0].runnerPlayer"


def test_unknown_players_of_flat_games_are_refused_with_their_side():
    assert path_of(replace_value(["rounds", 0, 0, "corpPlayer"], 999, "aesops")) == (
        "$.rounds[0][0].corpPlayer"
    )
    assert path_of(replace_value(["rounds", 0, 0, "runner", "id"], "x", "aesops_by_role")) == (
        "$.rounds[0][0].runner.id"
    )


def test_too_large_files_are_refused():
    many = [{"id": number, "name": "A"} for number in range(1, 2002)]

    assert path_of({"players": many}) == "$.players"
    assert path_of({"players": many[:2], "rounds": [[]] * 101}) == "$.rounds"
    assert refusal(b" " * 10_000_001).path == "$"


def test_unknown_keys_are_ignored():
    document = fixtures.document("cobra_double")
    document.update(pods=[1, {"a": None}], links=7, tournamentOrganiser="me", abrTournamentId=[])
    document["players"][0]["notes"] = {"x": []}

    assert (
        read_file(files.as_bytes(document)).standings
        == read_file(fixtures.data("cobra_double")).standings
    )


def knockout(size: int) -> dict[str, Any]:
    """A single-elimination file in which the better seed wins."""
    rounds, remaining = [], list(range(1, size + 1))
    while len(remaining) > 1:
        half = len(remaining) // 2
        rounds.append([_game(remaining[place], remaining[-1 - place]) for place in range(half)])
        remaining = remaining[:half]
    players = [{"id": id_, "name": f"Player {id_}", "rank": id_} for id_ in range(1, size + 1)]
    places = [{"id": id_, "rank": id_, "seed": id_} for id_ in range(1, size + 1)]
    return {"players": players, "eliminationPlayers": places, "cutToTop": size, "rounds": rounds}


def _game(best: int, worst: int) -> dict[str, Any]:
    return {
        "player1": {"id": best, "role": "corp", "winner": True},
        "player2": {"id": worst, "role": "runner", "winner": False},
        "eliminationGame": True,
    }


def cut_of(document: dict[str, Any]) -> dict[str, Any]:
    file = read_file(json.dumps(document).encode())
    ranked = [row.id for row in file.standings]
    event, _ = conversion.convert_file(file.event, ranked, seed=1, today=date(2026, 5, 2))
    stage: dict[str, Any] = event["stages"][1]
    return stage


def test_largest_cut_becomes_a_bracket():
    assert cut_of(knockout(conversion.MAX_IN_A_BRACKET))["system"] == "single_elimination"


def test_larger_cut_is_stored_as_stated():
    stage = cut_of(knockout(2 * conversion.MAX_IN_A_BRACKET))

    assert stage["system"] == IMPORTED_CUT
    assert [len(round_["pairings"]) for round_ in stage["rounds"]][:2] == [128, 64]


def test_bracket_is_played_once_per_round(monkeypatch: pytest.MonkeyPatch):
    calls = []

    def count_and_play(*args: Any, **options: Any) -> Any:
        calls.append(args)
        return play_bracket(*args, **options)

    monkeypatch.setattr(conversion, "play_bracket", count_and_play)
    cut_of(knockout(64))

    rounds_and_start = 7
    assert len(calls) <= len(conversion.BRACKET_KINDS) * rounds_and_start


def test_winner_is_not_resolved_through_a_chain_longer_than_any_cut():
    solution = [{"corpPlayer": 1, "runnerPlayer": 2, "winner_id": 100, "loser_id": 2}]
    chain = [
        {"corpPlayer": 1, "runnerPlayer": 2, "winner_id": 100 + place, "loser_id": 101 + place}
        for place in range(300)
    ]
    last = {"corpPlayer": 1, "runnerPlayer": 3, "winner_id": 400, "loser_id": 3}
    document = {
        "players": [{"id": id_, "name": f"Player {id_}"} for id_ in (1, 2, 3)],
        "rounds": [[{**game, "eliminationGame": True} for game in (*chain, last, *solution)]],
        "uploadedFrom": "AesopsTables",
    }

    notices = read_file(json.dumps(document).encode()).event.notices

    assert any("without a clear winner" in notice for notice in notices)


def outcome(data: bytes) -> tuple[ComputedEvent | None, TournamentFileRefused | None]:
    try:
        return read_file(data), None
    except TournamentFileRefused as refusal:
        return None, refusal


def read_or_refused(document: Json) -> ComputedEvent | None:
    """Check the invariants of an event that was read; None for a refusal with a path."""
    file, refusal = outcome(json.dumps(document).encode("utf-8", "surrogatepass"))
    if file is None:
        assert refusal.path.startswith("$")
        return None
    ids = [player.id for player in file.event.players]
    assert len(set(ids)) == len(ids)
    assert sorted(map(str, ids)) == sorted(str(row.id) for row in file.standings)
    for round_ in (*file.event.rounds, *file.event.cut_rounds):
        present = [seat.id for table in round_.tables for seat in table.seats]
        present += [bye.id for bye in round_.byes]
        assert len(set(present)) == len(present)
        assert set(present) <= set(ids)
    for table in (table for round_ in file.event.cut_rounds for table in round_.tables):
        assert table.winner in (None, *(seat.id for seat in table.seats))
    return file


@given(value=VALUES)
def test_any_value_is_read_or_refused(value: Json):
    read_or_refused(value)


@given(data=st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(data: bytes):
    with pytest.raises(TournamentFileRefused):
        read_file(data)


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=40)
@given(data=st.data())
def test_file_with_one_change_is_read_or_refused(name: str, data: st.DataObject):
    document = fixtures.document(name)
    change_something(document, VALUES, data)

    read_or_refused(document)


@pytest.mark.slow
@pytest.mark.parametrize("name", fixtures.NAMES)
@settings(max_examples=300)
@given(data=st.data())
def test_file_with_several_changes_is_read_or_refused(name: str, data: st.DataObject):
    document = fixtures.document(name)
    for _ in range(3):
        container, key = data.draw(st.sampled_from(places(document)))
        container[key] = data.draw(VALUES)

    read_or_refused(document)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100))
def test_events_of_any_size_agree_with_the_naive_formulas(seed: int):
    single = seed % 2 == 1
    played = files.played(seed, players=2 + seed % 29, rounds=seed % 8, single=single)

    for dialect in ("aesops", "aesops_by_role", "cobra") if single else ("cobra", "nrtm"):
        file = read_or_refused(files.DIALECTS[dialect](played))
        assert file.differences == ()
        assert {row.id: row.match_points for row in file.standings} == {
            id_: played.figures(id_)[0] for id_ in played.names
        }
