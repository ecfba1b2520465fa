"""NetrunnerDB during a write; a slow response must not hold a transaction open."""

import json

import pytest
from django.db import connection

from core.http import Policy, Unreachable
from tests.factories.formats import make_card, make_format
from tests.factories.tournaments import make_event
from tournaments.models import Tournament

ADDRESS = "https://netrunnerdb.com/en/decklist/12345/a-deck"
DECK = {"id": 12345, "name": "A Deck", "description": "", "cards": {"00001": 3}}
CARD = "Sure Gamble"


class DeckSite:
    """A site with one deck of three copies of CARD, which counts its requests."""

    def __init__(self) -> None:
        self.asked, self.is_there = 0, True

    def get(self, url: str, policy: Policy) -> bytes:
        self.asked += 1
        assert not connection.in_atomic_block, "others wait for this transaction"
        if not self.is_there:
            raise Unreachable("netrunnerdb.com cannot be reached from here.")
        return json.dumps({"data": [DECK], "total": 1, "success": True}).encode()


def make_deck_site(monkeypatch: pytest.MonkeyPatch) -> DeckSite:
    """Replace outgoing requests by this site."""
    site = DeckSite()
    monkeypatch.setattr("core.http.get", site.get)
    return site


def make_event_of_decks() -> Tournament:
    """Two players in a game whose decks the site has."""
    make_format(make_card(CARD))
    return make_event(players=2, checked_in=False, game="anr", deck_rules={"format_id": "standard"})
