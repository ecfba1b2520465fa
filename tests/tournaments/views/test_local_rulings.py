"""Local rulings on the pages of an event: written behind the desk, read by everybody."""

import pytest
from django.test import Client
from django.utils import timezone

from rulings.services import withdraw_ruling
from rulings.services.calls import Answer
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_staff,
    make_event,
    owner_of,
    play_round,
    start_round,
    tables_of,
)
from tests.queries import queries_of
from tests.tournaments.views.pages import url
from tournaments.models import Tournament
from tournaments.queries import local_rulings as queries
from tournaments.services import calls, events, local_rulings
from tournaments.services.local_rulings import Wording


@pytest.fixture
def head(event: Tournament) -> Client:
    return logged_in(add_staff(event, "head_judge", "Haas"))


def page(event: Tournament, name: str, *keys: int) -> str:
    return url(name, event, *keys)


def made(event: Tournament, text: str = "Three minutes a turn."):
    return local_rulings.make(event, owner_of(event), "Slow play", Wording(text))


def read(browser: Client, address: str) -> str:
    return browser.get(address).content.decode()


def test_the_head_judge_writes_and_everybody_reads(event: Tournament, head: Client):
    assert page(event, "event_rulings") not in read(Client(), page(event, "event"))

    answer = head.post(
        page(event, "local_ruling_new"),
        {"subject": "Slow play", "text": "<b>Three</b> minutes.", "reason": "A long game"},
        follow=True,
    )

    (local,) = queries.of_event(event)
    assert f"{local.ruling.short_code} holds at this event" in answer.content.decode()
    assert page(event, "event_rulings") in read(Client(), page(event, "event"))
    shown = read(Client(), page(event, "event_rulings"))
    for words in ("&lt;b&gt;Three&lt;/b&gt; minutes.", "Head judge", "Spring Run", "Local ruling"):
        assert words in shown


def test_without_any_the_page_says_so(event: Tournament, head: Client):
    assert "No local rulings" in read(Client(), page(event, "event_rulings"))
    assert "No local rulings yet" in read(head, page(event, "local_rulings"))


def test_what_is_missing_is_told_and_nothing_is_written(event: Tournament, head: Client):
    answer = head.post(page(event, "local_ruling_new"), {"subject": "", "rulings": "R-99999"})

    assert answer.status_code == 422
    assert "There is no ruling with the code" in answer.content.decode()
    assert not queries.has_local_rulings(event)


def test_a_ruling_sent_twice_is_made_once(event: Tournament, head: Client):
    fields = {"subject": "Slow play", "text": "So.", "idempotency_key": "a-key"}

    for _ in range(2):
        assert head.post(page(event, "local_ruling_new"), fields).status_code == 302

    assert event.local_rulings.count() == 1


def test_the_answer_to_a_call_fills_the_form(event: Tournament, head: Client):
    basis = made(event, "Earlier words.")
    pairing = tables_of(start_round(event))[0]
    call = calls.raise_call(pairing, owner_of(event), "How long?")
    said = Answer("As long as it takes.", cited=[basis.ruling.current])
    calls.answer(event, call, owner_of(event), said)

    filled = read(head, f"{page(event, 'local_ruling_new')}?call={call.pk}")

    for words in ("As long as it takes.", "How long?", f"{basis.ruling.short_code} v1"):
        assert words in filled
    assert head.get(f"{page(event, 'local_ruling_new')}?call=99999999999").status_code == 200
    assert head.get(f"{page(event, 'local_ruling_new')}?call=x").status_code == 200


def test_two_who_write_at_once_lose_nothing(event: Tournament, head: Client):
    local = made(event)
    edit = page(event, "local_ruling_edit", local.pk)
    mine = {"text": "Mine.", "reason": "Better", "seen": "1"}
    head.post(edit, {"text": "Theirs.", "reason": "Faster", "seen": "1"})

    late = head.post(edit, mine)

    assert late.status_code == 409
    for words in ("Theirs.", "Mine.", "As it reads now: version 2", 'name="seen" value="2"'):
        assert words in late.content.decode()
    assert head.post(edit, {**mine, "seen": "2"}).status_code == 302
    assert local.ruling.versions.first().text == "Mine."


def test_a_withdrawn_ruling_is_marked(event: Tournament, head: Client):
    local = made(event)

    head.post(page(event, "local_ruling_withdraw", local.pk))

    assert "Withdrawn" in read(Client(), page(event, "event_rulings"))


def test_the_page_is_new_when_an_administrator_changes_a_ruling(event: Tournament):
    local, browser, address = made(event), Client(), page(event, "event_rulings")
    known = {"If-None-Match": browser.get(address)["ETag"]}
    assert browser.get(address, headers=known).status_code == 304

    withdraw_ruling(local.ruling, timezone.localdate())

    changed = browser.get(address, headers=known)
    assert "Withdrawn" in changed.content.decode()


def test_a_finished_event_keeps_the_words_it_had(event: Tournament, head: Client):
    local = made(event)
    play_round(event)
    events.finish(event, owner_of(event))

    answer = head.post(
        page(event, "local_ruling_edit", local.pk),
        {"text": "Other words.", "reason": "Late", "seen": "1"},
    )

    assert answer.status_code == 409
    assert "finished" in answer.content.decode()
    assert "Three minutes a turn." in read(Client(), page(event, "event_rulings"))


def test_a_ruling_is_used_again_and_left_out(event: Tournament):
    local = made(event)
    owner = event.staff.get().user
    later = make_event(players=0, owner=owner, name="Autumn Run")
    browser = logged_in(owner)
    assert "Use it here too" in read(browser, page(later, "local_rulings"))

    browser.post(page(later, "local_ruling_use", local.ruling.pk))
    assert "Three minutes a turn." in read(Client(), page(later, "event_rulings"))
    browser.post(page(later, "local_ruling_leave", later.local_rulings.get().pk))

    assert "Three minutes a turn." not in read(Client(), page(later, "event_rulings"))


def test_pages_of_many_rulings_ask_no_more_than_of_a_few(event: Tournament, head: Client):
    def asked() -> list[int]:
        counts = []
        for name in ("local_rulings", "event_rulings"):
            counts.append(queries_of(head.get, page(event, name)))
        return counts

    first = made(event)

    def make_more(count: int) -> None:
        for number in range(count):
            wording = Wording(f"Words {number}.", [first.ruling.current])
            local_rulings.make(event, owner_of(event), f"Topic {number}", wording)

    make_more(1)
    few = asked()
    make_more(5)

    assert asked() == few
