"""Canary cards of a deck never reach readers without permission, at any address in any state."""

import random
from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import timezone

from players.services import issue_claim
from tests.factories.sessions import logged_in
from tests.factories.submissions import identity_card, plain_card, submit
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    player_number,
    sitting,
    start_round,
    tables_of,
)
from tests.tournaments.cast import browser_of
from tests.tournaments.crawling import crawl
from tests.tournaments.pages import FRAGMENT, url
from tournaments.decklists import services
from tournaments.decklists.services import StageAudience, set_audiences
from tournaments.models import DeckAudience, DeckSubmission, StaffRole, Tournament
from tournaments.registration import roster_changes
from tournaments.rounds import services as rounds_services

pytestmark = [
    pytest.mark.check(5, 6, 8, 9),
    pytest.mark.goal("G8"),
]

CARD, PERSON = "Canary Protocol", "Canary Consortium: Sings of Gas"
BOTH = frozenset({"card", "identity"})
IDENTITY, NOTHING = frozenset({"identity"}), frozenset[str]()
ACTORS = ("anonymous", "stranger", "scorekeeper", "other_organiser", "opponent", "player")
"""`player` plays and has not met the owner of the deck; `opponent` is at the owner's table."""


@pytest.fixture
def event() -> Tournament:
    """Return an event of Android: Netrunner before round 1; player 1 has the canary deck."""
    tournament = make_event(players=4, game="anr")
    submit(
        player_number(tournament, 1),
        identity=identity_card(PERSON),
        cards=(plain_card(CARD, "anr"),),
    )
    return tournament


def browser(actor: str, event: Tournament) -> Client:
    owner = player_number(event, 1)
    if actor == "owner_of_the_deck":
        return browser_of("player", event, owner)
    if actor not in ("opponent", "player"):
        return browser_of(actor, event, owner)
    tables = [sitting(pairing) for pairing in tables_of(get_round(event, 1))]
    (opponent,) = (
        player for table in tables if owner in table for player in table if player != owner
    )
    stranger = next(table[0] for table in tables if owner not in table)
    return browser_of("player", event, opponent if actor == "opponent" else stranger)


def canaries_found(client: Client, event: Tournament, *, parts: bool = False) -> frozenset[str]:
    """Return the canaries on all pages, API responses and files that this client can read."""
    version = player_number(event, 1).deck_submissions.get().version
    signs = {"card": (CARD, version.seal), "identity": (PERSON, "Sings of Gas")}
    return frozenset(
        name
        for text in crawl(client, event, 1, parts=parts).values()
        for name, words in signs.items()
        if any(word in text for word in words)
    )


STATES = {
    "private": dict.fromkeys(ACTORS, IDENTITY),
    "opponent": dict.fromkeys(ACTORS, IDENTITY) | {"opponent": BOTH},
    "participants": dict.fromkeys(ACTORS, IDENTITY) | {"opponent": BOTH, "player": BOTH},
    "public": dict.fromkeys(ACTORS, BOTH),
    "revealed": dict.fromkeys(ACTORS, BOTH),
}
STATES_WITH_DECKS = {
    state: {actor: found if found == BOTH else NOTHING for actor, found in row.items()}
    for state, row in STATES.items()
}
"""As in STATES, if identities are visible only with the deck."""


def set_state(event: Tournament, state: str, identities: str) -> None:
    if state == "revealed":
        services.set_decks_revealed(event, owner_of(event), revealed=True)
    audience = DeckAudience.PRIVATE if state == "revealed" else DeckAudience(state)
    set_audiences(event, owner_of(event), {1: StageAudience(audience)}, identities_shown=identities)


def all_cases() -> Iterator[object]:
    """Yield each state with each reader; quick runs only have the nearest refused readers."""
    few = {("opponent", "player"), ("participants", "anonymous")}
    for identities, states in (("round_one", STATES), ("with_decks", STATES_WITH_DECKS)):
        for state, row in states.items():
            for actor, expected in row.items():
                quick = identities == "with_decks" and (state, actor) in few
                marks = () if quick else (pytest.mark.slow,)
                yield pytest.param(identities, state, actor, expected, marks=marks)


@pytest.mark.parametrize(("identities", "state", "actor", "expected"), list(all_cases()))
def test_canaries_are_found_only_where_permitted(event, identities, state, actor, expected):
    set_state(event, state, identities)
    start_round(event)

    assert canaries_found(browser(actor, event), event) == expected


@pytest.mark.check(7)
@pytest.mark.parametrize("actor", ["anonymous", pytest.param("player", marks=pytest.mark.slow)])
def test_revealed_deck_is_on_its_page_and_in_the_list_of_decks(event, actor):
    set_state(event, "revealed", "with_decks")
    start_round(event)

    pages = crawl(browser(actor, event), event, 1, parts=False).items()

    alone, over_the_api = url("deck_page", event, 1, "corp"), f"/api/v1/events/{event.slug}/decks/"
    export = "export/plain_text/"
    assert {address for (address, _), text in pages if CARD in text} == {
        *(url("decks", event), alone, f"{alone}{export}"),
        *(over_the_api, f"{over_the_api}1/corp/", f"{over_the_api}1/corp/{export}"),
        url("export_html", event),
    }


@pytest.mark.parametrize("actor", ["judge", "owner_of_the_deck", "organiser", "owner"])
@pytest.mark.slow
def test_player_and_judges_find_the_canaries_at_any_time(event, actor):
    assert canaries_found(browser(actor, event), event) == BOTH


@pytest.mark.parametrize(
    ("audience", "parts"),
    [
        ("public", False),
        *(pytest.param(name, True, marks=pytest.mark.slow) for name in ("public", "participants")),
    ],
)
def test_no_canary_is_found_before_round_1_is_published(event, audience, parts):
    set_state(event, audience, "round_one")
    draft_round(event)

    assert canaries_found(browser("anonymous", event), event, parts=parts) == NOTHING


def swap_decks(event: Tournament) -> None:
    """Exchange the decks of players 1 and 2."""
    first, second = (
        DeckSubmission.objects.get(registration=player_number(event, number)) for number in (1, 2)
    )
    first.version, second.version = second.version, first.version
    first.save()
    second.save()


@pytest.mark.parametrize("actor", ["anonymous", "stranger", "scorekeeper", "other_organiser"])
@pytest.mark.slow
def test_responses_do_not_change_when_two_hidden_decks_are_exchanged(event, actor, time_machine):
    # Printouts show the minute of printing, and requesting all pages takes longer than that.
    time_machine.move_to(timezone.now(), tick=False)
    set_state(event, "opponent", "with_decks")
    submit(player_number(event, 2), identity=identity_card("Somebody"), copies=1)
    start_round(event)
    client = browser(actor, event)
    client.get(url("event", event))
    before = crawl(client, event, 1)

    swap_decks(event)
    if actor == "anonymous":
        # Before a browser has a cookie it gets the shared pages.
        client = browser(actor, event)
        client.get(url("event", event))

    after = crawl(client, event, 1)
    changed = {address for (address, part), text in after.items() if before[address, part] != text}
    # Slips show the seals of decks, which reveal no card.
    slips = url("slips", event, 1)
    assert changed == ({slips} if actor == "scorekeeper" else set())


def places_of(event: Tournament) -> dict[str, str]:
    """Return the addresses that show the deck of player 1, by route name."""
    return {
        "deck_page": url("deck_page", event, 1, "corp"),
        "deck_of": url("deck_of", event, 1, "corp"),
        "decks": url("decks", event),
        "event": url("event", event),
    }


def test_removed_judge_cannot_read_decks_in_the_next_request(event):
    judge = add_staff(event, StaffRole.JUDGE)
    client = logged_in(judge)
    places = places_of(event)
    assert client.get(places["deck_page"]).status_code == 200
    assert client.get(places["deck_of"]).status_code == 200

    event.staff.filter(user=judge).delete()

    assert client.get(places["deck_page"]).status_code == 404
    assert client.get(places["deck_of"]).status_code == 403


def test_removed_player_cannot_read_a_private_event(event):
    Tournament.objects.filter(pk=event.pk).update(visibility="private")
    set_state(fresh(event), "participants", "with_decks")
    event.stages.update(decks_shown_at=event.created_at)
    two = player_number(event, 2)
    client = browser_of("player", event, two)
    places = places_of(event)
    shown = ("deck_page", "decks", "event")
    assert [client.get(places[name]).status_code for name in shown] == [200, 200, 200]

    roster_changes.remove_player(two, owner_of(event))

    assert [client.get(places[name]).status_code for name in shown] == [404, 404, 404]


def test_phone_with_a_replaced_link_cannot_read_decks(event):
    set_state(event, "participants", "with_decks")
    start_round(event)
    two = player_number(event, 2)
    client = browser_of("player", event, two)
    page = places_of(event)["deck_page"]
    assert client.get(page).status_code == 200

    issue_claim(two.player)

    assert client.get(page).status_code == 404


def test_unpublished_round_hides_the_deck_page(event):
    set_state(event, "opponent", "with_decks")
    start_round(event)
    client, page = browser("opponent", event), places_of(event)["deck_page"]
    assert client.get(page).status_code == 200

    rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "Too early.")

    assert client.get(page).status_code == 404


def test_page_for_one_reader_is_not_cached(event):
    set_state(event, "opponent", "with_decks")
    start_round(event)
    client, places = browser("opponent", event), places_of(event)

    for page in (places["deck_page"], places["decks"]):
        answer = client.get(page)
        assert CARD in answer.text
        assert {"no-store", "private"} <= set(answer["Cache-Control"].split(", "))


@pytest.mark.parametrize("turns", [30, pytest.param(1000, marks=pytest.mark.slow)])
def test_interleaved_readers_get_their_own_page_from_warm_caches(event, turns):
    set_state(event, "opponent", "with_decks")
    start_round(event)
    readers = {
        reader: browser(reader, event)
        for reader in ("anonymous", "opponent", "player", "organiser")
    }
    order = random.Random(turns)
    page = url("pairings", event)

    for turn in range(turns):
        reader = order.choice(list(readers))
        answer = readers[reader].get(page, headers=FRAGMENT if turn % 2 else {})
        assert ("Canary" in answer.text) == (reader == "opponent"), (turn, reader)
        assert ("private" in answer["Cache-Control"]) == (reader != "anonymous"), (turn, reader)
        assert "Cookie" in answer["Vary"]
