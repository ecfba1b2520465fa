"""No page asks the database more often for more players, decks, calls and penalties."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches
from django.test import Client

from rulings.services.calls import Answer
from tests.factories.penalties import penalise
from tests.factories.submissions import plain_card, submit
from tests.factories.tournaments import (
    draft_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    tables_of,
)
from tests.queries import queries_asked
from tests.tournaments.views.cast import browser_of
from tests.tournaments.views.crawling import addresses
from tournaments import queries
from tournaments.models import Tournament
from tournaments.services import calls, meeting, rounds

SMALL, LARGE, HALL = 3, 13, 301
"""All odd, so that somebody has the bye."""

BUSIEST = ("desk/", "rounds/2/results/", "roster/")
"""Where the staff look all day."""

MOST = 16
"""Queries of such a page at most, those for the session and the account left out."""

Counts = dict[tuple[str, str], int]


@pytest.mark.parametrize("players", [LARGE, pytest.param(HALL, marks=pytest.mark.slow)])
def test_no_page_asks_more_often_for_more_players(players: int):
    small, large = counts(SMALL), counts(players)

    assert small.keys() == large.keys()
    grown = {page: (small[page], large[page]) for page in small if large[page] > small[page] + 1}
    assert grown == {}
    busiest = {page: large[f"/events/EVENT/{page}", "owner"] for page in BUSIEST}
    assert {page: number for page, number in busiest.items() if number > MOST + 2} == {}


def counts(players: int) -> Counts:
    """Queries of every page, with the second round a draft and then at the tables."""
    event = make_event(players, name="The event")
    card, owner = plain_card("Fang"), owner_of(event)
    meeting.seat(event, owner, seats=2)
    for number in range(1, players + 1):
        submit(player_number(event, number), cards=(card,))
        penalise(player_number(event, number))
    play_round(event)
    draft_round(event)
    drafted = dict(_counts(event, "owner", of="/rounds/2/"))
    rounds.publish(get_round(event, 2), owner_of(event))
    rounds.start(get_round(event, 2), owner_of(event))
    for pairing in tables_of(get_round(event, 2)):
        calls.answer(event, calls.raise_call(pairing, owner, "What?"), owner, Answer("That."))
        calls.raise_call(pairing, owner, "And?")
    at_play = {**dict(_counts(event, "owner")), **dict(_counts(event, "player", of="/events/"))}
    return {**at_play, **{(page, "owner, drafted"): n for (page, _), n in drafted.items()}}


def _counts(
    event: Tournament, actor: str, *, of: str = ""
) -> Iterator[tuple[tuple[str, str], int]]:
    event = fresh(event)
    browser = browser_of(actor, event, player_number(event, 1))
    for address in addresses(event, 2):
        if of in address:
            number = _queries(browser, _of_its_rows(address, event))
            if number is not None:
                yield (_without_names(address, event), actor), number


def _of_its_rows(address: str, event: Tournament) -> str:
    """The same page of a row that this event has, where `addresses` names the first of all."""
    called = queries.past_calls(event)
    rows = {
        "/log/1/": event.log.earliest("pk").pk,
        "/versions/standings/1/": event.snapshots.earliest("pk").pk,
        "/jobs/1/": event.jobs.earliest("pk").pk,
        "/calls/1/": called[0].call.pk if called else 1,
        "/penalties/1/": event.penalties.earliest("pk").pk,
    }
    for page, pk in rows.items():
        if page in address:
            return address.replace(page, page.replace("1", str(pk)))
    if address.endswith("/overlay/table/2/"):
        # Three players fill one table.
        return address.removesuffix("2/") + "1/"
    return address


def _without_names(address: str, event: Tournament) -> str:
    return address.replace(event.join_code, "CODE").replace(event.slug, "EVENT")


def _queries(browser: Client, address: str) -> int | None:
    """How many it took, with nothing kept; None for who may not look."""
    caches["pages"].clear()
    with queries_asked() as asked:
        answer = browser.get(address)
    return len(asked) if answer.status_code == 200 else None
