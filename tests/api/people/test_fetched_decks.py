"""Decks fetched from an address, outside the transaction and once."""

import pytest
from rest_framework.test import APIClient

from tests.api.clients import guest as guest_of
from tests.api.people.conftest import AsStaff
from tests.factories.deck_site import ADDRESS, DeckSite, make_deck_site, make_event_of_decks
from tests.factories.tournaments import player_number
from tournaments.models import DeckReceipt, Tournament

pytestmark = pytest.mark.django_db(transaction=True)
EVENT = "/api/v1/events/spring-run/"
MINE, HIS = f"{EVENT}me/decks/runner/", f"{EVENT}decks/1/runner/"
KEY = {"Idempotency-Key": "a-key"}
BODY = {"url": ADDRESS, "version": 0}
CHANGE = {**BODY, "reason": "Sent by mail"}


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> DeckSite:
    return make_deck_site(monkeypatch)


@pytest.fixture
def event(transactional_db: None) -> Tournament:
    return make_event_of_decks()


def etag_header(client: APIClient, address: str) -> dict[str, str]:
    return {"If-Match": client.get(address).headers["ETag"]}


@pytest.mark.usefixtures("event")
def test_repeated_key_fetches_nothing(guest: APIClient, site: DeckSite):
    saved = guest.put(MINE, BODY, "json", headers=KEY)
    site.is_there = False
    repeated = guest.put(MINE, BODY, "json", headers=KEY)

    assert (saved.status_code, saved.data["receipt"]["number"]) == (200, 1)
    assert repeated.headers["Idempotency-Replayed"] == "true"
    assert repeated.json() == saved.json()
    assert site.asked == 1


@pytest.mark.usefixtures("event")
def test_stale_etag_fetches_nothing(guest: APIClient, site: DeckSite):
    stale = guest.put(MINE, BODY, "json", headers={**KEY, "If-Match": '"another"'})
    assert (stale.status_code, site.asked) == (412, 0)

    saved = guest.put(MINE, BODY, "json", headers=etag_header(guest, MINE))

    assert (saved.status_code, site.asked) == (200, 1)


@pytest.mark.parametrize("headers", [{}, KEY])
def test_judge_with_a_current_etag(
    event: Tournament, guest: APIClient, staff: AsStaff, site: DeckSite, headers
):
    guest.put(MINE, {"text": "3 Sure Gamble"}, "json")
    judge = staff("judge")
    version_header = etag_header(judge, HIS)

    saved = judge.put(HIS, {**CHANGE, "version": 1}, "json", headers={**version_header, **headers})

    assert (saved.status_code, saved.data["receipt"]["number"], site.asked) == (200, 2, 1)
    assert {receipt.submission.registration.number for receipt in DeckReceipt.objects.all()} == {1}


@pytest.mark.usefixtures("event")
def test_checked_list_is_fetched(guest: APIClient, site: DeckSite):
    body = {"side": "runner", "url": ADDRESS}

    checked = guest.post(f"{EVENT}decks/check/", body, "json", headers=KEY)

    assert (checked.status_code, site.asked) == (200, 1)


@pytest.mark.usefixtures("event")
def test_failed_fetch_is_reported_at_the_url(guest: APIClient, site: DeckSite):
    site.is_there = False

    refused = guest.put(MINE, BODY, "json", headers=KEY)

    assert (refused.status_code, site.asked) == (400, 1)
    (message,) = refused.data["errors"]["url"]
    assert "cannot be reached" in str(message)
    assert not DeckReceipt.objects.exists()


def test_refused_person_fetches_nothing(event: Tournament, staff: AsStaff, site: DeckSite):
    opponent = guest_of(player_number(event, 2))

    assert opponent.put(HIS, CHANGE, "json", headers=KEY).status_code == 403
    assert staff("scorekeeper").put(HIS, CHANGE, "json", headers=KEY).status_code == 403
    assert APIClient().put(MINE, BODY, "json", headers=KEY).status_code == 401
    assert site.asked == 0
