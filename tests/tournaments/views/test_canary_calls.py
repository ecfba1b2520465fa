"""What a table asks a judge, and what the judge answers and notes, reaches no outsider."""

import pytest
from django.test import Client
from django.urls import reverse

from rulings.services import write_note
from rulings.services.calls import Answer
from tests.factories.tournaments import (
    fresh,
    make_event,
    owner_of,
    player_number,
    start_round,
    tables_of,
)
from tests.tournaments.views.cast import browser_of
from tests.tournaments.views.crawling import crawl
from tournaments.actors import Actor
from tournaments.models import Registration, Tournament
from tournaments.services import calls

pytestmark = [pytest.mark.django_db, pytest.mark.check(5)]

ASKED, ANSWERED, NOTED, WAITING = "Canary asked", "Canary answered", "Canary noted", "Canary waits"
CANARIES = (ASKED, ANSWERED, NOTED, WAITING)
OUTSIDERS = [
    pytest.param(actor, marks=pytest.mark.slow)
    for actor in ("anonymous", "scorekeeper", "stranger", "streamer", "other_organiser")
]


@pytest.fixture
def event() -> Tournament:
    """At table 1 an answer was given and passed on, and a new call waits."""
    event = make_event(players=4)
    pairing = tables_of(start_round(event))[0]
    owner = owner_of(event)
    asking = Actor(player=pairing.match.seats.get(position=1).player)
    call = calls.raise_call(pairing, asking, ASKED)
    calls.answer(event, call, owner, Answer(ANSWERED))
    write_note(call.match, owner.user, NOTED)
    calls.escalate(event, calls.raise_call(pairing, asking, WAITING), owner, NOTED)
    return fresh(event)


def at_table(event: Tournament, table: int) -> Registration:
    pairing = tables_of(event.stages.get().rounds.get())[table - 1]
    player = pairing.match.seats.get(position=2).player
    return event.registrations.select_related("player").get(player=player)


def seen(browser: Client, event: Tournament) -> dict[str, set[str]]:
    """The canaries each address shows, and the pages of the calls themselves."""
    texts = {address: text for (address, _), text in crawl(browser, event, 1).items()}
    for call in (1, 2):
        address = reverse("tournaments:call", args=[event.slug, call])
        texts[address] = browser.get(address).content.decode()
    found = {
        address: {canary for canary in CANARIES if canary in text}
        for address, text in texts.items()
    }
    return {address: canaries for address, canaries in found.items() if canaries}


@pytest.mark.parametrize("actor", OUTSIDERS)
def test_no_outsider_reads_a_word_of_it(actor: str, event: Tournament):
    assert seen(browser_of(actor, event, player_number(event, 1)), event) == {}


@pytest.mark.slow
def test_a_player_of_another_table_reads_nothing(event: Tournament):
    assert seen(browser_of("player", event, at_table(event, 2)), event) == {}


def test_a_player_of_the_table_reads_the_own_answer_and_call(event: Tournament):
    found = seen(browser_of("player", event, at_table(event, 1)), event)

    mine = reverse("tournaments:my_event", args=[event.slug])
    own_calls = reverse("api:table_calls", args=[event.slug, 1, 1])
    assert found.keys() == {mine, own_calls}
    assert found[mine] == {ANSWERED, WAITING}


@pytest.mark.slow
def test_judges_read_it_all(event: Tournament):
    found = seen(browser_of("judge", event, player_number(event, 1)), event)

    assert set.union(*found.values()) == set(CANARIES)


def test_a_scorekeeper_sees_that_a_table_waits(event: Tournament):
    browser = browser_of("scorekeeper", event, player_number(event, 1))

    queue = browser.get(reverse("tournaments:calls", args=[event.slug])).content.decode()

    assert "Table 1" in queue
    assert "A judge is wanted" in queue
    assert "For the head judge" in queue
