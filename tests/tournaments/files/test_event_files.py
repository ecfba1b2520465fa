"""Export of events as tournament files of other programs."""

import json
from fractions import Fraction
from typing import Any

import pytest

from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from tests.factories.cuts import LEVEL, make_cut, placings, play_cut_round
from tests.factories.submissions import identity_card, submit
from tests.factories.tournaments import (
    add_players,
    draft_round,
    enter_result,
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    tables_of,
    won_game,
)
from tests.queries import queries_of
from tests.tournaments.files.abr import match_page
from tournaments.files import event_files
from tournaments.models import Pairing, Tournament
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.results.rules import CutChange, CutChangeKind

DRAWN = MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))
TWICE = MatchResult((won_game(1, Role.CORP),), frozenset({Flag.TWO_FOR_ONE}))
NOBODY_CAME = MatchResult(
    tuple(GameResult(number, number, None, GameEnd.DOUBLE_LOSS) for number in (1, 2))
)


def anr_event(players: int = 4, **settings: Any) -> Tournament:
    defaults = {"game": "anr", "scoring_rule": "anr_double", "bye_points": 6}
    return make_event(players=players, decks_required=False, **{**defaults, **settings})


def single_event(players: int = 4) -> Tournament:
    return anr_event(players, scoring_rule="anr_single", bye_points=3)


def file_of(event: Tournament, reader: Any = None) -> dict[str, Any]:
    file = event_files.nrtm_file(fresh(event), reader, page="https://example.org/e/")
    document: dict[str, Any] = json.loads(file)
    return document


def test_file_has_all_keys_of_cobra():
    event = anr_event(5)
    play_round(event)

    file = file_of(event)

    assert list(file) == [
        *("name", "date", "cutToTop", "preliminaryRounds", "tournamentOrganiser", "players"),
        *("eliminationPlayers", "rounds", "uploadedFrom", "links"),
    ]
    head = (file["name"], file["date"], file["uploadedFrom"])
    assert head == ("Spring Run", "2026-05-02", "Datafort")
    assert file["tournamentOrganiser"] == {"nrdbId": None, "nrdbUsername": None}
    assert [link["rel"] for link in file["links"]] == ["schemaderivedfrom", "uploadedfrom"]
    assert file["links"][1]["href"] == "https://example.org/e/"
    assert (file["cutToTop"], file["preliminaryRounds"], file["eliminationPlayers"]) == (0, 1, [])


def test_players_are_in_standings_order_with_exact_figures():
    event = anr_event(7)
    play_round(event)
    play_round(event)

    players = file_of(event)["players"]

    snapshot = event.snapshots.newest()
    assert snapshot is not None
    rows = list(snapshot.rows.ranked())
    assert [(player["rank"], player["id"]) for player in players] == [
        (row.rank, row.registration.number) for row in rows
    ]
    for player, row in zip(players, rows, strict=True):
        exact = float(Fraction(row.tie_breakers["strength_of_schedule"]))
        assert player["strengthOfSchedule"] == exact
        assert player["matchPoints"] == row.match_points


def test_strengths_are_computed_even_if_they_do_not_rank_the_event():
    plain, ranked = (anr_event(5, tie_breakers=chosen) for chosen in (["games_won"], []))
    for event in (plain, ranked):
        play_round(event)

    by_id = [
        {player["id"]: player["extendedStrengthOfSchedule"] for player in file_of(event)["players"]}
        for event in (plain, ranked)
    ]

    assert by_id[0] == by_id[1]
    assert any(by_id[0].values())


def test_bye_has_no_second_player():
    event = anr_event(3)
    play_round(event)

    bye = file_of(event)["rounds"][0][-1]

    assert bye["player1"]["combinedScore"] == 6
    assert bye["player1"]["corpScore"] is None
    assert bye["player2"] == {
        "id": None,
        "runnerScore": None,
        "corpScore": None,
        "combinedScore": 0,
    }


def play(result: MatchResult) -> Any:
    def played(_pairing: Pairing) -> MatchResult:
        return result

    return played


@pytest.mark.parametrize(
    ("result", "sides", "combined", "drawn", "twice"),
    [
        (sweep(1), ((3, 3), (0, 0)), (6, 0), False, False),
        (LEVEL, ((0, 3), (0, 3)), (3, 3), False, False),
        (DRAWN, ((None, None), (None, None)), (2, 2), True, False),
        (TWICE, ((3, 3), (0, 0)), (6, 0), False, True),
        (MatchResult(totals=(4, 1)), ((None, None), (None, None)), (4, 1), False, False),
        (NOBODY_CAME, ((0, 0), (0, 0)), (0, 0), False, False),
    ],
)
def test_table_of_two_games_has_points_by_side(result, sides, combined, drawn, twice):
    event = anr_event(2)
    play_round(event, play=play(result))

    ((table,),) = file_of(event)["rounds"]

    seats = table["player1"], table["player2"]
    assert tuple((seat["runnerScore"], seat["corpScore"]) for seat in seats) == sides
    assert tuple(seat["combinedScore"] for seat in seats) == combined
    flags = (table["intentionalDraw"], table["twoForOne"], table["eliminationGame"])
    assert flags == (drawn, twice, False)


def test_table_of_one_game_has_the_role_and_its_score():
    event = single_event(3)
    play_round(event, play=play(MatchResult((won_game(1, Role.RUNNER),))))

    table, bye = file_of(event)["rounds"][0]

    corp, runner = table["player1"], table["player2"]
    assert (corp["role"], corp["corpScore"], corp["runnerScore"]) == ("corp", 0, None)
    assert (runner["role"], runner["corpScore"], runner["runnerScore"]) == ("runner", None, 3)
    assert (corp["combinedScore"], runner["combinedScore"]) == (0, 3)
    assert (bye["player1"]["role"], bye["player1"]["combinedScore"]) == (None, 3)


def test_table_without_a_result_has_no_scores():
    event = anr_event(2)
    start_round(event)

    file = file_of(event)

    ((table,),) = file["rounds"]
    assert [table[f"player{n}"]["combinedScore"] for n in (1, 2)] == [None, None]
    assert [(player["rank"], player["matchPoints"]) for player in file["players"]] == [
        (1, 0),
        (2, 0),
    ]


def test_cut_is_in_the_order_of_its_bracket():
    event = anr_event(8)
    play_round(event)
    make_cut(event, 4)
    play_cut_round(event, winners=[1, 2])
    play_cut_round(event, winners=[1, 4])

    file = file_of(event)

    page = match_page(file)
    names = {player["id"]: player["name"] for player in file["players"]}
    first, second, third, fourth = (names[player["id"]] for player in file["players"][:4])
    assert page.first_column == [(first, fourth), (second, third)]
    assert page.cut == [
        {"upper": [(first, fourth), (second, third)], "lower": []},
        {"upper": [(first, second)], "lower": [(fourth, third)]},
    ]
    assert page.top == placings(event)
    assert file["eliminationPlayers"][-1] == {
        "id": file["players"][2]["id"],
        "name": third,
        "rank": 4,
        "seed": 3,
    }
    assert file["eliminationPlayers"][0] == {"id": None, "name": None, "rank": 1, "seed": None}
    game = file["rounds"][1][0]
    assert (game["player1"].keys(), game["eliminationGame"]) == ({"id", "role", "winner"}, True)


def test_changed_cut_is_exported_as_played():
    event = anr_event(8)
    play_round(event)
    stage = make_cut(event, 4)
    order = [entry.number for entry in event.cut_candidates()]
    for change in (
        CutChange(CutChangeKind.REPLACE, order[0], replacement=order[7]),
        CutChange(CutChangeKind.SEED, order[3], seed=1),
    ):
        cuts.change_cut(stage, change, owner_of(event), "Agreed with all")
    play_cut_round(event, winners=[1, 2])

    page = match_page(file_of(event))

    names = [str(event.registrations.get(number=number).player) for number in order]
    assert page.first_column == [(names[3], names[2]), (names[7], names[1])]
    assert names[0] not in {name for pair in page.first_column for name in pair}


@pytest.mark.parametrize("is_cut", [False, True])
def test_draft_is_not_exported(is_cut: bool):
    event = anr_event(8)
    if is_cut:
        play_round(event)
    before = file_of(event)
    if is_cut:
        make_cut(event, 4)

    draft_round(event)

    assert file_of(event) == before
    assert len(before["rounds"]) == is_cut


def test_advancing_player_wins_a_tied_game_of_the_cut():
    event = anr_event(4)
    play_round(event)
    make_cut(event, 2, system="single_elimination")
    (pairing,) = tables_of(start_round(event))
    enter_result(pairing, LEVEL)
    assert file_of(event)["rounds"][1][0]["player1"]["winner"] is None
    second = next(
        entry.registration for entry in pairing.round.stage.entries.accepted() if entry.seed == 2
    )

    cuts.set_advancing_player(pairing, second, owner_of(event))

    assert match_page(file_of(event)).top[0] == second.player.name


def test_match_page_shows_a_table_without_points():
    event = anr_event(5)
    play_round(event, play=play(NOBODY_CAME))

    page = match_page(file_of(event))

    assert {score for _, _, score in page.swiss[0]} == {"0-0", "6-0"}


def test_identities_are_null_until_public():
    event = anr_event(2)
    submit(player_number(event, 1), identity=identity_card("\u201cThe\u201d Canary"))

    before = file_of(event)["players"]
    start_round(event)
    after = {player["id"]: player for player in file_of(event)["players"]}

    assert not any(player["corpIdentity"] or player["corpFaction"] for player in before)
    assert (after[1]["corpIdentity"], after[1]["corpFaction"]) == ('"The" Canary', "haas-bioroid")
    assert after[1]["runnerIdentity"] is None


def test_original_netrunner_has_no_identities_but_its_own_game_code():
    event = make_event(players=2, decks_required=False)
    play_round(event, play=play(sweep(2, loser_points=4)))

    file = file_of(event)

    assert file["game"] == "onr"
    assert not any(player["corpIdentity"] or player["runnerIdentity"] for player in file["players"])
    ((table,),) = file["rounds"]
    scores = [
        (table[key]["runnerScore"], table[key]["corpScore"], table[key]["combinedScore"])
        for key in ("player1", "player2")
    ]
    assert scores == [(4, 0, 4), (10, 10, 20)]


def test_namesakes_are_distinguished():
    event = anr_event(2)
    namesake = player_number(event, 2).player
    namesake.name = player_number(event, 1).player.name
    namesake.save()
    play_round(event)

    assert {player["name"] for player in file_of(event)["players"]} == {"Ada (1)", "Ada (2)"}


def test_late_entries_are_players_of_the_file():
    event = anr_event(4)
    play_round(event)
    add_players(event, 1)
    start_round(event)

    page = match_page(file_of(event))

    assert set(page.names_by_rank.values()) == {"Ada", "Bo", "Cy", "Di", "Ed"}


def test_pods_are_refused():
    event = make_event(players=4, game="free_radicals", scoring_rule="free_radicals")

    with pytest.raises(event_files.NoTournamentFile, match="CSV"):
        event_files.file_event(event)


def test_number_of_queries_does_not_depend_on_the_players():
    counts = []
    for players in (4, 12):
        event = anr_event(players)
        submit(player_number(event, 1), identity=identity_card("Canary"))
        play_round(event)
        play_round(event)
        make_cut(event, players // 2)
        play_cut_round(event, winners=range(1, players // 4 + 1))
        event = fresh(event)
        counts.append(queries_of(event_files.file_event, event))

    assert counts[0] == counts[1]


def test_chess_report_has_planned_rounds_and_dropped_players():
    event = single_event(6)
    assert b"142 3\r\n" in event_files.trf_file(fresh(event))

    play_round(event, play=play(MatchResult((won_game(1, Role.CORP),))))
    registration_services.drop_player(player_number(event, 6), owner_of(event))
    report = event_files.trf_file(fresh(event)).decode()

    assert "142 3\r\n" in report
    assert "240 Z   2    6\r\nXXZ 6\r\n" in report
