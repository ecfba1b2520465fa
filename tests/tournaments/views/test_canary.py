"""Decks before the reveal and drafts before they are published reach no outsider."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from decks.models import Card, Side
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.views.cast import browser_of
from tests.tournaments.views.crawling import crawl
from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import Registration, Round, StaffRole, Tournament
from tournaments.services import decks, drafting

# What tests/canaries shows in every run is shown here one by one, in the long run.
pytestmark = [
    pytest.mark.django_db,
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


@pytest.mark.slow
@pytest.mark.parametrize("actor", OUTSIDERS)
def test_no_outsider_sees_a_deck_before_the_reveal(actor: str, event: Tournament):
    browser = browser_of(actor, event, player_number(event, 2))

    assert places_with_canaries(browser, event) == set()


@pytest.mark.slow
def test_its_player_the_judge_and_the_organiser_see_the_deck(event: Tournament):
    ada = player_number(event, 1)
    mine = reverse("tournaments:deck", args=[event.slug, "corp"])
    behind_the_desk = reverse("tournaments:deck_of", args=[event.slug, 1, "corp"])

    assert mine in places_with_canaries(browser_of("player", event, ada), event)
    for actor in ("judge", "organiser", "owner"):
        assert behind_the_desk in places_with_canaries(browser_of(actor, event, ada), event)


@pytest.mark.parametrize("actor", ["anonymous", pytest.param("player", marks=pytest.mark.slow)])
def test_once_revealed_the_deck_is_on_its_page_and_the_page_of_all(actor: str, event: Tournament):
    decks.set_revealed(event, owner_of(event), revealed=True)
    browser = browser_of(actor, event, player_number(event, 2))

    everybody = reverse("tournaments:decks", args=[event.slug])
    alone = reverse("tournaments:deck_page", args=[event.slug, 1, "corp"])
    pages = {everybody, alone, f"{alone}export/plain_text/"}
    over_the_api = f"/api/v1/events/{event.slug}/decks/"
    answers = {over_the_api, *(f"{over_the_api}1/corp/{rest}" for rest in ("", ANY_EXPORT))}
    assert places_with_canaries(browser, event) == pages | answers


@pytest.mark.slow
@pytest.mark.parametrize("actor", ["anonymous", "player"])
def test_a_deck_handed_in_changes_nothing_an_outsider_can_measure(actor: str, event: Tournament):
    browser = browser_of(actor, event, player_number(event, 2))
    before = crawl(browser, event, 1)

    hand_in_canaries(player_number(event, 1), f"3 {CANARY}")
    hand_in_canaries(player_number(event, 3))

    assert crawl(browser, event, 1) == before


def test_a_deck_that_is_changed_after_the_reveal_is_told_at_once(event: Tournament):
    decks.set_revealed(event, owner_of(event), revealed=True)
    address = reverse("tournaments:decks", args=[event.slug])
    etag = Client().get(address)["ETag"]

    hand_in_canaries(player_number(event, 1), f"7 {CANARY}")

    assert Client().get(address, headers={"If-None-Match": etag}).status_code == 200


@pytest.fixture
def waiting() -> Tournament:
    """Four players are checked in, and nothing is paired yet."""
    return make_event(players=4, decks_required=False)


def draft_with_a_swap(event: Tournament) -> Round:
    """A draft in which two players have changed places."""
    draft_round(event)
    one, *_ = queries.active_registrations(event)
    round_ = queries.rounds(event).get()
    pairing = queries.pairing_of(round_, one.player)
    assert pairing is not None
    assert pairing.match is not None
    seated = [seat.player_id for seat in pairing.match.seats.all()]
    others = queries.active_registrations(event).exclude(player__in=seated)
    drafting.swap_seats(round_, one, others[0], owner_of(event))
    return round_


@pytest.mark.slow
@pytest.mark.parametrize("actor", ["anonymous", "player", "other_organiser"])
def test_a_draft_changes_nothing_an_outsider_can_measure(actor: str, waiting: Tournament):
    browser = browser_of(actor, waiting, player_number(waiting, 1))
    before = crawl(browser, waiting, 1)

    draft_with_a_swap(waiting)

    assert crawl(browser, waiting, 1) == before


@pytest.mark.parametrize(
    "role",
    [
        StaffRole.JUDGE,
        *(
            pytest.param(role, marks=pytest.mark.slow)
            for role in (StaffRole.SCOREKEEPER, StaffRole.STREAMER)
        ),
    ],
)
def test_staff_who_do_not_run_the_event_learn_nobody_of_a_draft(
    role: StaffRole, waiting: Tournament
):
    browser = Client()
    browser.force_login(add_staff(waiting, role))
    before = crawl(browser, waiting, 1)

    draft_with_a_swap(waiting)

    names = re.compile("|".join(rf"\b{entry.player.name}\b" for entry in queries.roster(waiting)))
    for place, text in crawl(browser, waiting, 1).items():
        assert names.findall(text) == names.findall(before[place]), place


@pytest.mark.slow
def test_the_organiser_sees_the_draft(waiting: Tournament):
    draft_with_a_swap(waiting)
    browser = browser_of("organiser", waiting, player_number(waiting, 1))
    address = reverse("tournaments:draft", args=[waiting.slug, 1])

    page = crawl(browser, waiting, 1)[address, False]

    assert page.startswith("200")
    assert all(entry.player.name in page for entry in queries.roster(waiting))
