"""The five places of the desk: their order, what waits in each, and who reads which count."""

from django.test import Client

from players.models import User
from tests.factories.sessions import logged_in
from tests.factories.tournaments import add_players, add_staff, make_event, play_round, start_round
from tests.queries import queries_asked
from tests.tournaments.pages import path
from tournaments.models import StaffRole

TITLES = ["Players", "Rounds", "Standings and cut", "Judges", "Event"]


def test_there_are_five_in_one_order_at_any_time(desk: Client, owner: User):
    event = make_event(players=0, owner=owner)
    before = desk.get(path(event)).context["places"]
    add_players(event, 4)
    play_round(event)
    after = desk.get(path(event)).context["places"]

    assert [place.title for place in before] == [place.title for place in after] == TITLES
    assert [place.counts[0] for place in before] == [
        "nobody yet",
        "not begun",
        "no round closed",
        "no call open",
        "registration open",
    ]
    assert [place.counts[0] for place in after[:3]] == [
        "4 of 4 playing",
        "round 1 is closed",
        "after round 1",
    ]


def test_each_leads_to_what_lies_in_it(desk: Client, owner: User):
    page = desk.get(path(make_event(players=4, owner=owner)))

    for place in page.context["places"]:
        assert f'href="#place-{place.id}"' in page.text
        assert f'id="place-{place.id}"' in page.text


def test_open_tables_and_players_to_check_in_are_counted(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    start_round(event)
    add_players(event, 1, checked_in=False)

    players, rounds, *_ = desk.get(path(event)).context["places"]

    assert players.counts == ("4 of 5 playing", "1 to check in")
    assert rounds.counts == ("round 1: 2 tables open",)


def test_penalties_are_counted_for_judges_alone(owner: User):
    event = make_event(players=4, owner=owner)
    start_round(event)
    judge = logged_in(add_staff(event, StaffRole.JUDGE, "judith"))
    scorekeeper = logged_in(add_staff(event, StaffRole.SCOREKEEPER, "sid"))

    assert _asks_for_penalties(judge, path(event))
    assert not _asks_for_penalties(scorekeeper, path(event))


def _asks_for_penalties(browser: Client, address: str) -> bool:
    with queries_asked() as asked:
        browser.get(address)
    return any("tournaments_penalty" in query for query in asked)
