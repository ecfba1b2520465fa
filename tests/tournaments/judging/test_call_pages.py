"""Pages of judge calls."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from players.models import Player
from rulings import services as rulings_services
from rulings.models import JudgeCall, JudgeNote, Ruling
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_staff,
    owner_of,
    sitting,
    tables_of,
)
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import FRAGMENT, path, text_of, url
from tests.tournaments.scenes import at_tables
from tournaments.judging import calls
from tournaments.judging import queries as judging_queries
from tournaments.judging.calls import CallAnswer
from tournaments.models import Pairing, Tournament
from tournaments.rounds import services as rounds_services

make_scene = at_tables

# Infraction whose first penalty is a warning.
WARNED_FOR = "late"


@pytest.fixture
def citable() -> list[Ruling]:
    document = rulings_services.get_local_document("onr")
    rulings = [
        rulings_services.create_local_ruling(document, subject=subject, text=f"About {subject}.")
        for subject in ("Ambush", "Bits")
    ]
    for ruling in rulings:
        rulings_services.adopt_ruling(ruling, timezone.now())
    return rulings


@pytest.fixture
def phone(event: Tournament, pairing: Pairing) -> Client:
    return browser_of("player", event, sitting(pairing)[0])


def unmarked(page: str) -> str:
    return page.replace("<bdi>", "").replace("</bdi>", "")


def address(name: str, pairing: Pairing) -> str:
    return url(name, pairing.round.stage.tournament, pairing.round.number, pairing.table_number)


def test_players_do_not_see_the_username_of_a_judge(
    event: Tournament, pairing: Pairing, phone: Client
):
    users = [add_staff(event, "judge", "j0nas_k"), add_staff(event, "judge", "login_only")]
    Player.objects.create(name="Jonas Kühn", user=users[0])
    for user in users:
        phone.post(address("call_judge", pairing), {"about": ""})
        (line,) = judging_queries.open_calls(event)
        judge = logged_in(user)
        judge.post(url("call_take", event, line.call.pk))
        coming = phone.get(url("my_event", event)).text
        judge.post(url("call", event, line.call.pk), {"text": "You can.", "minutes": ""})
        answered = phone.get(url("my_event", event)).text

        assert user.username not in coming + answered
        name = "Jonas Kühn" if user == users[0] else "A judge"
        assert f"{name} is coming" in unmarked(coming)
        assert f"Answered by {name}".lower() in unmarked(answered).lower()


def test_call_from_the_phone_moves_from_the_queue_to_past_calls(
    event: Tournament, pairing: Pairing, phone: Client, judge: Client
):
    phone.post(address("call_judge", pairing), {"about": "Can I <b>trash</b> it?"})
    (line,) = judging_queries.open_calls(event)
    waiting = judge.get(url("calls", event)).text

    judge.post(url("call", event, line.call.pk), {"text": "You can.", "minutes": ""})

    assert "Can I &lt;b&gt;trash&lt;/b&gt; it?" in waiting
    assert judging_queries.open_calls(event) == []
    for page in (judge.get(url("calls_past", event)), phone.get(url("my_event", event))):
        assert "You can." in page.text


def test_open_call_comes_first_on_the_phone_and_the_judges_desk(
    event: Tournament, pairing: Pairing, phone: Client, judge: Client
):
    phone.post(address("call_judge", pairing), {"about": "Missed trigger"})

    page = text_of(phone.get(path(event, "me/")))
    desk = text_of(judge.get(path(event)))

    assert page.index("A judge has been called") < page.index("Report the result")
    assert desk.index("Judge calls 1") < desk.index("Next step")


def test_queue_has_an_etag(event: Tournament, pairing: Pairing, judge: Client):
    queue = url("calls", event)
    with time_machine.travel(datetime(2026, 5, 2, 12, tzinfo=UTC), tick=False) as clock:
        seen = {**FRAGMENT, "If-None-Match": judge.get(queue)["ETag"]}

        assert judge.get(queue, headers=seen).status_code == 304
        # A form with errors is not a poll.
        assert judge.post(url("call_new", event), {}, headers=seen).status_code == 422
        calls.raise_call(pairing, owner_of(event), "a question")
        fresh = judge.get(queue, headers=seen)
        clock.shift(timedelta(minutes=6))
        later = judge.get(queue, headers={**FRAGMENT, "If-None-Match": fresh["ETag"]})

    assert "a question" in fresh.text
    assert "just now" in fresh.text
    assert "Enter a call" not in fresh.text
    assert "6 min" in later.text
    assert "Long wait" in later.text


def call_page(call: JudgeCall) -> str:
    tournament = judging_queries.pairing_of_match(call.match).round.stage.tournament
    return url("call", tournament, call.pk)


def test_call_page_shows_the_history_of_the_table(
    event: Tournament, pairing: Pairing, judge: Client, phone: Client, citable: list[Ruling]
):
    names = [seat.player.name for seat in pairing.match.seats.all()]
    older = calls.raise_call(pairing, owner_of(event), "First question")
    calls.answer(event, older, owner_of(event), CallAnswer("First answer"))
    before = calls.raise_call(pairing, owner_of(event), "An old question")
    answer = CallAnswer("An old answer", cited=[citable[0].versions.get()])
    calls.answer(event, before, owner_of(event), answer)
    my_page = phone.get(url("my_event", event)).text
    call = calls.appeal(event, before, owner_of(event), "A new question")

    page = judge.get(call_page(call)).text

    assert "About Ambush." in my_page
    for words in (*names, "A new question", "First question", "First answer", "round 1", "Corp"):
        assert words in page
    for words in ("An old question", "An old answer", "About Ambush."):
        assert page.count(words) == 1


def test_answer_rulings_minutes_and_warning_are_saved_with_one_request(
    event: Tournament, pairing: Pairing, judge: Client, citable: list[Ruling]
):
    call = calls.raise_call(pairing, owner_of(event))
    number = sitting(pairing)[0].number

    answer = judge.post(
        call_page(call),
        {
            "text": "Read the card",
            "rulings": ", ".join(ruling.short_code for ruling in citable),
            "minutes": "2",
            "penalty-player": str(number),
            "penalty-infraction": WARNED_FOR,
        },
    )

    assert answer.status_code == 302
    call.refresh_from_db()
    assert [citation.version.ruling for citation in call.note.citations.all()] == citable
    pairing.refresh_from_db()
    assert pairing.extra_minutes == call.minutes == 2
    penalty = event.penalties.get()
    assert (penalty.registration.number, penalty.kind) == (number, "warning")
    assert penalty.note.text == "Read the card"


def test_refused_answer_changes_nothing(
    event: Tournament, pairing: Pairing, judge: Client, citable: list[Ruling]
):
    rounds_services.add_table_minutes(pairing, 55, owner_of(event))
    call = calls.raise_call(pairing, owner_of(event))
    number = sitting(pairing)[0].number
    fields = {
        "text": "Read the card",
        "rulings": citable[0].short_code,
        "minutes": "10",
        "penalty-player": str(number),
        "penalty-infraction": WARNED_FOR,
    }

    refused = judge.post(call_page(call), fields)
    wrong = judge.post(call_page(call), {**fields, "minutes": "", "rulings": "R-99999"})
    without_player = judge.post(call_page(call), {**fields, "minutes": "", "penalty-player": ""})

    assert (refused.status_code, wrong.status_code, without_player.status_code) == (409, 422, 422)
    assert "It can have 0 to 60" in refused.text
    assert "Read the card" in refused.text
    assert "There is no ruling with the code" in wrong.text
    assert "Choose the player" in without_player.text
    assert [line.call for line in judging_queries.open_calls(event)] == [call]
    assert not JudgeNote.objects.exists()
    assert not event.penalties.exists()


def test_repeated_answer_counts_once_and_a_late_answer_is_shown_with_its_text(
    event: Tournament, pairing: Pairing, judge: Client
):
    call = calls.raise_call(pairing, owner_of(event))
    fields = {"text": "I was first", "minutes": "3", "idempotency_key": "a-key"}

    first, second = (judge.post(call_page(call), fields) for _ in range(2))

    assert (first.status_code, second.status_code) == (302, 302)
    pairing.refresh_from_db()
    assert pairing.extra_minutes == 3
    assert JudgeNote.objects.count() == 1
    late = judge.post(call_page(call), {"text": "I was second"})
    assert late.status_code == 409
    for words in ("Your answer was not sent", "I was first", "I was second"):
        assert words in late.text


def test_costly_penalty_leads_to_the_penalty_form(
    event: Tournament, pairing: Pairing, judge: Client
):
    call = calls.raise_call(pairing, owner_of(event))
    number = sitting(pairing)[0].number
    fields = {
        "text": "All seen",
        "penalty-player": str(number),
        "penalty-infraction": WARNED_FOR,
        "penalty-kind": "match_loss",
    }

    answer = judge.post(call_page(call), fields)

    assert answer["Location"].startswith(url("penalty_new", event))
    assert judging_queries.open_calls(event) == []
    assert not event.penalties.exists()


def test_appeal_from_the_phone_goes_to_the_head_judge(
    event: Tournament, pairing: Pairing, phone: Client, head_judge: Client
):
    call = calls.raise_call(pairing, owner_of(event))
    calls.answer(event, call, owner_of(event), CallAnswer("No access"))
    my_page = url("my_event", event)
    assert "Appeal to the head judge" in phone.get(my_page).text

    phone.post(f"{address('call_judge', pairing)}{call.pk}/appeal/", {"about": "But it says so"})
    (line,) = judging_queries.open_calls(event)
    missing = head_judge.post(call_page(line.call), {"text": "Access it"})
    head_judge.post(call_page(line.call), {"text": "Access it", "overturned": "yes"})

    assert missing.status_code == 422
    answered = JudgeCall.objects.get(pk=line.call.pk)
    assert (answered.appeals, answered.overturned) == (call, True)
    shown = phone.get(my_page).text
    assert "Access it" in shown
    assert "Appeal to the head judge" not in shown


def test_player_of_a_different_table_cannot_appeal(event: Tournament, pairing: Pairing):
    call = calls.raise_call(pairing, owner_of(event))
    calls.answer(event, call, owner_of(event), CallAnswer("No access"))
    other_pairing = tables_of(pairing.round)[1]
    phone = browser_of("player", event, sitting(other_pairing)[0])

    wrong_call = phone.post(f"{address('call_judge', pairing)}{call.pk}/appeal/")
    wrong_table = phone.post(f"{address('call_judge', other_pairing)}{call.pk}/appeal/")
    page = phone.get(url("my_event", event)).text

    assert (wrong_call.status_code, wrong_table.status_code) == (403, 404)
    assert "No access" not in page


def test_head_judge_sees_appeals_first(
    event: Tournament, pairing: Pairing, judge: Client, head_judge: Client
):
    other_pairing = tables_of(pairing.round)[1]
    first = calls.raise_call(pairing, owner_of(event), "an older question")
    second = calls.raise_call(other_pairing, owner_of(event), "a harder question")
    calls.escalate(event, second, owner_of(event))
    queue = url("calls", event)

    for browser, expected in ((judge, [first, second]), (head_judge, [second, first])):
        page = browser.get(queue).text
        assert sorted(expected, key=lambda call: page.index(call.about)) == expected


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("", True),
        ("?round=1", True),
        ("?kind=appeal", False),
        ("?round=x&judge=-1&kind=odd&page=99", True),
    ],
)
def test_past_calls_are_filtered_and_invalid_filters_ignored(
    event: Tournament, pairing: Pairing, judge: Client, query: str, is_found: bool
):
    call = calls.raise_call(pairing, owner_of(event), "the only question")
    calls.answer(event, call, owner_of(event), CallAnswer("the only answer"))

    page = judge.get(f"{url('calls_past', event)}{query}").text

    assert ("the only answer" in page) is is_found
    assert ("No calls found" in page) is not is_found


def test_statistics_page(event: Tournament, pairing: Pairing, head_judge: Client):
    statistics = url("judge_statistics", event)
    empty = head_judge.get(statistics).text
    call = calls.raise_call(pairing, owner_of(event))
    calls.take(event, call, owner_of(event))
    calls.answer(event, call, owner_of(event), CallAnswer("So", minutes=4))

    page = head_judge.get(statistics).text

    assert "No judge calls yet" in empty
    assert str(owner_of(event).user) in page
    assert "Round 1: 1 call" in page
