"""Handing in decks: check, save, lock; private until revealed."""

import random

import pytest

from decks.catalogue import card_table
from decks.models import Card, Catalogue, DeckSlot
from decks.sample_decks import sample_deck
from tests.factories.library import load_cards
from tests.factories.tournaments import (
    fresh,
    make_event,
    owner_of,
    player_number,
)
from tests.tournaments.views.pages import url
from tournaments.models import DeckSubmission, Tournament
from tournaments.services import decks

CANARY = "Nasuko Cycle"


@pytest.fixture
def tournament() -> Tournament:
    load_cards()
    return make_event(players=4)


@pytest.fixture
def phone(tournament, phone_of):
    return phone_of(player_number(tournament, 1))


def legal(side: str) -> str:
    return sample_deck(side, random.Random(1), card_table("onr").cards)


def test_checking_shows_a_verdict_for_every_line_and_keeps_nothing(phone, tournament):
    text = f"3 {CANARY}\n2 Nasuko Cycel\nnonsense line"

    response = phone.post(url("deck", tournament, "runner"), {"text": text, "do": "check"})

    verdict = response.context["verdict"]
    assert [line.verdict for line in verdict.lines] == ["ok", "unknown", "unknown"]
    assert "is checked and not saved" in response.text
    assert "45" in response.text
    assert not DeckSubmission.objects.exists()


def test_an_illegal_list_is_kept_as_a_draft_and_says_so(phone, tournament):
    response = phone.post(
        url("deck", tournament, "runner"), {"text": f"3 {CANARY}", "do": "save"}, follow=True
    )

    submission = DeckSubmission.objects.get()
    assert not submission.version.is_legal
    assert "Saved as a draft" in response.text
    assert submission.version.seal[:8] in response.text
    assert "Lock this deck" not in response.text


def test_an_illegal_list_cannot_be_locked(phone, tournament):
    phone.post(url("deck", tournament, "runner"), {"text": f"3 {CANARY}", "do": "save"})

    response = phone.post(url("deck_lock", tournament, "runner"), follow=True)

    assert DeckSubmission.objects.get().locked_at is None
    assert "breaks a rule" in response.text


@pytest.mark.parametrize("side", ["corp", "runner"])
def test_a_legal_list_is_saved_then_locked(phone, tournament, side):
    saved = phone.post(
        url("deck", tournament, side), {"text": legal(side), "do": "save"}, follow=True
    )
    assert "Lock this deck" in saved.text

    locked = phone.post(url("deck_lock", tournament, side), follow=True)

    assert DeckSubmission.objects.get(side=side).locked_at is not None
    assert 'name="text"' not in locked.text
    assert "Locked" in locked.text


def test_a_locked_list_is_not_changed_and_nothing_typed_is_lost(phone, tournament):
    phone.post(url("deck", tournament, "runner"), {"text": legal("runner"), "do": "save"})
    phone.post(url("deck_lock", tournament, "runner"))

    response = phone.post(url("deck", tournament, "runner"), {"text": f"1 {CANARY}", "do": "save"})

    assert "This deck is locked" in response.text
    assert f"1 {CANARY}" in response.text
    assert DeckSubmission.objects.get().version.is_legal


def test_an_empty_list_is_not_saved(phone, tournament):
    for text in ("", "  \r\n "):
        response = phone.post(url("deck", tournament, "runner"), {"text": text, "do": "save"})

        assert "Paste the list, choose its file, or give its address" in response.text
    assert not DeckSubmission.objects.exists()


@pytest.mark.parametrize("do", ["check", "save"])
def test_without_cards_the_page_says_so_once_and_keeps_what_was_typed(phone, tournament, do):
    Card.objects.all().delete()
    Catalogue.objects.all().delete()

    response = phone.post(url("deck", tournament, "runner"), {"text": f"3 {CANARY}", "do": do})

    assert response.text.count("No cards of Netrunner (1996) are loaded yet") == 1
    assert f"3 {CANARY}" in response.text
    assert not DeckSubmission.objects.exists()


def test_a_kept_list_is_shown_without_cards_too(phone, tournament):
    phone.post(url("deck", tournament, "runner"), {"text": f"3 {CANARY}", "do": "save"})
    DeckSlot.objects.all().delete()
    Card.objects.all().delete()
    Catalogue.objects.all().delete()

    page = phone.get(url("deck", tournament, "runner")).text

    assert "No cards of Netrunner (1996) are loaded yet" in page
    assert f"3 {CANARY}" in page
    assert "No list yet" not in page


@pytest.mark.parametrize("side", ["both", "CORP", "0"])
def test_there_are_two_sides(phone, tournament, side):
    assert phone.get(url("deck", tournament, side)).status_code == 404


def test_handing_in_does_not_move_the_public_version(phone, tournament):
    before = fresh(tournament).version

    phone.post(url("deck", tournament, "runner"), {"text": f"3 {CANARY}", "do": "save"})

    assert fresh(tournament).version == before


def test_the_phone_page_is_new_when_a_deck_was_unlocked(phone, tournament):
    phone.post(url("deck", tournament, "runner"), {"text": legal("runner"), "do": "save"})
    phone.post(url("deck_lock", tournament, "runner"))
    page = url("my_event", tournament)
    etag = phone.get(page, headers={"X-Fragment": "1"})["ETag"]
    decks.unlock(DeckSubmission.objects.get(), owner_of(tournament), "Typing mistake")

    response = phone.get(page, headers={"X-Fragment": "1", "If-None-Match": etag})

    assert response.status_code == 200


def test_after_the_reveal_everybody_reads_them(client, phone, tournament):
    phone.post(url("deck", tournament, "runner"), {"text": f"3 {CANARY}", "do": "save"})
    assert url("decks", tournament) not in client.get(url("event", tournament)).text
    decks.set_revealed(tournament, owner_of(tournament), revealed=True)

    response = client.get(url("decks", tournament))

    assert f"<li>3 <bdi>{CANARY}</bdi></li>" in response.text
    assert url("decks", tournament) in client.get(url("event", tournament)).text

    decks.set_revealed(tournament, owner_of(tournament), revealed=False)
    assert client.get(url("decks", tournament)).status_code == 404
