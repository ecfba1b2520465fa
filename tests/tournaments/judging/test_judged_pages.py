"""Pages of a player's history, the judges' report, the guide and lost games."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from rulings import services as rulings_services
from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise
from tests.factories.tournaments import enter_result, fresh, owner_of, sitting, sweep
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import path, url
from tournaments.judging import calls, penalties
from tournaments.judging import queries as judging_queries
from tournaments.judging.calls import CallAnswer
from tournaments.models import Pairing, Registration, Tournament
from tournaments.results.pages import judged_games


@pytest.fixture
def judged_event(event: Tournament, place: Registration, pairing: Pairing) -> Tournament:
    """Return an event with a penalty, an open call and a note."""
    actor = owner_of(event)
    penalties.give(
        event, place, actor, infraction="slow-play", pairing=pairing, text='=HYPERLINK("x")'
    )
    calls.raise_call(pairing, actor, "+who begins?")
    rulings_services.write_note(pairing.match, actor.user, "A quiet word")
    return event


def test_history_of_a_player(desk: Client, judged_event: Tournament, place: Registration):
    page = desk.get(path(judged_event, f"desk/players/{place.number}/conduct/")).text

    for words in ("Slow play", "Second time at this event: warning.", "+who begins?"):
        assert words in page
    assert "A quiet word" in page


def test_empty_history_of_a_player(desk: Client, event: Tournament):
    page = desk.get(path(event, "desk/players/1/conduct/")).text

    assert page.count("None.") == 4
    assert desk.get(path(event, "desk/players/99/conduct/")).status_code == 404


def test_report_shows_calls_penalties_and_counts(desk: Client, judged_event: Tournament):
    page = desk.get(path(judged_event, "desk/judged/")).text

    assert "+who begins?" in page
    assert "<dt>Caution</dt><dd>1</dd>" in page
    assert "<dt>Judge calls</dt><dd>1</dd>" in page
    assert '<th scope="row">Slow play</th>' in page


def test_cells_of_the_csv_cannot_start_a_formula(desk: Client, judged_event: Tournament):
    answer = desk.get(path(judged_event, "desk/judged.csv"))

    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert answer["Content-Type"].startswith("text/csv")
    assert [row["what"] for row in rows] == ["call", "penalty"]
    assert rows[0]["about"] == "'+who begins?"
    assert rows[1]["text"] == '\'=HYPERLINK("x")'
    assert rows[1]["penalty"] == rows[1]["expected"] == "caution"


def test_report_as_json(desk: Client, judged_event: Tournament, place: Registration):
    document: dict[str, Any] = desk.get(path(judged_event, "desk/judged.json")).json()

    assert (document["datafort"], document["report"]) == (1, "judges")
    (call,), (penalty,) = document["calls"], document["penalties"]
    assert (call["about"], call["round"], call["table"]) == ("+who begins?", 1, 1)
    assert (penalty["number"], penalty["infraction"]) == (place.number, "slow-play")
    assert penalty["taken_back_at"] is None
    assert document["standing_penalties"]["caution"] == 1
    assert document["local_rulings"] == []
    assert (document["figures"]["calls"], document["figures"]["answered"]) == (1, 0)


def test_report_has_judges_and_waits(desk: Client, judged_event: Tournament, time_machine: Any):
    (line,) = judging_queries.open_calls(judged_event)
    time_machine.move_to(line.call.raised_at + timedelta(minutes=3), tick=False)
    calls.answer(
        judged_event, line.call, owner_of(judged_event), CallAnswer("Whoever lost before.")
    )

    page = desk.get(path(judged_event, "desk/judged/")).text
    document: dict[str, Any] = desk.get(path(judged_event, "desk/judged.json")).json()

    assert "1 of 1 call answered." in page
    assert "Whoever lost before." in page
    (judge,) = document["figures"]["judges"]
    assert (judge["judge"], judge["answered"]) == ("Judge", 1)
    assert judge["until_answered"]["median"] == 3 * 60


LADDER = {"step_1": "warning", "step_2": "", "step_3": "game_loss", "step_4": "", "step_5": ""}


def public_page(event: Tournament) -> str:
    answer = Client().get(path(event, "guide/"))
    assert answer.status_code == 200
    return answer.text


def change(browser: Client, event: Tournament, code: str, **fields: str) -> str:
    answer = browser.post(path(event, f"desk/guide/of/{code}/"), {**LADDER, **fields}, follow=True)
    return answer.text


def test_changed_ladder_is_public(head_judge: Client, event: Tournament):
    assert "with its own changes" not in public_page(event)
    etag = Client().get(path(event, "guide/"))["ETag"]

    change(head_judge, event, "slow-play")

    slow = event.infraction_guide().infractions["slow-play"]
    assert slow.ladder == (PenaltyKind.WARNING, PenaltyKind.WARNING, PenaltyKind.GAME_LOSS)
    assert str(event.log.get(action="infraction changed").user) == "Haas"
    again = Client().get(path(event, "guide/"), headers={"If-None-Match": etag})
    assert (again.status_code, "with its own changes" in again.text) == (200, True)
    assert "changed here" in public_page(event).partition('id="slow-play"')[2][:300]


def test_invalid_ladder_is_refused_at_its_field(head_judge: Client, event: Tournament):
    wrong = {**LADDER, "step_1": "game_loss", "step_2": "caution"}
    answer = head_judge.post(path(event, "desk/guide/of/slow-play/"), wrong)

    assert answer.status_code == 422
    assert "The ladder goes down" in answer.text
    assert not event.infraction_changes.exists()


def test_disabled_infraction_is_listed_separately_and_restored(
    head_judge: Client, event: Tournament
):
    change(head_judge, event, "slow-play", is_off="on")
    without = public_page(event)
    reset = path(event, "desk/guide/of/slow-play/reset/")
    answer = head_judge.post(reset, follow=True).text

    assert "Slow play" in without.partition("Not used at this event")[2]
    assert "follows the guide again" in answer
    assert "slow-play" in event.infraction_guide().infractions
    assert "Not used at this event" not in public_page(event)


def test_own_infraction_is_added_and_removed(head_judge: Client, event: Tournament):
    fields = {**LADDER, "name": "Pizza on the table", "description": "Grease on <b>cards</b>."}
    for _ in range(2):
        head_judge.post(path(event, "desk/guide/new/"), fields)
    head_judge.post(path(event, "desk/guide/new/"), {**LADDER, "name": "遅刻"})
    page = public_page(event)
    head_judge.post(path(event, "desk/guide/of/pizza-on-the-table/reset/"))

    assert 'id="pizza-on-the-table"' in page
    assert 'id="pizza-on-the-table-2"' in page
    assert "Grease on &lt;b&gt;cards&lt;/b&gt;." in page
    assert "pizza-on-the-table" not in event.infraction_guide().infractions
    assert "pizza-on-the-table-2" in event.infraction_guide().infractions
    assert event.infraction_guide().infractions["own"].name == "遅刻"


def test_only_the_head_judge_can_change_the_guide(
    event: Tournament, judge: Client, head_judge: Client
):
    address = path(event, "desk/guide/of/slow-play/")

    assert address not in judge.get(path(event, "desk/guide/")).text
    assert address in head_judge.get(path(event, "desk/guide/")).text
    assert head_judge.get(path(event, "desk/guide/of/no-such/")).status_code == 404


REASON = "Canary sang at the table"


def judged_game_texts(pairing: Pairing) -> list[str]:
    match = Pairing.objects.get(pk=pairing.pk).match
    assert match is not None
    return judged_games(match)


def test_lost_game_is_shown_until_the_result_is_entered(pairing: Pairing):
    loser, winner = sitting(pairing)
    assert judged_game_texts(pairing) == []

    penalise(loser, PenaltyKind.GAME_LOSS, pairing=pairing, game=1)

    assert judged_game_texts(pairing) == [
        f"A judge has decided game 1: {winner.player.name} wins it."
    ]
    enter_result(pairing, sweep(1))
    assert judged_game_texts(pairing) == []


def test_game_lost_by_both_players_has_no_winner(pairing: Pairing):
    for loser in sitting(pairing):
        penalise(loser, PenaltyKind.GAME_LOSS, pairing=pairing, game=2)

    assert judged_game_texts(pairing) == ["A judge has decided game 2: nobody wins it."]


@pytest.mark.parametrize("page", ["my_event", "report", "decide"])
def test_lost_game_is_shown_without_its_reason(page: str, event: Tournament, pairing: Pairing):
    penalise(sitting(pairing)[1], PenaltyKind.GAME_LOSS, pairing=pairing, game=1, text=REASON)
    actor = "scorekeeper" if page == "decide" else "player"
    browser: Client = browser_of(actor, fresh(event), sitting(pairing)[0])
    places = [event.slug] if page == "my_event" else [event.slug, 1, pairing.table_number]

    body = browser.get(reverse(f"tournaments:{page}", args=places)).text

    assert "A judge has decided game 1" in body
    assert REASON not in body


def test_lost_game_is_hidden_from_the_public(event: Tournament, pairing: Pairing, client: Client):
    penalise(sitting(pairing)[0], PenaltyKind.GAME_LOSS, pairing=pairing, game=1)

    answer = client.get(url("table", event, 1, pairing.table_number))

    assert "has decided" not in answer.text
