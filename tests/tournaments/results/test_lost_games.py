"""Games decided by a penalty, in every result form."""

import pytest
from django.test import Client

from matches.models import MatchState
from matches.scoring.results import GameEnd, GameResult, MatchResult, Role
from rulings.guide import PenaltyKind
from tests.api.clients import client, guest
from tests.factories.penalties import penalise, take_back
from tests.factories.tournaments import (
    enter_result,
    fresh,
    make_event,
    sitting,
    start_round,
    sweep,
    table,
)
from tests.tournaments.pages import path, text_of, url
from tests.tournaments.results.reporting import dispute, points, result_fields
from tests.tournaments.scenes import at_tables
from tournaments.models import Pairing, Penalty, Registration, Round, Tournament
from tournaments.results.forms import ReportForm, ResultEntryForm

make_scene = at_tables


@pytest.fixture
def pairing(round_: Round) -> Pairing:
    return table(round_, 1)


@pytest.fixture
def loser(pairing: Pairing) -> Registration:
    """Return the player on seat 1, who is Corp in game 1."""
    return sitting(pairing)[0]


def lose(place: Registration, pairing: Pairing, game: int = 1) -> Penalty:
    return penalise(place, PenaltyKind.GAME_LOSS, pairing=pairing, game=game)


def entry_form(pairing: Pairing) -> ResultEntryForm:
    pairing.match.refresh_from_db()
    return ResultEntryForm(match=type(pairing.match).objects.get(pk=pairing.match.pk))


class TestResultEntry:
    def test_opened_table_shows_the_penalised_player_losing(
        self, desk: Client, event: Tournament, pairing: Pairing, loser: Registration
    ):
        enter_result(pairing, sweep(1))
        lose(loser, pairing)

        page = desk.get(path(event, "rounds/1/results/?edit=1"))
        (game, second_game) = page.context["cards"][0].form.games()

        assert (game.winner.value(), game.end.value()) == ("2", "judge")
        assert game.winner.field.disabled
        assert game.lost_by == (loser.player.name,)
        assert (second_game.winner.value(), second_game.lost_by) == ("1", ())
        assert not second_game.winner.field.disabled
        assert f"Game loss: {loser.player.name}" in text_of(page)

    def test_saved_result_keeps_the_reported_result_for_a_withdrawal(
        self, desk: Client, event: Tournament, pairing: Pairing, loser: Registration
    ):
        enter_result(pairing, sweep(1))
        penalty = lose(loser, pairing)

        answer = desk.post(
            path(event, "rounds/1/tables/1/enter/"),
            result_fields(
                pairing, "t1-", game_2_winner="2", game_2_points_1="4", game_2_points_2=""
            ),
        )

        assert answer.status_code == 302
        assert points(pairing) == [4, 20]
        take_back(penalty)
        assert points(pairing) == [14, 10]

    def test_remaining_game_is_enough(
        self, desk: Client, event: Tournament, pairing: Pairing, loser: Registration
    ):
        lose(loser, pairing)
        rest = {"t1-seen": entry_form(pairing).match.version, "t1-corp": "1"}
        game = {"t1-game_2_winner": "2", "t1-game_2_points_1": "3"}

        desk.post(path(event, "rounds/1/tables/1/enter/"), {**rest, **game})

        assert points(pairing) == [3, 20]
        withdraw = url("penalty_withdraw", event, event.penalties.get().pk)
        assert "Game 1 was not reported" in text_of(desk.get(withdraw))

    def test_lost_match_has_nothing_to_save(
        self, desk: Client, event: Tournament, pairing: Pairing, loser: Registration
    ):
        penalise(loser, PenaltyKind.MATCH_LOSS, pairing=pairing)

        page = desk.get(path(event, "rounds/1/results/?edit=1"))

        assert page.context["cards"][0].form.is_decided
        assert "Save table 1" not in text_of(page)
        assert "Enter what was played" in text_of(page)


class TestPhone:
    REST = {"game_2_winner": "2", "game_2_points_1": "4", "game_2_end": "agenda"}

    def test_only_the_remaining_game_is_reported(
        self, event: Tournament, pairing: Pairing, loser: Registration, phone_of
    ):
        lose(loser, pairing)
        first, second = (phone_of(place) for place in sitting(pairing))

        shown = first.get(url("report", event, 1, 1))
        # A page opened before the penalty still sends the game.
        first.post(url("report", event, 1, 1), {**self.REST, "game_1_winner": "1"})
        second.post(url("report", event, 1, 1), self.REST)

        assert f"Game loss: {loser.player.name}" in text_of(shown)
        pairing.match.refresh_from_db()
        assert pairing.match.state == MatchState.CONFIRMED
        assert points(pairing) == [4, 20]

    @pytest.mark.parametrize("page", ["my_event", "report"])
    def test_only_the_penalised_player_sees_the_reason(
        self, event: Tournament, pairing: Pairing, loser: Registration, phone_of, page: str
    ):
        penalise(loser, PenaltyKind.GAME_LOSS, pairing=pairing, game=1, text="Came at 10:20.")
        address = url(page, event, *((1, 1) if page == "report" else ()))

        own_text, opponents_text = (
            text_of(phone_of(place).get(address)) for place in sitting(pairing)
        )

        assert "A judge has decided game 1" in own_text
        assert "Game loss: Tardiness Came at 10:20." in own_text
        assert "A judge has decided game 1" in opponents_text
        assert "Came at 10:20." not in opponents_text

    def test_reports_before_and_after_a_penalty_agree(
        self, event: Tournament, pairing: Pairing, loser: Registration, phone_of
    ):
        first, second = (phone_of(place) for place in sitting(pairing))
        whole = {**self.REST, "game_1_winner": "1", "game_1_points_2": "2"}
        first.post(url("report", event, 1, 1), {**whole, "game_1_end": "agenda"})
        penalty = lose(loser, pairing)

        second.post(url("report", event, 1, 1), self.REST)

        pairing.match.refresh_from_db()
        assert pairing.match.state == MatchState.CONFIRMED
        assert points(pairing) == [4, 20]
        take_back(penalty)
        assert points(pairing) == [14, 12]

    def test_last_place_by_penalty_is_locked_in_a_pod(self, phone_of):
        event = make_event(players=3, game="free_radicals")
        pod = table(start_round(event), 1)
        last, *_ = sitting(pod)
        penalise(last, PenaltyKind.GAME_LOSS, pairing=pod)
        match = type(pod.match).objects.get(pk=pod.match.pk)

        form = ReportForm(match=match, me=match.seats.get(position=2))
        place = next(form.places())
        sent = {"victory_points_2": "25", "victory_points_3": "20"}
        phone_of(last).post(url("report", event, 1, 1), sent)

        assert (place.is_lost, place.victory_points.value()) == (True, 0)
        assert place.victory_points.field.disabled
        report = match.reports.get()
        assert report.result["victory_points"] == [0, 25, 20]


class TestDecision:
    ADDRESS = "rounds/1/tables/1/decide/"

    def test_game_decided_by_penalty_is_no_difference_in_a_dispute(
        self, desk: Client, event: Tournament, pairing: Pairing, loser: Registration
    ):
        dispute(pairing)
        before = desk.get(path(event, self.ADDRESS)).context["dispute"].differences
        assert {field.game for field, _values in before} == {1, 2}
        lose(loser, pairing)

        page = desk.get(path(event, self.ADDRESS))

        assert f"Game loss: {loser.player.name}" in text_of(page)
        assert {field.game for field, _ in page.context["dispute"].differences} == {2}

    def test_staff_can_enter_the_played_result(
        self, desk: Client, event: Tournament, pairing: Pairing, loser: Registration
    ):
        penalty = lose(loser, pairing)
        opened = desk.get(path(event, f"{self.ADDRESS}?played=1"))

        desk.post(path(event, self.ADDRESS), result_fields(pairing, played="1"))

        assert not next(opened.context["form"].games()).winner.field.disabled
        assert points(pairing) == [10, 10]
        take_back(penalty)
        assert points(pairing) == [20, 3]


class TestApi:
    def address(self, event: Tournament, rest: str) -> str:
        return f"/api/v1/events/{event.slug}/rounds/1/tables/1/{rest}/"

    def test_lost_game_is_listed_and_may_be_omitted(
        self, event: Tournament, pairing: Pairing, loser: Registration
    ):
        lose(loser, pairing)
        phone, path_ = guest(loser), self.address(event, "report")
        rest = {"number": 2, "winner": "corp", "runner_agenda_points": 4}

        lost_games = phone.get(path_).json()["lost_games"]
        wrong = phone.post(
            path_,
            {"result": {"games": [{"number": 1, "winner": "corp", "end": "flatline"}, rest]}},
            "json",
        )
        sent = phone.post(path_, {"result": {"games": [rest]}}, "json")

        assert lost_games == [{"game": 1, "player": loser.number}]
        assert wrong.status_code == 400
        assert "Leave it out" in wrong.json()["errors"]["result"]["games"][0]
        assert sent.status_code == 200
        (game, _) = sent.json()["reports"][0]["result"]["games"]
        assert (game["winner"], game["end"]) == ("runner", "judge")

    def test_sides_must_fit_the_lost_game(
        self, event: Tournament, pairing: Pairing, loser: Registration
    ):
        # Seat 2 was Corp in game 1, which a penalty then decided.
        won = (Role.CORP, GameEnd.FLATLINE, 0, 0)
        enter_result(pairing, MatchResult((GameResult(1, 2, *won), GameResult(2, 1, *won))))
        lose(loser, pairing)
        staff, path_ = client(fresh(event), "scorekeeper"), self.address(event, "result")
        rest = {"number": 2, "winner": "corp", "runner_agenda_points": 4}
        body = {"version": staff.get(path_).json()["version"]}

        refused = staff.put(path_, {**body, "result": {"games": [rest]}}, "json")
        rest["corp"] = loser.number
        sent = staff.put(path_, {**body, "result": {"games": [rest]}}, "json")

        assert refused.status_code == 400
        assert "was Corp in game 1" in refused.json()["errors"]["result"]["games"][0]
        assert sent.json()["result"]["games"][1]["winner"] == "corp"

    def test_settled_result_can_be_sent_back_unchanged(
        self, event: Tournament, pairing: Pairing, loser: Registration
    ):
        enter_result(pairing, sweep(1))
        penalty = lose(loser, pairing)
        staff, path_ = client(fresh(event), "scorekeeper"), self.address(event, "result")
        seen = staff.get(path_).json()

        for result in (seen["result"], seen["told"]):
            version = staff.get(path_).json()["version"]
            body = {"result": result, "version": version}
            assert staff.put(path_, body, "json").status_code == 200
            assert points(pairing) == [10, 10]

        take_back(penalty)
        assert points(pairing) == [20, 0]

    def test_staff_can_force_the_played_result(
        self, event: Tournament, pairing: Pairing, loser: Registration
    ):
        penalty = lose(loser, pairing)
        staff, path_ = client(fresh(event), "scorekeeper"), self.address(event, "result")
        games = [
            {"number": 1, "winner": "corp", "runner_agenda_points": 0},
            {"number": 2, "winner": "runner", "corp_agenda_points": 0},
        ]
        body = {"result": {"games": games}, "version": staff.get(path_).json()["version"]}

        refused = staff.put(path_, body, "json")
        staff.put(path_, {**body, "force": True, "note": "They had played it."}, "json")

        assert refused.status_code == 400
        take_back(penalty)
        assert points(pairing) == [20, 0]
