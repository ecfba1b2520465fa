"""Missing and illegal decks that the staff accept: on the desk, in the log and in the API."""

import pytest
from django.test import Client

from decks.models import Side
from players.services import create_player
from tests.factories.decks import legal_corp_list, legal_runner_list
from tests.factories.library import load_cards
from tests.factories.sessions import claim, logged_in
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    add_staff,
    make_event,
    make_user,
    player_number,
    start_round,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path, text_of
from tournaments.decklists import queries, services
from tournaments.event.history import EventIsFinished
from tournaments.event.permissions import Actor
from tournaments.models import LogAction, Registration, StaffRole, Tournament
from tournaments.registration import services as registration_services
from tournaments.undo import services as undo_services

ILLEGAL_LIST = "3 Loony Goon"


def make_scene() -> Tournament:
    load_cards()
    return make_event(players=4, owner=make_user(OWNER))


@pytest.fixture
def ada(event: Tournament) -> Registration:
    """Return a player with an illegal Runner deck and no Corp deck; all other decks are legal."""
    for number in (2, 3, 4):
        submit(event, number, Side.CORP, legal_corp_list())
        submit(event, number, Side.RUNNER, legal_runner_list())
    submit(event, 1, Side.RUNNER, ILLEGAL_LIST)
    return player_number(event, 1)


@pytest.fixture
def judge(event: Tournament) -> Actor:
    return Actor(user=add_staff(event, StaffRole.JUDGE, "judith"))


def submit(event: Tournament, number: int, side: Side, text: str) -> None:
    entry = player_number(event, number)
    submit_deck(entry, side, text, Actor(player=entry.player))


def problems(event: Tournament) -> list[tuple[str, bool]]:
    """Return (text, waived) of each problem of the event."""
    players, some = (
        queries.registrations_with_decks(event),
        queries.players_with_deck_problems(event),
    )
    deck_problems = queries.deck_problems_of_event(event, players)
    assert queries.deck_problems_of_event(event, some) == deck_problems
    return [(problem.words, problem.waiver is not None) for problem in deck_problems]


OPEN = [("no Corp deck", False), ("Runner deck is illegal", False)]
WAIVED = [("no Corp deck", True), ("Runner deck is illegal", True)]


def test_waiver_covers_current_problems_and_names_the_judge(
    event: Tournament, ada: Registration, judge: Actor
):
    create_player("Judith Frey", user=judge.user)
    assert problems(event) == OPEN

    services.waive_deck_problems(ada, judge, " her deck box was stolen ")

    assert problems(event) == WAIVED
    assert queries.deck_waivers(event)[ada.pk].by == "Judith Frey"
    entry = event.log.first()
    assert (entry.action, entry.reason) == ("deck problem waived", "her deck box was stolen")


@pytest.mark.parametrize(
    ("side", "text", "left"),
    [
        (Side.RUNNER, "2 Loony Goon", [("no Corp deck", True), ("Runner deck is illegal", False)]),
        (Side.RUNNER, legal_runner_list(), [("no Corp deck", True)]),
        (Side.CORP, "1 Tycho Extension", [("Corp deck is illegal", False)]),
    ],
)
def test_waiver_does_not_cover_a_different_list(
    event: Tournament, ada: Registration, judge: Actor, side: Side, text: str, left: list[object]
):
    services.waive_deck_problems(ada, judge, "lost cards")
    services.change_deck_for_player(ada, side, text, judge, "found some")

    assert [
        problem for problem in problems(event) if problem != ("Runner deck is illegal", True)
    ] == left


def test_waiver_is_undone_and_redone_from_the_log(
    event: Tournament, ada: Registration, judge: Actor
):
    services.waive_deck_problems(ada, judge, "lost cards")

    undone = undo_services.undo(event.log.latest("pk"), judge)
    assert problems(event) == OPEN
    undo_services.undo(undone, judge)
    assert problems(event) == WAIVED
    assert event.log.first().reason == "lost cards"


def test_withdrawn_and_restored_waiver_does_not_cover_a_later_list(
    event: Tournament, ada: Registration, judge: Actor
):
    services.waive_deck_problems(ada, judge, "lost cards")
    services.withdraw_waiver(ada, judge)
    assert problems(event) == OPEN
    with pytest.raises(services.NothingToWaive, match="No waiver is in force"):
        services.withdraw_waiver(ada, judge)
    withdrawn = event.log.latest("pk")
    services.change_deck_for_player(ada, Side.RUNNER, "2 Loony Goon", judge, "found some")

    undo_services.undo(withdrawn, judge)

    assert problems(event) == [("no Corp deck", True), ("Runner deck is illegal", False)]


def test_waiver_requires_a_reason_a_problem_and_an_open_event(
    event: Tournament, ada: Registration, judge: Actor
):
    with pytest.raises(services.WaiverReasonMissing):
        services.waive_deck_problems(ada, judge, "  ")
    with pytest.raises(services.NothingToWaive, match="no missing or illegal deck"):
        services.waive_deck_problems(player_number(event, 2), judge, "why not")
    Tournament.objects.filter(pk=event.pk).update(finished_at=event.created_at)
    with pytest.raises(EventIsFinished):
        services.waive_deck_problems(ada, judge, "too late")


def test_missing_deck_is_no_problem_if_decks_are_optional(
    event: Tournament, ada: Registration, judge: Actor
):
    Tournament.objects.update(decks_required=False)
    event.refresh_from_db()

    assert problems(event) == [("Runner deck is illegal", False)]
    services.waive_deck_problems(ada, judge, "fine")
    assert event.log.first().after == {"versions": {"runner": 1}}


def test_dropped_player_leaves_the_list(event: Tournament, ada: Registration, judge: Actor):
    start_round(event)
    registration_services.drop_player(ada, judge)

    assert problems(event) == []


def test_desk_lists_problems_until_waived(desk: Client, event: Tournament, ada: Registration):
    start_round(event)
    page = desk.get(path(event)).text
    assert "Illegal decks: 1 player" in page
    assert "Without a deck: 1 player" in page
    assert path(event, "desk/players/1/deck-waiver/") in page

    form = text_of(desk.get(path(event, "desk/players/1/deck-waiver/")))
    assert "No Corp deck" in form
    assert "Runner deck is illegal" in form
    refused = desk.post(path(event, "desk/players/1/deck-waiver/"), {"reason": ""}, follow=True)
    assert "Give a reason for the waiver." in text_of(refused)
    waived = desk.post(
        path(event, "desk/players/1/deck-waiver/"), {"reason": "cards were stolen"}, follow=True
    )

    page = text_of(waived)
    assert "The deck problems of Ada were waived." in page
    assert "Illegal decks" not in page
    assert "Waived: 2" in page
    assert "cards were stolen" in page
    assert "cards were stolen" in text_of(desk.get(path(event, "desk/decks/")))
    assert "cards were stolen" in text_of(desk.get(path(event, "desk/players/1/deck-waiver/")))
    assert "View this player's waiver" in text_of(desk.get(path(event, "desk/decks/1/runner/")))
    assert "cards were stolen" in text_of(desk.get(path(event, "desk/log/")))

    answer = desk.post(path(event, "desk/players/1/deck-waiver/"), {"do": "withdraw"}, follow=True)
    assert "The waiver for Ada was withdrawn." in text_of(answer)
    assert "Illegal decks: 1 player" in text_of(answer)


def test_scorekeeper_sees_waivers_but_cannot_waive(
    event: Tournament, ada: Registration, judge: Actor
):
    services.waive_deck_problems(ada, judge, "cards were stolen")
    browser = logged_in(add_staff(event, StaffRole.SCOREKEEPER))

    page = browser.get(path(event)).text

    assert "cards were stolen" in page
    assert path(event, "desk/players/1/deck-waiver/") not in page
    assert browser.get(path(event, "desk/players/1/deck-waiver/")).status_code == 403


def test_player_sees_the_waiver_and_the_public_sees_no_reason(
    client: Client, event: Tournament, ada: Registration, judge: Actor
):
    claim(client, ada.player)
    address = path(event, "me/")
    before = client.get(address)
    services.waive_deck_problems(ada, judge, "cards were stolen")
    after = client.get(address, headers={"If-None-Match": before.headers["ETag"]})

    assert "The Runner deck breaks a rule of the event." in before.text
    assert "The staff let you play this Runner deck." in after.text
    assert "The staff let you play without submitting a Corp deck." in after.text
    assert "breaks a rule" not in after.text
    assert "cards were stolen" not in after.text
    assert LogAction.DECK_PROBLEM_WAIVED.is_public is False
    assert "cards were stolen" not in Client().get(path(event, "")).text


def test_api_lists_problems_with_their_waivers(
    client: Client, event: Tournament, ada: Registration, owner, judge
):
    client.force_login(owner)
    problems_at = f"/api/v1/events/{event.slug}/decks/problems/"

    listed = client.get(problems_at).json()["results"]
    services.waive_deck_problems(ada, judge, "lost")
    after = client.get(problems_at).json()["results"]

    assert listed == [
        {
            "player": {"number": 1, "name": "Ada"},
            "problem": problem,
            "sides": [side],
            "waiver": None,
        }
        for problem, side in (("missing", "corp"), ("illegal", "runner"))
    ]
    assert [deck_problem["waiver"]["reason"] for deck_problem in after] == ["lost", "lost"]
