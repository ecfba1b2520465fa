"""Deck pages of the staff: changes, locks and warnings."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from decks.models import DecklistVersion, Side
from players.models import User
from tests.factories.decks import legal_corp_list, legal_runner_list
from tests.factories.library import load_cards
from tests.factories.sessions import logged_in
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    add_staff,
    fresh,
    make_event,
    make_user,
    player_number,
    start_round,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path, text_of
from tournaments.decklists import queries as deck_queries
from tournaments.decklists import services
from tournaments.event.permissions import Actor
from tournaments.models import DeckReceipt, DeckSubmission, StaffRole, Tournament

ILLEGAL_LIST, SECOND_LIST = "3 Loony Goon", "2 Raptor"
DEADLINE = datetime(2026, 5, 2, 7, 0, tzinfo=UTC)


def make_scene() -> Tournament:
    load_cards()
    return make_event(players=3, owner=make_user(OWNER))


def submit(event: Tournament, number: int, text: str, side: Side = Side.RUNNER) -> DeckSubmission:
    entry = player_number(event, number)
    return submit_deck(entry, side, text, Actor(player=entry.player))


def change(browser: Client, event: Tournament, **sent: str):
    address = path(event, "desk/decks/1/runner/change/")
    return browser.post(address, {"do": "save", **sent}, follow=True)


def test_judge_changes_a_list_with_a_reason(event: Tournament):
    submit(event, 1, ILLEGAL_LIST)
    judge = add_staff(event, StaffRole.JUDGE, "judith")
    browser = logged_in(judge)

    refused = change(browser, event, text=SECOND_LIST, reason="")
    assert "Give a reason for changing the player" in text_of(refused)
    assert SECOND_LIST in text_of(refused)
    checked = change(browser, event, text=SECOND_LIST, reason="for a look", do="check")
    assert "This list has been checked but not saved yet." in text_of(checked)
    assert 'value="for a look"' in checked.text
    # The player has saved the list after this page was opened.
    assert change(browser, event, text=SECOND_LIST, reason="asked for", seen="0").status_code == 409
    assert DeckReceipt.objects.count() == 1
    saved = change(browser, event, text=SECOND_LIST, reason="two cards were lost")

    assert "Submitted, with receipt 2, but the list is illegal" in text_of(saved)
    receipt = DeckReceipt.objects.get(number=2)
    assert (receipt.received_from, receipt.reason) == (judge, "two cards were lost")
    assert DeckSubmission.objects.get().version.text == SECOND_LIST


def test_form_requires_a_reason_and_is_not_stored_on_the_device(desk: Client, event: Tournament):
    submit(event, 1, ILLEGAL_LIST)

    page = desk.get(path(event, "desk/decks/1/runner/change/")).text
    reason = re.search(r'<input[^>]*name="reason"[^>]*>', page)
    check = re.search(r'<button[^>]*value="check"[^>]*>', page)

    assert reason is not None
    assert check is not None
    assert "required" in reason[0]
    assert page.index(reason[0]) < page.index('name="text"')
    assert "formnovalidate" in check[0]
    assert ILLEGAL_LIST in page
    assert " data-keep" not in page


def test_staff_can_enter_the_first_list_of_a_player(desk: Client, event: Tournament):
    page = desk.get(path(event, "desk/decks/1/runner/change/"))
    assert "Submit the Runner deck for Ada" in text_of(page)

    change(desk, event, text=legal_runner_list(), reason="no phone", seen="0")

    assert DeckSubmission.objects.get().version.is_legal


@pytest.mark.parametrize("place", ["9/runner/change", "1/both/change", "1/corp", "1/both"])
def test_list_of_an_unknown_player_is_not_found(desk: Client, event: Tournament, place: str):
    assert desk.get(path(event, f"desk/decks/{place}/")).status_code == 404


def test_one_or_all_decks_are_locked_and_unlocked_with_a_reason(desk: Client, event: Tournament):
    submit(event, 1, ILLEGAL_LIST)
    deck = path(event, "desk/decks/1/runner/")

    locked = desk.post(f"{deck}lock/", follow=True)
    assert "Locked by the staff" in text_of(locked)
    desk.post(f"{deck}unlock/", {"reason": ""})
    assert DeckSubmission.objects.get().locked_at is not None
    desk.post(f"{deck}unlock/", {"reason": "misspelt"})
    assert DeckSubmission.objects.get().locked_at is None

    locked = desk.post(path(event, "desk/decks/lock/"), follow=True)
    assert "Only the staff can change lists now." in text_of(locked)
    assert "Locked by the staff" in text_of(locked)
    desk.post(path(event, "desk/decks/reopen/"), {"reason": ""})
    assert fresh(event).decks_locked_at is not None
    desk.post(path(event, "desk/decks/reopen/"), {"reason": "the fire alarm"})
    assert fresh(event).decks_locked_at is None


def test_list_of_decks_counts_decks_that_the_deadline_locks(desk: Client, event: Tournament):
    submit(event, 1, ILLEGAL_LIST)
    Tournament.objects.update(decks_close_at=DEADLINE)

    with time_machine.travel(DEADLINE - timedelta(hours=1), tick=False):
        before = text_of(desk.get(path(event, "desk/decks/")))
    with time_machine.travel(DEADLINE, tick=False):
        after = text_of(desk.get(path(event, "desk/decks/")))

    assert "Locked 0" in before
    assert "The deadline locks all decks on 2 May 2026, 07:00" in before
    assert "Locked 1" in after
    assert "Locked at the deadline Since 2 May 2026, 07:00" in after
    assert "This removes the deadline" in after


def test_desk_names_illegal_and_missing_decks_before_and_after_round_one(
    desk: Client, event: Tournament
):
    submit(event, 1, ILLEGAL_LIST)
    submit(event, 1, legal_corp_list(), Side.CORP)
    submit(event, 2, ILLEGAL_LIST)

    before = desk.get(path(event)).text
    page = logged_in(add_staff(event, StaffRole.SCOREKEEPER)).get(path(event)).text
    start_round(event)
    after = desk.get(path(event)).text

    assert "Illegal decks: 2 players" in before
    assert "Without a deck: 2 players" in before
    assert path(event, "desk/decks/1/runner/") in before
    assert path(event, "desk/decks/2/corp/change/") in before
    for words in ("Illegal decks: 2 players", "Without a deck: 2 players"):
        assert words in after
    for words in ("Runner deck is illegal", "no Corp deck", "no Corp or Runner deck"):
        assert words in page
    # Scorekeepers cannot read lists or cards.
    assert "Loony Goon" not in page
    assert path(event, "desk/decks/1/runner/") not in page


def test_desk_names_the_first_twenty_players_without_a_deck(desk: Client, owner: User):
    event = make_event(players=23, owner=owner)

    page = text_of(desk.get(path(event)))

    assert "Without a deck: 23 players" in page
    assert page.count("no Corp or Runner deck") == 20
    assert "And 3 more players. See all decks" in page


def test_desk_names_only_illegal_decks_if_decks_are_optional(desk: Client, event: Tournament):
    Tournament.objects.update(decks_required=False)
    assert "Deck problems" not in desk.get(path(event)).text

    submit(event, 1, ILLEGAL_LIST)

    page = desk.get(path(event)).text
    assert "Illegal decks: 1 player" in page
    assert "Without a deck" not in page


def test_announced_ban_list_is_shown_with_the_number_of_affected_decks(desk: Client, owner: User):
    load_cards("anr")
    event = make_event(
        players=2,
        owner=owner,
        game="anr",
        deck_rules={"format_id": "standard"},
        starts_on=date(2025, 10, 10),
    )
    with time_machine.travel(datetime(2025, 9, 17, 12, tzinfo=UTC)):
        for number in (1, 2):
            submit(event, number, "Jinteki: Restoring Humanity\n2 Sting!", Side.CORP)
        page = text_of(desk.get(path(event)))

    assert (
        "Standard Ban List 25.10 takes effect on 3 October 2025, before the event on 10 October "
        "2025. 2 decks are affected." in page
    )
    assert "Sting!" not in page
    version = DecklistVersion.objects.first()
    assert "Sting! will be banned" in version.stored_notices[0].message


def test_new_card_data_is_announced_while_rechecks_are_queued(desk: Client, event: Tournament):
    submit(event, 1, ILLEGAL_LIST)
    services.request_judging(event)

    page = text_of(desk.get(path(event)))

    assert "Checking the decks again. This page updates when it is done." in page


def test_desk_does_not_load_deck_lists(event: Tournament):
    """The desk is polled, so it must load only verdicts."""
    for number in (1, 2, 3):
        submit(event, number, ILLEGAL_LIST)

    with CaptureQueriesContext(connection) as queries:
        list(deck_queries.registrations_with_decks(event))

    statements = " ".join(query["sql"] for query in queries)
    assert len(queries) == 2
    assert '"is_legal"' in statements
    assert '"text"' not in statements
