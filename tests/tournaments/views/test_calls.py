"""A call from a phone to the queue of the judges and back."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories.tournaments import add_staff, make_event, owner_of, start_round, tables_of
from tests.tournaments.views.cast import browser_of
from tournaments import queries
from tournaments.models import Pairing, Tournament
from tournaments.services import calls

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_event(players=4)


@pytest.fixture
def pairing(event: Tournament) -> Pairing:
    return tables_of(start_round(event))[0]


@pytest.fixture
def phone(event: Tournament, pairing: Pairing) -> Client:
    player = pairing.match.seats.get(position=1).player
    registration = event.registrations.select_related("player").get(player=player)
    return browser_of("player", event, registration)


@pytest.fixture
def judge(event: Tournament) -> Client:
    browser = Client()
    browser.force_login(add_staff(event, "judge", "Jinteki"))
    return browser


def address(name: str, pairing: Pairing) -> str:
    tournament = pairing.round.stage.tournament
    places = [tournament.slug, pairing.round.number, pairing.table_number]
    return reverse(f"tournaments:{name}", args=places)


def test_a_call_from_the_phone_is_taken_and_answered(
    event: Tournament, pairing: Pairing, phone: Client, judge: Client
):
    phone.post(address("call_judge", pairing), {"about": "Can I <b>trash</b> it?"})
    (line,) = queries.open_calls(event)
    queue = reverse("tournaments:calls", args=[event.slug])

    waiting = judge.get(queue).content.decode()
    judge.post(reverse("tournaments:call_take", args=[event.slug, line.call.pk]))
    coming = phone.get(reverse("tournaments:my_event", args=[event.slug])).content.decode()
    judge.post(
        reverse("tournaments:call_answer", args=[event.slug, line.call.pk]),
        {"text": "You can.", "minutes": ""},
    )

    assert "Can I &lt;b&gt;trash&lt;/b&gt; it?" in waiting
    assert "Jinteki" in coming
    assert queries.open_calls(event) == []
    assert "You can." in judge.get(queue).content.decode()


def test_the_minutes_of_a_call_go_on_the_clock_of_its_table(
    event: Tournament, pairing: Pairing, judge: Client
):
    call = calls.raise_call(pairing, owner_of(event))
    answer = reverse("tournaments:call_answer", args=[event.slug, call.pk])

    judge.post(answer, {"text": "", "minutes": "70"})
    assert queries.open_call(call.match) == call
    judge.post(answer, {"text": "", "minutes": "4"})

    pairing.refresh_from_db()
    assert pairing.extra_minutes == 4
    assert queries.open_call(call.match) is None


def test_the_desk_types_a_call_for_a_table(event: Tournament, pairing: Pairing, judge: Client):
    new = reverse("tournaments:call_new", args=[event.slug])

    nowhere = judge.post(new, {"table": "77", "about": ""})
    judge.post(new, {"table": str(pairing.table_number), "about": "At the desk"})

    assert nowhere.status_code == 422
    assert "Nobody plays at this table now." in nowhere.content.decode()
    assert [line.call.about for line in queries.open_calls(event)] == ["At the desk"]


def test_the_queue_says_whether_anything_is_new(event: Tournament, pairing: Pairing, judge: Client):
    queue = reverse("tournaments:calls", args=[event.slug])
    seen = {"X-Fragment": "1", "If-None-Match": judge.get(queue)["ETag"]}

    assert judge.get(queue, headers=seen).status_code == 304
    calls.raise_call(pairing, owner_of(event), "a question")
    fresh = judge.get(queue, headers=seen).content.decode()

    assert "a question" in fresh
    assert "A call from the desk" not in fresh


def test_what_a_call_was_about_is_not_for_the_public(event: Tournament, pairing: Pairing):
    calls.raise_call(pairing, owner_of(event), "a private quarrel")
    stranger = Client()

    for name in ("event", "pairings", "projector"):
        page = stranger.get(reverse(f"tournaments:{name}", args=[event.slug]))
        assert "private quarrel" not in page.content.decode()
    assert "private quarrel" not in stranger.get(address("table", pairing)).content.decode()


def test_a_call_of_another_event_is_not_found(event: Tournament, pairing: Pairing):
    call = calls.raise_call(pairing, owner_of(event))
    other = make_event(players=2, name="Other")
    browser = Client()
    browser.force_login(other.staff.get().user)

    answer = browser.post(reverse("tournaments:call_take", args=[other.slug, call.pk]))

    assert answer.status_code == 404
