"""Staff accept a report that no opponent has answered."""

import pytest
from django.test import Client

from matches.models import MatchState
from matches.services import NothingToConfirm
from players.models import User
from tests.factories.tournaments import (
    draft_round,
    enter_result,
    get_round,
    make_event,
    owner_of,
    player_number,
    start_round,
    sweep,
    table,
    work_off,
)
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import path, text_of, url
from tests.tournaments.results.reporting import dispute, points
from tournaments.event.history import EventIsFinished
from tournaments.event.permissions import Actor
from tournaments.models import Pairing, Tournament
from tournaments.results import services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


def report(pairing: Pairing, loser_points: int = 4) -> int:
    """Report as seat 1 that it won both games; return the key of the report."""
    seat = pairing.match.seats.select_related("player").get(position=1)
    match = services.report_result(pairing, seat, sweep(1, loser_points), Actor(player=seat.player))
    key: int = match.reports.latest("pk").pk
    return key


def close_by_force(event: Tournament) -> None:
    rounds_services.close_round_by_force(event, 2, owner_of(event), "The shop closes.")
    work_off(event)


@pytest.fixture
def pairing(event: Tournament) -> Pairing:
    return table(start_round(event), 1)


def test_report_becomes_the_result(event: Tournament, pairing: Pairing):
    key = report(pairing)

    match = services.accept_report(pairing, key, owner_of(event))

    assert match.state == MatchState.CONFIRMED
    assert points(pairing) == [20, 4]
    entry = event.log.order_by("-pk").first()
    assert (entry.action, entry.user) == ("result confirmed", owner_of(event).user)


def test_report_accepted_twice_is_logged_once(event: Tournament, pairing: Pairing):
    key = report(pairing)

    for _ in range(2):
        services.accept_report(table(get_round(event, 1), 1), key, owner_of(event))

    assert event.log.filter(action="result confirmed").count() == 1


def test_replaced_report_is_refused(event: Tournament, pairing: Pairing):
    old = report(pairing)
    report(pairing, loser_points=5)

    with pytest.raises(NothingToConfirm):
        services.accept_report(pairing, old, owner_of(event))


def test_disputed_report_is_refused(event: Tournament, pairing: Pairing):
    dispute(pairing)

    with pytest.raises(NothingToConfirm):
        services.accept_report(pairing, pairing.match.reports.earliest("pk").pk, owner_of(event))


def test_report_of_another_table_is_refused(event: Tournament, pairing: Pairing):
    key = report(pairing)

    with pytest.raises(NothingToConfirm):
        services.accept_report(table(get_round(event, 1), 2), key, owner_of(event))


def test_finished_event_is_refused(event: Tournament, pairing: Pairing):
    key = report(pairing)
    close_by_force(event)
    settings_services.finish_event(event, owner_of(event))

    with pytest.raises(EventIsFinished):
        services.accept_report(pairing, key, owner_of(event))


def test_draft_and_bye_are_refused():
    event = make_event(players=3)
    round_ = draft_round(event)

    with pytest.raises(services.NotPlayable, match="not published"):
        services.accept_report(table(round_, 1), 1, owner_of(event))
    bye = start_round(make_event(players=3, name="Byes")).pairings.get(match=None)
    with pytest.raises(services.NotPlayable, match="bye"):
        services.accept_report(bye, 1, owner_of(event))


def test_report_accepted_in_a_closed_round_updates_its_standings(event: Tournament):
    round_ = start_round(event)
    key = report(table(round_, 1))
    enter_result(table(round_, 2), sweep(1))
    close_by_force(event)

    services.accept_report(table(get_round(event, 1), 1), key, owner_of(event))

    assert event.jobs.filter(kind="recompute_standings", state="queued").exists()


def test_staff_accept_on_the_desk(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    pairing = table(start_round(event), 1)
    key = report(pairing)
    page = desk.get(path(event))
    answer = desk.post(url("accept", event, 1, 1), {"report": key}, follow=True)

    assert f'action="{url("accept", event, 1, 1)}"' in page.text
    assert "You accepted the report of table 1." in text_of(answer)
    assert url("log_undo", event, event.log.newest_id()) in answer.text
    assert points(pairing) == [20, 4]


def test_outdated_page_shows_the_refusal(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    pairing = table(start_round(event), 1)
    old = report(pairing)
    report(pairing, loser_points=5)

    answer = desk.post(url("accept", event, 1, 1), {"report": old}, follow=True)

    assert "This report has already been answered or replaced. Reload the page." in text_of(answer)


def test_judge_cannot_accept():
    event = make_event(players=4)
    report(table(start_round(event), 1))
    judge = browser_of("judge", event, player_number(event, 1))

    assert url("accept", event, 1, 1) not in judge.get(path(event)).text
    assert judge.post(url("accept", event, 1, 1), {"report": 1}).status_code == 403
