from rest_framework.test import APIClient

from matches.scoring.results import Flag, MatchResult
from tests.factories import tournaments as make
from tournaments.models import Tournament
from tournaments.results import services as results_services
from tournaments.rounds.serializers import GameSerializer
from tournaments.web.serializers import PlayerNameSerializer, player_name

ROUNDS = "/api/v1/events/spring-run/rounds/"


def test_rounds_show_their_tables_and_byes(api: APIClient, event: Tournament):
    rounds = api.get(ROUNDS).json()["results"]

    states = [(round_["number"], round_["state"]) for round_ in rounds]
    assert states == [(1, "closed"), (2, "running")]
    assert [(round_["tables"], round_["byes"]) for round_ in rounds] == [(3, 1), (3, 1)]


def test_settled_table_shows_points_and_games(api: APIClient, event: Tournament):
    table = api.get(f"{ROUNDS}1/").json()["pairings"][0]

    assert table["table"] == 1
    assert table["is_settled"] is True
    assert [seat["match_points"] for seat in table["seats"]] == [20, 1]
    first, second = (seat["player"]["number"] for seat in table["seats"])
    assert table["games"] == [
        {
            "number": 1,
            "corp": first,
            "runner": second,
            "winner": "corp",
            "end": "agenda",
            "corp_agenda_points": 7,
            "runner_agenda_points": 1,
        },
        {
            "number": 2,
            "corp": second,
            "runner": first,
            "winner": "runner",
            "end": "agenda",
            "corp_agenda_points": 1,
            "runner_agenda_points": 7,
        },
    ]
    assert (table["bye"], table["bye_points"]) == (None, None)


def test_fast_rows_equal_the_serializers(api: APIClient, event: Tournament):
    pairings = api.get(f"{ROUNDS}1/").json()["pairings"]
    games = [game for pairing in pairings for game in pairing["games"]]

    assert [dict(GameSerializer(game).data) for game in games] == games
    assert all(list(game) == list(GameSerializer().fields) for game in games)
    for registration in event.registrations.select_related("player"):
        assert player_name(registration) == PlayerNameSerializer(registration).data


def test_pod_shows_factions_victory_points_and_exact_shares(api: APIClient):
    pods = make.make_event(3, game="free_radicals", name="Radical Run")
    factions = ("farmers", "paladins", "")
    make.play_round(pods, play=lambda _: MatchResult(victory_points=(9, 9, 9), factions=factions))

    (table,) = api.get("/api/v1/events/radical-run/rounds/1/").json()["pairings"]
    standings = api.get("/api/v1/events/radical-run/standings/").json()["results"]

    assert (table["games"], table["flags"]) == ([], [])
    assert [(seat["faction"], seat["victory_points"]) for seat in table["seats"]] == [
        ("farmers", 9),
        ("paladins", 9),
        (None, 9),
    ]
    assert [seat["match_points"] for seat in table["seats"]] == ["10/3"] * 3
    assert [row["match_points"] for row in standings] == ["10/3"] * 3


def test_flags_of_a_match_are_shown(api: APIClient):
    event = make.make_event(2, game="anr", name="Spring Cup")
    drawn = MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))
    make.play_round(event, play=lambda _: drawn)

    (table,) = api.get("/api/v1/events/spring-cup/rounds/1/").json()["pairings"]

    assert table["flags"] == ["intentional_draw"]
    assert [seat["match_points"] for seat in table["seats"]] == [2, 2]
    assert [(game["winner"], game["end"]) for game in table["games"]] == [(None, None)] * 2


def test_bye_is_the_last_pairing(api: APIClient, event: Tournament):
    bye = api.get(f"{ROUNDS}1/pairings/").json()["results"][-1]

    assert (bye["table"], bye["seats"], bye["games"]) == (None, [], [])
    assert bye["bye_points"] == 20
    assert set(bye["bye"]) == {"number", "name"}


def test_unconfirmed_report_is_hidden(api: APIClient, event: Tournament):
    pairing = make.table(make.get_round(event, 2), 2)
    seat = pairing.match.seats.get(position=1)
    results_services.report_result(pairing, seat, make.games_for(pairing), make.owner_of(event))

    table = api.get(f"{ROUNDS}2/pairings/").json()["results"][1]

    assert table["table"] == 2
    assert table["is_settled"] is False
    assert [seat["match_points"] for seat in table["seats"]] == [None, None]
    hidden = ("winner", "end", "corp_agenda_points", "runner_agenda_points")
    assert {game[name] for game in table["games"] for name in hidden} == {None}


def test_round_and_its_list_of_pairings_agree(api: APIClient, event: Tournament):
    for round_ in event.rounds.published():
        in_round = api.get(f"{ROUNDS}{round_.number}/").json()["pairings"]
        listed = api.get(f"{ROUNDS}{round_.number}/pairings/").json()["results"]
        assert in_round == listed


def test_round_has_its_stage_and_tables_their_reasons(api: APIClient, event: Tournament):
    round_ = api.get(f"{ROUNDS}1/").json()

    assert (round_["stage"], round_["system"]) == (1, "double")
    first = round_["pairings"][0]
    assert first["made_by_hand"] is False
    corp = first["seats"][0]["player"]["name"]
    assert first["reasons"] == [
        "Random draw for the first round.",
        f"{corp} is Corp in game 1. Random draw; neither player has been Corp first yet.",
    ]
