"""Penalties, what judges wrote with them, and who did what reach judges alone."""

import pytest

from rulings.guide import PenaltyKind
from tests.factories.tournaments import (
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    tables_of,
)
from tests.tournaments.views.cast import browser_of
from tests.tournaments.views.crawling import crawl
from tournaments.models import Registration, Tournament
from tournaments.services import penalties

pytestmark = [pytest.mark.django_db, pytest.mark.check(5)]

CANARY, REASON = "canary-words", "canary-reason"
SIGNS = (CANARY, REASON, "penalty given", "penalty withdrawn")
OUTSIDERS = [
    pytest.param(actor, marks=pytest.mark.slow)
    for actor in ("player", "scorekeeper", "anonymous", "stranger", "streamer", "other_organiser")
]


@pytest.fixture
def event() -> Tournament:
    """Of the second round; two players have penalties, one of them withdrawn."""
    event = make_event(players=4)
    play_round(event)
    start_round(event)
    return fresh(event)


def penalise(event: Tournament, place: Registration) -> None:
    actor = owner_of(event)
    given = penalties.give(event, place, actor, infraction="slow-play", text=CANARY)
    penalties.withdraw(given, actor, REASON)
    penalties.give(event, place, actor, infraction="slow-play", text=CANARY)
    penalties.give(event, place, actor, infraction="late", text=CANARY)


def places_with_canaries(actor: str, event: Tournament) -> set[str]:
    """The addresses that tell this actor of a penalty."""
    browser = browser_of(actor, event, player_number(event, 1))
    return {
        address
        for (address, _), text in crawl(browser, event, 2).items()
        if any(sign in text for sign in SIGNS)
    }


@pytest.mark.parametrize("actor", OUTSIDERS)
def test_nobody_but_judges_reads_of_a_penalty(actor: str, event: Tournament):
    for number in (1, 2):
        penalise(event, player_number(event, number))

    assert places_with_canaries(actor, event) == set()


@pytest.mark.parametrize(
    ("actor", "pages"),
    [
        ("judge", {"penalties/", "players/2/conduct/"}),
        ("head_judge", {"penalties/", "players/2/conduct/", "judged/"}),
    ],
)
def test_judges_read_of_them_and_the_head_judge_in_the_report(
    actor: str, pages: set[str], event: Tournament
):
    penalise(event, player_number(event, 2))
    browser = browser_of(actor, event, player_number(event, 1))

    telling = {
        page
        for page in ("penalties/", "players/2/conduct/", "judged/")
        if CANARY in browser.get(f"/events/{event.slug}/desk/{page}").content.decode()
    }

    assert telling == pages


@pytest.mark.slow
@pytest.mark.parametrize("actor", ["player", "anonymous"])
def test_a_penalty_without_effect_on_a_result_changes_nothing_others_can_measure(
    actor: str, event: Tournament
):
    browser = browser_of(actor, event, player_number(event, 1))
    before = crawl(browser, event, 2)

    penalise(event, player_number(event, 2))

    after = crawl(browser, event, 2)
    assert {address for address in before if before[address] != after[address]} == set()


def test_a_lost_game_is_public_as_decided_by_a_judge_and_no_more(event: Tournament):
    pairing = tables_of(get_round(event, 1))[0]
    player = pairing.match.seats.get(position=1).player
    place = player_number(event, event.registrations.get(player=player).number)
    penalties.give(
        event,
        place,
        owner_of(event),
        infraction="slow-play",
        kind=PenaltyKind.GAME_LOSS,
        pairing=pairing,
        game=1,
        text=CANARY,
    )
    browser = browser_of("anonymous", event, place)

    page = browser.get(f"/events/{event.slug}/rounds/1/tables/1/").content.decode().lower()

    assert "decided by a judge" in page
    assert "penalty" not in page
    assert "game loss" not in page
    assert places_with_canaries("anonymous", event) == set()
