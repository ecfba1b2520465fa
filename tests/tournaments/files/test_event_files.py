"""Events as the tournament files that other programs read."""

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
from tournaments.files.writing import write_cobra
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
    usual = {"game": "anr", "scoring_rule": "anr_double", "bye_points": 6}
    chosen: dict[str, Any] = usual | settings
    return make_event(players=players, decks_required=False, **chosen)


def single_event(players: int = 4) -> Tournament:
    return anr_event(players, scoring_rule="anr_single", bye_points=3)


def file_of(event: Tournament, reader: Any = None) -> dict[str, Any]:
    file = event_files.file_event(fresh(event), reader, "https://example.org/e/")
    document: dict[str, Any] = json.loads(write_cobra(file))
    return document


def test_a_file_has_all_that_cobra_writes():
    event = anr_event(5)
    play_round(event)

    file = file_of(event)

    assert list(file) == [
        *("name", "date", "cutToTop", "preliminaryRounds", "tournamentOrganiser", "players"),
        *("eliminationPlayers", "rounds", "uploadedFrom", "links"),
    ]
    assert (file["name"], file["date"], file["uploadedFrom"]) == (
        *("Spring Run", "2026-05-02"),
        "Datafort",
    )
    assert file["tournamentOrganiser"] == {
        "nrdbId": None,
        "nrdbUsername": None,
    }
    assert [link["rel"] for link in file["links"]] == ["schemaderivedfrom", "uploadedfrom"]
    assert file["links"][1]["href"] == "https://example.org/e/"
    assert (file["cutToTop"], file["preliminaryRounds"], file["eliminationPlayers"]) == (0, 1, [])


def test_players_are_in_the_order_of_the_standings_with_whole_figures():
    event = anr_event(7)
    play_round(event)
    play_round(event)

    players = file_of(event)["players"]

    snapshot = event.snapshots.newest()
    assert snapshot is not None
    rows = list(snapshot.rows.ranked())
    assert [(one["rank"], one["id"]) for one in players] == [
        (row.rank, row.registration.number) for row in rows
    ]
    for one, row in zip(players, rows, strict=True):
        exact = float(Fraction(row.tie_breakers["strength_of_schedule"]))
        assert one["strengthOfSchedule"] == exact
        assert one["matchPoints"] == row.match_points


def test_figures_are_computed_where_an_event_is_ranked_without_them():
    plain, ranked = (anr_event(5, tie_breakers=chosen) for chosen in (["games_won"], []))
    for event in (plain, ranked):
        play_round(event)

    by_id = [
        {one["id"]: one["extendedStrengthOfSchedule"] for one in file_of(event)["players"]}
        for event in (plain, ranked)
    ]

    assert by_id[0] == by_id[1]
    assert any(by_id[0].values())


def test_a_bye_has_nobody_on_the_other_side():
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
def test_a_table_of_two_games_has_each_side(result, sides, combined, drawn, twice):
    event = anr_event(2)
    play_round(event, play=play(result))

    ((table,),) = file_of(event)["rounds"]

    seats = table["player1"], table["player2"]
    assert tuple((one["runnerScore"], one["corpScore"]) for one in seats) == sides
    assert tuple(one["combinedScore"] for one in seats) == combined
    assert (table["intentionalDraw"], table["twoForOne"], table["eliminationGame"]) == (
        *(drawn, twice),
        False,
    )


def test_a_table_of_one_game_has_the_role_and_its_score_alone():
    event = single_event(3)
    play_round(event, play=play(MatchResult((won_game(1, Role.RUNNER),))))

    table, bye = file_of(event)["rounds"][0]

    corp, runner = table["player1"], table["player2"]
    assert (corp["role"], corp["corpScore"], corp["runnerScore"]) == ("corp", 0, None)
    assert (runner["role"], runner["corpScore"], runner["runnerScore"]) == ("runner", None, 3)
    assert (corp["combinedScore"], runner["combinedScore"]) == (0, 3)
    assert (bye["player1"]["role"], bye["player1"]["combinedScore"]) == (None, 3)


def test_a_table_without_a_result_has_no_scores():
    event = anr_event(2)
    start_round(event)

    file = file_of(event)

    ((table,),) = file["rounds"]
    assert [table[f"player{n}"]["combinedScore"] for n in (1, 2)] == [None, None]
    assert [(one["rank"], one["matchPoints"]) for one in file["players"]] == [(1, 0), (2, 0)]


def test_a_draft_is_in_no_file():
    event = anr_event(4)
    before = file_of(event)

    draft_round(event)

    assert file_of(event) == before
    assert before["rounds"] == []


def test_a_cut_is_written_in_the_order_of_its_bracket():
    event = anr_event(8)
    play_round(event)
    make_cut(event, 4)
    play_cut_round(event, winners=[1, 2])
    play_cut_round(event, winners=[1, 4])

    file = file_of(event)

    page = match_page(file)
    names = {one["id"]: one["name"] for one in file["players"]}
    first, second, third, fourth = (names[one["id"]] for one in file["players"][:4])
    assert page.first_column == [(first, fourth), (second, third)]
    assert page.cut == [
        {"upper": [(first, fourth), (second, third)], "lower": []},
        {"upper": [(first, second)], "lower": [(fourth, third)]},
    ]
    assert page.top == placings(event)
    assert file["eliminationPlayers"][-1] == {**_place(file, third), "rank": 4, "seed": 3}
    assert file["eliminationPlayers"][0] == {"id": None, "name": None, "rank": 1, "seed": None}
    game = file["rounds"][1][0]
    assert (game["player1"].keys(), game["eliminationGame"]) == ({"id", "role", "winner"}, True)


def test_a_cut_that_was_chosen_by_hand_is_written_as_it_was_played():
    event = anr_event(8)
    play_round(event)
    stage = make_cut(event, 4)
    order = [one.number for one in event.cut_candidates()]
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


def _place(file: dict[str, Any], name: str) -> dict[str, Any]:
    return next({"id": one["id"], "name": name} for one in file["players"] if one["name"] == name)


def test_a_cut_that_nobody_sees_yet_is_in_no_file():
    event = anr_event(8)
    play_round(event)
    before = file_of(event)

    make_cut(event, 4)
    draft_round(event)

    assert file_of(event) == before


def test_a_level_game_of_a_cut_is_won_by_who_goes_on():
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


def test_match_pages_show_a_table_that_brought_nothing():
    event = anr_event(5)
    play_round(event, play=play(NOBODY_CAME))

    page = match_page(file_of(event))

    assert {score for _, _, score in page.swiss[0]} == {"0-0", "6-0"}


def test_identities_are_null_until_everybody_sees_them():
    event = anr_event(2)
    submit(player_number(event, 1), identity=identity_card("\u201cThe\u201d Canary"))

    before = file_of(event)["players"]
    start_round(event)
    after = {one["id"]: one for one in file_of(event)["players"]}

    assert not any(one["corpIdentity"] or one["corpFaction"] for one in before)
    assert (after[1]["corpIdentity"], after[1]["corpFaction"]) == ('"The" Canary', "haas-bioroid")
    assert after[1]["runnerIdentity"] is None


def test_the_game_of_1996_has_no_identities_and_says_its_name():
    event = make_event(players=2, decks_required=False)
    play_round(event, play=play(sweep(2, loser_points=4)))

    file = file_of(event)

    assert file["game"] == "onr"
    assert not any(one["corpIdentity"] or one["runnerIdentity"] for one in file["players"])
    ((table,),) = file["rounds"]
    scores = [
        (table[one]["runnerScore"], table[one]["corpScore"], table[one]["combinedScore"])
        for one in ("player1", "player2")
    ]
    assert scores == [(4, 0, 4), (10, 10, 20)]


def test_players_of_one_name_are_listed_apart():
    event = anr_event(2)
    twin = player_number(event, 2).player
    twin.name = player_number(event, 1).player.name
    twin.save()
    play_round(event)

    assert {one["name"] for one in file_of(event)["players"]} == {"Ada (1)", "Ada (2)"}


def test_who_left_or_came_late_is_a_player_of_the_file():
    event = anr_event(4)
    play_round(event)
    add_players(event, 1)
    start_round(event)

    page = match_page(file_of(event))

    assert set(page.names_by_rank.values()) == {"Ada", "Bo", "Cy", "Di", "Ed"}


def test_pods_have_no_such_file():
    event = make_event(players=4, game="free_radicals", scoring_rule="free_radicals")

    with pytest.raises(event_files.NoTournamentFile, match="CSV"):
        event_files.file_event(event)


def test_a_larger_event_asks_no_more_questions():
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


def test_chess_report_announces_the_planned_rounds_and_names_players_who_left():
    event = single_event(6)
    assert b"142 3\r\n" in event_files.trf_file(fresh(event))

    play_round(event, play=play(MatchResult((won_game(1, Role.CORP),))))
    registration_services.drop_player(player_number(event, 6), owner_of(event))
    report = event_files.trf_file(fresh(event)).decode()

    assert "142 3\r\n" in report
    assert "240 Z   2    6\r\nXXZ 6\r\n" in report
