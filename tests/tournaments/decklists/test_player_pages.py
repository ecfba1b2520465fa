"""Deck pages of a player: check, save, lock, receipts and the deadline."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from decks.models import Card, Catalogue, DeckSlot, Side
from tests.elements import Elements
from tests.factories.decks import legal_corp_list, legal_runner_list
from tests.factories.library import load_cards
from tests.factories.tournaments import (
    add_staff,
    make_event,
    owner_of,
    player_number,
    removed_meanwhile,
)
from tests.tournaments.pages import FRAGMENT, text_of, url
from tournaments.decklists import services
from tournaments.event.permissions import Actor
from tournaments.models import DeckReceipt, DeckSubmission, Registration, Tournament

FIRST_LIST, SECOND_LIST = "3 Loony Goon\n2 Raptor", "2 Raptor\n1 Loony Goon\n1 Nasuko Cycle"
DEADLINE = datetime(2026, 5, 2, 7, 0, tzinfo=UTC)


def make_scene() -> Tournament:
    load_cards()
    return make_event(players=3, time_zone="Europe/Berlin", decks_close_at=DEADLINE)


@pytest.fixture
def phone(event: Tournament, phone_of: Callable[[Registration], Client]) -> Client:
    return phone_of(player_number(event, 1))


@pytest.fixture(autouse=True)
def clock():
    """Set the clock to the evening before the event."""
    with time_machine.travel(DEADLINE - timedelta(hours=12), tick=False) as clock:
        yield clock


def save(phone: Client, event: Tournament, text: str, **sent: object):
    address = url("deck", event, "runner")
    return phone.post(address, {"text": text, "do": "save", **sent}, follow=True)


def test_limit_of_checks_does_not_block_saving(phone, event, settings):
    settings.API_LIMITS = {**settings.API_LIMITS, "player": 0}
    address = url("deck", event, "runner")

    assert [phone.post(address, {"do": action}).status_code for action in ("check", "save")] == [
        429,
        422,
    ]


@pytest.mark.goal("G18")
@pytest.mark.usefixtures("own_clock")
def test_saves_beyond_the_limit_are_refused_before_the_transaction(phone, event, settings):
    settings.API_LIMITS = {**settings.API_LIMITS, "deck_saves": 2}
    api = f"/api/v1/events/{event.slug}/me/decks/runner/"
    save(phone, event, FIRST_LIST)
    phone.put(api, {"text": FIRST_LIST}, content_type="application/json")

    with CaptureQueriesContext(connection) as queries:
        put = phone.put(api, {"text": FIRST_LIST}, content_type="application/json")
        page = phone.post(url("deck", event, "runner"), {"text": FIRST_LIST, "do": "save"})

    assert (put.status_code, page.status_code) == (429, 429)
    assert "You have sent too many requests." in page.text
    assert all(query["sql"].startswith("SELECT") for query in queries)


def test_list_saved_twice_shows_its_receipt(phone, event):
    save(phone, event, FIRST_LIST)

    page = save(phone, event, FIRST_LIST).text

    # 19:00 in London's summer is 21:00 in the zone of the event.
    assert "Already received on 1 May 2026, 21:00:00, as receipt" in page
    assert DeckReceipt.objects.count() == 1


def test_player_removed_during_the_request_gets_a_message_and_keeps_the_list(phone, event):
    with removed_meanwhile(player_number(event, 1)):
        page = save(phone, event, FIRST_LIST)

    assert page.status_code == 409
    assert "removed from the roster" in page.text
    assert "3 Loony Goon" in page.text


def test_judge_sees_the_seal_and_can_read_and_compare_every_receipt(phone, event):
    for text in (FIRST_LIST, SECOND_LIST):
        save(phone, event, text)

    page = phone.get(url("deck", event, "runner")).text
    first = phone.get(url("deck_receipt", event, "runner", 1)).text
    change = phone.get(url("deck_difference", event, "runner")).text
    reversed_order = phone.get(
        url("deck_difference", event, "runner"), {"older": "2", "newer": "1"}
    )

    seal = DeckSubmission.objects.get().version.seal
    assert "If a judge checks your deck" in page
    assert f">{seal[:8]}<" in page
    assert f">{seal}<" in page
    assert [f"Receipt {number}</a>" in page for number in (1, 2, 3)] == [True, True, False]
    assert f">{FIRST_LIST}</pre>" in first
    assert "From receipt 1 to receipt 2" in change
    assert "Nasuko Cycle" in change
    assert "Raptor</th>" not in change
    assert "From receipt 2 to receipt 1" in reversed_order.text
    for number in (0, 3, 40_000, 10**30):
        missing = phone.get(url("deck_receipt", event, "runner", number))
        assert missing.status_code == 404


def test_single_list_offers_no_comparison(phone, event):
    save(phone, event, FIRST_LIST)

    assert "There is only one version" in phone.get(url("deck_difference", event, "runner")).text
    for query in ({"older": "7"}, {"older": "0"}, {"newer": "x"}, {"newer": "9" * 40}):
        assert phone.get(url("deck_difference", event, "runner"), query).status_code == 404


def test_checked_file_is_shown_in_the_text_box(phone, event):
    file = SimpleUploadedFile("deck.txt", FIRST_LIST.encode())

    page = phone.post(url("deck", event, "runner"), {"text": "", "file": file}).text

    assert "3 Loony Goon" in page
    assert "has been checked but not saved yet" in page
    assert not DeckSubmission.objects.exists()


def test_older_page_does_not_overwrite_a_newer_list(phone, event):
    save(phone, event, FIRST_LIST, seen="0")
    checked = phone.post(url("deck", event, "runner"), {"text": SECOND_LIST, "seen": "0"}).text
    assert 'name="seen" value="0"' in checked

    answer = save(phone, event, SECOND_LIST, seen="0")

    assert answer.status_code == 409
    assert "Another list has been submitted since you opened this page" in answer.text
    assert "1 Nasuko Cycle" in answer.text
    assert 'name="seen" value="1"' in answer.text
    assert DeckSubmission.objects.get().version.text == FIRST_LIST
    assert save(phone, event, SECOND_LIST, seen="1").status_code == 200


def test_list_changed_since_the_preview_is_not_locked(phone, event):
    lock = url("deck_lock", event, "runner")
    page = save(phone, event, legal_runner_list()).text
    assert 'name="seen" value="1"><button' in page
    save(phone, event, legal_runner_list(2))

    answer = phone.post(lock, {"seen": "1"}, follow=True)

    assert "Another list has been submitted" in answer.text
    assert DeckSubmission.objects.get().locked_at is None
    phone.post(lock, {"seen": "2"})
    assert DeckSubmission.objects.get().locked_at is not None


def test_deadline_is_shown_before_and_after(phone, event, clock):
    save(phone, event, FIRST_LIST)
    before = phone.get(url("deck", event, "runner")).text

    clock.move_to(DEADLINE)
    after = phone.get(url("deck", event, "runner")).text
    refused = save(phone, event, SECOND_LIST)

    assert "2 May 2026, 09:00" in before
    assert "(Europe/Berlin), in 12" in before
    assert 'name="text"' in before
    assert "Locked at the deadline" in after
    assert 'name="text"' not in after
    assert "deadline for decks has passed" in refused.text
    assert "Your text, not submitted" in refused.text


def test_page_on_the_phone_changes_at_the_deadline(phone, event, clock):
    save(phone, event, FIRST_LIST)
    page = url("my_event", event)
    etag = phone.get(page, headers=FRAGMENT)["ETag"]
    assert phone.get(page, headers={**FRAGMENT, "If-None-Match": etag}).status_code == 304

    clock.move_to(DEADLINE)
    answer = phone.get(page, headers={**FRAGMENT, "If-None-Match": etag})

    assert answer.status_code == 200
    assert "Decks have been locked since 2 May 2026, 09:00" in answer.text


def test_change_by_staff_names_the_account_and_the_reason(phone, event):
    save(phone, event, FIRST_LIST)
    judge = add_staff(event, "judge", "judith")
    ada = player_number(event, 1)
    services.change_deck_for_player(
        ada, Side.RUNNER, SECOND_LIST, Actor(user=judge), "two copies lost"
    )

    page = phone.get(url("deck", event, "runner")).text

    assert "Staff: <bdi>judith</bdi>" in page
    assert "two copies lost" in page


CANARY = "Nasuko Cycle"


def test_check_shows_a_verdict_for_every_line_and_writes_nothing(phone, event):
    text = f"3 {CANARY}\n2 Nasuko Cycel\nnonsense line"
    sent = {"text": text, "do": "check", "idempotency_key": "of-the-form"}

    with CaptureQueriesContext(connection) as queries:
        response = phone.post(url("deck", event, "runner"), sent)
    fixed = phone.post(url("deck", event, "runner"), {**sent, "use": f"2:{CANARY}"})

    verdict = response.context["verdict"]
    assert [line.verdict for line in verdict.lines] == ["ok", "unknown", "unknown"]
    assert "This list has been checked but not saved yet." in response.text
    assert not [query for query in queries if query["sql"].startswith("INSERT")]
    assert 'value="check" formaction="#verdict"' in response.text
    assert response.text.count('id="verdict"') == 1
    assert f'name="use" value="2:{CANARY}"' in response.text
    assert fixed.context["form"]["text"].value().splitlines()[1] == f"2 {CANARY}"
    assert not DeckSubmission.objects.exists()


def test_illegal_list_is_saved_as_a_draft_and_marked_on_both_pages(phone, event):
    response = save(phone, event, f"3 {CANARY}")
    page = phone.get(url("my_event", event)).text

    submission = DeckSubmission.objects.get()
    assert not submission.version.is_legal
    assert "Submitted, with receipt 1, but the list is illegal" in response.text
    assert submission.version.seal[:8] in response.text
    assert "Lock this deck" not in response.text
    assert "Illegal" in page
    assert "The Runner deck breaks a rule of the event." in page


def test_problems_of_the_whole_deck_come_first_and_before_the_seal(phone, event):
    page = text_of(save(phone, event, f"3 {CANARY}\nnonsense line"))

    top, verdict = page.split("To fix")[0], page.split("problems to fix")[1]
    too_small = "a Runner deck needs at least"
    assert "Fix the problems, then save it again." in top
    assert too_small in top
    assert verdict.index(too_small) < verdict.index("Line 2")
    assert page.index("problems to fix") < page.index("Show this seal")


def test_fixed_title_has_a_save_button_beside_the_verdict(phone, event):
    sent = {"text": "2 Nasuko Cycel", "use": f"1:{CANARY}"}
    fixed = phone.post(url("deck", event, "runner"), sent)
    saved = save(phone, event, f"2 {CANARY}")

    def outside_the_form(answer: Any) -> list[str]:
        buttons = Elements(answer.text).all("button")
        return [button["value"] for button in buttons if button.get("form") == "deck-form"]

    assert outside_the_form(fixed) == ["save"]
    assert outside_the_form(saved) == []
    assert fixed.text.index("not saved yet") > fixed.text.index('id="verdict"')


def test_legal_list_is_locked_and_a_later_list_is_refused_and_shown(phone, event):
    assert "Lock this deck" in save(phone, event, legal_runner_list()).text

    locked = phone.post(url("deck_lock", event, "runner"), follow=True)
    refused = save(phone, event, f"1 {CANARY}")

    submission = DeckSubmission.objects.get()
    assert submission.locked_at is not None
    assert submission.version.is_legal
    assert 'name="text"' not in locked.text
    assert "Locked" in locked.text
    assert "This deck is locked" in refused.text
    assert f"1 {CANARY}" in refused.text


def test_page_without_card_data_has_one_notice_and_keeps_the_list(phone, event):
    save(phone, event, f"3 {CANARY}")
    DeckSlot.objects.all().delete()
    Card.objects.all().delete()
    Catalogue.objects.all().delete()
    deck = url("deck", event, "runner")

    opened = phone.get(deck)
    checked, saved = (
        phone.post(deck, {"text": "2 Raptor", "do": action}) for action in ("check", "save")
    )

    for page, text in ((opened, f"3 {CANARY}"), (checked, "2 Raptor"), (saved, "2 Raptor")):
        assert page.text.count("No cards of Netrunner (1996) are loaded yet") == 1
        assert text in page.text
    assert "No list yet" not in opened.text
    assert DeckReceipt.objects.count() == 1


def test_deck_page_says_whether_the_deck_is_submitted_and_what_is_left_to_do(phone, event):
    before = text_of(phone.get(url("deck", event, "runner")))
    save(phone, event, FIRST_LIST)
    illegal = text_of(phone.get(url("deck", event, "runner")))
    save(phone, event, legal_runner_list())
    legal = text_of(phone.get(url("deck", event, "runner")))

    assert "Not submitted. Paste your list, check it and save it" in before
    assert "Submitted. It is not legal yet: fix it and save it again." in illegal
    assert "Submitted. You can still change it, or lock it when it is final." in legal


def test_saved_deck_is_shown_as_unlocked_on_the_desk(phone, event):
    services.receive_deck(player_number(event, 1), Side.CORP, legal_corp_list(), owner_of(event))

    page = phone.get(url("my_event", event)).text

    assert "Submitted, can still be changed" in page
    assert "Draft" not in page


@pytest.mark.parametrize(
    ("game", "side"),
    [("onr", "both"), ("onr", "CORP"), ("onr", "0"), ("free_radicals", "corp")],
)
def test_deck_pages_exist_only_for_the_sides_of_a_game_with_decks(phone_of, game, side):
    event = make_event(players=3, game=game, name="Elsewhere")

    answer = phone_of(player_number(event, 1)).get(url("deck", event, side))

    assert answer.status_code == 404


def test_card_is_added_with_and_without_javascript(phone, event):
    address = url("deck", event, "runner")
    sent = {"text": "3 Loony Goon", "add_card": "Raptor", "add_copies": "2", "do": "check"}

    page = phone.post(address, sent)

    assert page.context["form"]["text"].value() == "3 Loony Goon\n2 Raptor"
    assert page.context["verdict"].lines[1].card == "Raptor"
    assert 'list="deck-titles"' in page.text
    assert 'name="add_card" value=""' in page.text
    assert not DeckReceipt.objects.exists()
    completed = phone.get("/cards/complete/?game=onr&side=runner&of=add_card&add_card=rapt")
    assert "Raptor" in completed.text
