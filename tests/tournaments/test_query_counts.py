"""Query counts do not grow with players, decks, calls and other rows."""

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from decks.models import Side
from rulings.models import RulingVersion
from tests.factories.cuts import event_with_cut
from tests.factories.penalties import penalise
from tests.factories.pods import make_pods
from tests.factories.submissions import plain_card, submit, submit_deck
from tests.factories.tournaments import (
    draft_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    sitting,
    start_round,
    table,
    tables_of,
)
from tests.queries import queries_asked, queries_of
from tests.tournaments.cast import browser_of, desk_of
from tests.tournaments.crawling import addresses
from tests.tournaments.pages import HTMX, url
from tests.tournaments.results.reporting import result_fields
from tournaments.event.permissions import Actor
from tournaments.integrations import tokens
from tournaments.integrations.tokens import TokenRequest
from tournaments.judging import calls, local_rulings
from tournaments.judging import queries as judging_queries
from tournaments.judging.calls import CallAnswer
from tournaments.judging.local_rulings import Wording
from tournaments.models import Registration, Tournament
from tournaments.registration import services as registration_services
from tournaments.rounds import services as rounds_services

# All odd, so that a player has the bye.
SMALL, LARGE, CROWD = 3, 7, 301

# The most frequent staff pages.
FREQUENT_PAGES = ("desk/", "rounds/2/results/", "roster/")

# Limits without the queries of the session and the account.
MAX_QUERIES, MAX_API_QUERIES = 13, 35

Counts = dict[tuple[str, str], int]


@pytest.mark.parametrize("players", [LARGE, pytest.param(CROWD, marks=pytest.mark.slow)])
def test_queries_do_not_grow_with_the_players(players: int):
    small, large = counts(SMALL), counts(players)

    assert small.keys() == large.keys()
    grown = {page: (small[page], large[page]) for page in small if large[page] > small[page] + 1}
    assert grown == {}
    busiest = {page: large[f"/events/EVENT/{page}", "owner"] for page in FREQUENT_PAGES}
    assert {page: number for page, number in busiest.items() if number > MAX_QUERIES + 2} == {}
    of_the_api = {page: number for (page, _), number in large.items() if page.startswith("/api/")}
    assert {page: n for page, n in of_the_api.items() if n > MAX_API_QUERIES + 2} == {}


def counts(players: int) -> Counts:
    """Return the queries of every page, with round 2 as a draft and in progress."""
    event = make_event(players, name="The event")
    fill(event, players)
    play_round(event)
    draft_round(event)
    drafted = dict(_counts(event, "owner", lambda address: "/rounds/2/" in address))
    rounds_services.publish_round(get_round(event, 2), owner_of(event))
    rounds_services.start_round(get_round(event, 2), owner_of(event))
    call_judges(event)
    for place in (player_number(event, 2), at_table(event)):
        submit_decks(place, min(players, tokens.MAX_LIVE_TOKENS))
    at_play = {**dict(_counts(event, "owner")), **dict(_counts(event, "player", is_for_players))}
    saved = {(f"result of round {number}", "owner"): saving(event, number) for number in (1, 2)}
    return {
        **at_play,
        **saved,
        **{(page, "owner, drafted"): number for (page, _), number in drafted.items()},
    }


def fill(event: Tournament, players: int) -> None:
    """Add as many decks, cards, penalties, rulings and tokens as players."""
    owner, some = owner_of(event), min(players, tokens.MAX_LIVE_TOKENS)
    assert owner.user is not None
    cards = tuple(plain_card(f"Card {number}") for number in range(some))
    registration_services.seat_meeting(event, owner, seats=2)
    for number in range(1, players + 1):
        submit(player_number(event, number), cards=cards)
        penalise(player_number(event, number))
    for number in range(1, some + 1):
        tokens.create_token(owner.user, TokenRequest("Bot", "read", event))
        local_rulings.make(event, owner, f"Topic {number}", Wording(f"Words {number}."))


def call_judges(event: Tournament) -> None:
    """Give every table an answered call with a citation, and an open call."""
    owner, versions = owner_of(event), RulingVersion.objects.order_by("pk")
    for pairing, version in zip(tables_of(get_round(event, 2)), cycle(versions)):
        answer = CallAnswer("That.", cited=[version])
        calls.answer(event, calls.raise_call(pairing, owner, "What?"), owner, answer)
        calls.raise_call(pairing, owner, "And?")


def at_table(event: Tournament) -> Registration:
    """Return a player at table 1 of round 2."""
    return sitting(table(get_round(event, 2), 1))[0]


def submit_decks(place: Registration, times: int) -> None:
    """Submit versions of one deck."""
    for number in range(1, times + 1):
        submit_deck(place, Side.CORP, f"{number} Card 0", Actor(player=place.player))


def saving(event: Tournament, number: int) -> int:
    """Return the queries to save a result; a closed round shows the impact first."""
    sent = result_fields(table(get_round(event, number), 1), "t1-")
    return queries_of(desk_of(event).post, url("enter", event, number, 1), sent, headers=HTMX)


def is_for_players(address: str) -> bool:
    """True for players' own pages and their most frequent pages."""
    return "/me/" in address or address.endswith(("/pairings/", "/standings/", "/rounds/2/"))


def _counts(
    event: Tournament, actor: str, is_asked: Callable[[str], bool] = bool
) -> Iterator[tuple[tuple[str, str], int]]:
    event = fresh(event)
    browser = browser_of(actor, event, at_table(event))
    of_players = (
        f"{url('preview', event)}?player=1",
        f"{url('swap_preview', event, 2)}?player=1&player=2",
    )
    rows = _rows(event)
    for address in (*addresses(event, 2), *of_players):
        if is_asked(address):
            number = _queries(browser, _of_its_rows(address, rows))
            if number is not None:
                yield (_without_names(address, event), actor), number


def _rows(event: Tournament) -> dict[str, int]:
    """Return the keys of rows of this event, by the part of an address that names them."""
    called = judging_queries.past_calls(event)
    return {
        "/log/1/": event.log.earliest("pk").pk,
        "/versions/standings/1/": event.snapshots.earliest("pk").pk,
        "/jobs/1/": event.jobs.earliest("pk").pk,
        "/calls/1/": called[0].call.pk if called else 1,
        "/penalties/1/": event.penalties.earliest("pk").pk,
        "/rulings/1/": event.local_rulings.earliest("pk").pk,
    }


def _of_its_rows(address: str, rows: dict[str, int]) -> str:
    """Return the address with the key of a row of this event."""
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
    """Return the number of queries with an empty cache, or None if refused."""
    caches["pages"].clear()
    with queries_asked() as queries:
        answer = browser.get(address)
    return len(queries) if answer.status_code == 200 else None


def bracket_of(players: int) -> str:
    event = event_with_cut(players, players=players)
    start_round(event)
    return url("bracket", event)


def pods_of(players: int) -> str:
    event = make_pods(players)
    start_round(event)
    return url("results", event, 1)


def events_of(count: int) -> str:
    for _ in range(count):
        make_event(players=2)
    return ""


@pytest.mark.parametrize(
    ("make", "page"),
    [
        (bracket_of, ""),
        (pods_of, ""),
        *((events_of, page) for page in ("home", "tournaments:list", "api:events")),
    ],
)
def test_queries_of_brackets_pods_and_lists_do_not_grow(make: Callable[[int], str], page: str):
    query_counts = []
    for size in (4, 12):
        address = make(size) or reverse(page)
        browser = Client() if page else desk_of(Tournament.objects.latest("pk"))
        query_counts.append(_queries(browser, address))

    assert query_counts[0] == query_counts[1] is not None
