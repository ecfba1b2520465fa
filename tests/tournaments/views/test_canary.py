"""Decks before the reveal and drafts before they are published reach no outsider."""

import pytest
from django.test import Client

from decks.models import Card, Side
from tests.factories.tournaments import (
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.views.cast import browser_of
from tests.tournaments.views.crawling import crawl
from tests.tournaments.views.pages import url
from tournaments.actors import Actor
from tournaments.models import Registration, Tournament
from tournaments.services import decks

# What tests/canaries shows in every run is shown here one by one, in the long run.
pytestmark = [
    pytest.mark.check(5, 6, 7),
    pytest.mark.goal("G8"),
]

CANARY = "Canary Protocol"
DECK_LIST = f"44 {CANARY}\n1 Canary of No Such Card"
ANY_EXPORT = "export/plain_text/"
OUTSIDERS = ("anonymous", "stranger", "player", "scorekeeper", "other_organiser")


@pytest.fixture
def event() -> Tournament:
    """A second round is played; player 1 has handed in a Corp deck full of canaries."""
    Card.objects.create(title=CANARY, slug="canary-protocol", side=Side.CORP, type="operation")
    event = make_event(players=4)
    play_round(event)
    start_round(event)
    hand_in_canaries(player_number(event, 1))
    return fresh(event)


def hand_in_canaries(owner: Registration, text: str = DECK_LIST) -> None:
    decks.hand_in(owner, Side.CORP, text, Actor(player=owner.player))


def places_with_canaries(browser: Client, event: Tournament) -> set[str]:
    """The addresses that show a card of the deck, its seal, or how it breaks the rules."""
    version = player_number(event, 1).deck_submissions.get().version
    signs = (CANARY, "No Such Card", version.seal, f"{version.size} cards")
    return {
        address
        for (address, _), text in crawl(browser, event, 1).items()
        if any(sign in text for sign in signs)
    }


@pytest.mark.parametrize("actor", ["anonymous", pytest.param("player", marks=pytest.mark.slow)])
def test_once_revealed_the_deck_is_on_its_page_and_the_page_of_all(actor: str, event: Tournament):
    decks.set_revealed(event, owner_of(event), revealed=True)
    browser = browser_of(actor, event, player_number(event, 2))

    everybody = url("decks", event)
    alone = url("deck_page", event, 1, "corp")
    pages = {everybody, alone, f"{alone}export/plain_text/"}
    over_the_api = f"/api/v1/events/{event.slug}/decks/"
    answers = {over_the_api, *(f"{over_the_api}1/corp/{rest}" for rest in ("", ANY_EXPORT))}
    assert places_with_canaries(browser, event) == pages | answers


def test_a_deck_that_is_changed_after_the_reveal_is_told_at_once(event: Tournament):
    decks.set_revealed(event, owner_of(event), revealed=True)
    address = url("decks", event)
    etag = Client().get(address)["ETag"]

    hand_in_canaries(player_number(event, 1), f"7 {CANARY}")

    assert Client().get(address, headers={"If-None-Match": etag}).status_code == 200
