"""Decks fetched from a web page, once and outside the transaction."""

import pytest
from django.test import Client

from tests.factories.deck_site import ADDRESS, CARD, DeckSite, make_deck_site, make_event_of_decks
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import add_staff, player_number
from tests.tournaments.pages import url
from tournaments.models import DeckReceipt, IdempotencyRecord, Tournament

pytestmark = pytest.mark.django_db(transaction=True)
FORM = {"address": ADDRESS, "do": "save", "seen": "0", "idempotency_key": "from-the-form"}


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> DeckSite:
    return make_deck_site(monkeypatch)


@pytest.fixture
def event(transactional_db: None) -> Tournament:
    return make_event_of_decks()


@pytest.fixture
def phone(event: Tournament) -> Client:
    return claim(Client(), player_number(event, 1).player)


def deck(event: Tournament) -> str:
    return url("deck", event, "runner")


def test_player_checks_a_deck_by_address(event: Tournament, phone: Client, site: DeckSite):
    checked = phone.post(deck(event), {**FORM, "do": "check"})

    assert (checked.status_code, site.asked) == (200, 1)
    assert CARD in checked.text
    assert not DeckReceipt.objects.exists()
    assert not IdempotencyRecord.objects.exists()


def test_player_saves_a_deck_by_address_and_a_retry_fetches_nothing(
    event: Tournament, phone: Client, site: DeckSite
):
    saved = phone.post(deck(event), FORM, follow=True)
    site.is_there = False
    again = phone.post(deck(event), FORM, follow=True)

    assert site.asked == 1
    assert "Submitted, with receipt 1, but the list is illegal" in saved.text
    assert "Submitted, with receipt 1, but the list is illegal" in again.text
    assert DeckReceipt.objects.count() == 1


def test_failed_fetch_is_shown_beside_the_address(event: Tournament, phone: Client, site: DeckSite):
    site.is_there = False
    refused = phone.post(deck(event), FORM)
    assert (refused.status_code, site.asked) == (422, 1)
    (message,) = refused.context["form"].errors["address"]
    assert message.startswith("NetrunnerDB cannot be reached")

    site.is_there = True
    answer = phone.post(deck(event), FORM, follow=True)

    assert "receipt 1" in answer.text


def test_nothing_is_fetched_for_strangers(event: Tournament, phone: Client, site: DeckSite):
    player_number(event, 1).delete()

    assert phone.post(deck(event), FORM).status_code == 404
    assert site.asked == 0


def test_judge_saves_a_deck_by_address(event: Tournament, site: DeckSite):
    judge = logged_in(add_staff(event, "judge"))
    change = url("deck_change", event, 1, "runner")

    judge.post(change, {**FORM, "reason": "Sent by mail"})

    assert site.asked == 1
    assert DeckReceipt.objects.count() == 1
