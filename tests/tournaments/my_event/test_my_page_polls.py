"""Polls of a player's page, which report only changes of its content."""

from collections.abc import Callable

import pytest
from django.test import Client

from decks.models import Side
from players.services import rename_player
from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise
from tests.factories.penalties import take_back as take_back_penalty
from tests.factories.submissions import plain_card, submit, submit_deck
from tests.factories.tournaments import (
    close_round,
    draft_round,
    enter_result,
    games_for,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    seats_of,
    sitting,
    start_round,
    sweep,
    tables_of,
)
from tests.tournaments.pages import FRAGMENT, url
from tests.tournaments.undo.test_undo import undo_last
from tournaments.decklists import services as decklists_services
from tournaments.event.permissions import Actor
from tournaments.judging import calls
from tournaments.models import Pairing, Registration, Tournament
from tournaments.registration import no_shows
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services
from tournaments.rounds import services as rounds_services

PhoneOf = Callable[..., Client]


def make_scene() -> Tournament:
    """Return an event in round 2 with three tables; player 1 has a deck."""
    event = make_event(players=6, no_show_minutes=10)
    submit(player_number(event, 1))
    penalise(player_number(event, 1), infraction="slow-play")
    play_round(event)
    start_round(event)
    return event


def is_mine(table: Pairing, event: Tournament) -> bool:
    return player_number(event, 1) in sitting(table)


def own_table(event: Tournament) -> Pairing:
    return next(table for table in tables_of(get_round(event, 2)) if is_mine(table, event))


def other_table(event: Tournament) -> Pairing:
    return next(table for table in tables_of(get_round(event, 2)) if not is_mine(table, event))


def report(table: Pairing, place: int) -> None:
    seat = seats_of(table)[place]
    results_services.report_result(table, seat, games_for(table), Actor(player=seat.player))


def close(event: Tournament) -> None:
    for table in tables_of(get_round(event, 2)):
        enter_result(table, sweep(0))
    close_round(get_round(event, 2))


def publish(event: Tournament) -> None:
    close(event)
    draft_round(event)
    rounds_services.publish_round(get_round(event, 3), owner_of(event))


def submit_a_deck(event: Tournament, place: Registration | None = None) -> None:
    place = place or player_number(event, 1)
    plain_card("Some Card")
    submit_deck(place, Side.CORP, "3 Some Card", Actor(player=place.player))


def lose_a_game(table: Pairing) -> None:
    penalise(sitting(table)[0], PenaltyKind.GAME_LOSS, pairing=table, game=1)


def withdraw(event: Tournament) -> None:
    take_back_penalty(event.penalties.get())


def lock_a_deck(event: Tournament) -> None:
    decklists_services.lock_deck_by_staff(
        player_number(event, 1).deck_submissions.get(), owner_of(event)
    )


def undo_result(event: Tournament) -> None:
    enter_result(own_table(event), sweep(0))
    undo_last(event, "result entered")


OWN_CHANGES: dict[str, Callable[[Tournament], object]] = {
    "corp reports": lambda event: report(own_table(event), 0),
    "runner reports": lambda event: report(own_table(event), 1),
    "staff decide": lambda event: enter_result(own_table(event), sweep(0)),
    "result undone": undo_result,
    "old result changed": lambda event: enter_result(tables_of(get_round(event, 1))[0], sweep(1)),
    "round closed": close,
    "round published": publish,
    "more time": lambda event: rounds_services.add_minutes(get_round(event, 2), 5, owner_of(event)),
    "time for the table": lambda event: rounds_services.add_table_minutes(
        own_table(event), 5, owner_of(event)
    ),
    "judge called": lambda event: calls.raise_call(own_table(event), owner_of(event), "a question"),
    "game lost": lambda event: lose_a_game(own_table(event)),
    "warning given": lambda event: penalise(player_number(event, 1)),
    "caution withdrawn": withdraw,
    "deck submitted": submit_a_deck,
    "deck locked": lock_a_deck,
    "reported missing": lambda event: no_shows.mark_missing(
        own_table(event), player_number(event, 1), owner_of(event)
    ),
    "dropped": lambda event: registration_services.drop_player(
        player_number(event, 1), owner_of(event)
    ),
    "renamed": lambda event: rename_player(player_number(event, 2).player, "Somebody Else"),
}
CHANGES_AT_OTHER_TABLE: dict[str, Callable[[Tournament], object]] = {
    "report": lambda event: report(other_table(event), 0),
    "decision": lambda event: enter_result(other_table(event), sweep(0)),
    "call": lambda event: calls.raise_call(other_table(event), owner_of(event), "a question"),
    "game lost": lambda event: lose_a_game(other_table(event)),
    "deck": lambda event: submit_a_deck(event, sitting(other_table(event))[0]),
}


def poll(phone: Client, event: Tournament, etag: str = "", page: str = "my_event"):
    headers = {**FRAGMENT, **({"If-None-Match": etag} if etag else {})}
    return phone.get(url(page, event), headers=headers)


@pytest.mark.parametrize("change", OWN_CHANGES)
def test_changed_content_of_my_page_is_in_its_next_poll(
    event: Tournament, phone_of: PhoneOf, change: str, django_capture_on_commit_callbacks
):
    phone = phone_of(player_number(event, 1))
    etag = poll(phone, event)["ETag"]

    with django_capture_on_commit_callbacks(execute=True):
        OWN_CHANGES[change](event)

    assert poll(phone, event, etag).status_code == 200


@pytest.mark.parametrize("change", CHANGES_AT_OTHER_TABLE)
def test_change_at_a_different_table_is_reported_only_on_the_pairings(
    event: Tournament, phone_of: PhoneOf, change: str
):
    phone = phone_of(player_number(event, 1))
    my, all_ = (poll(phone, event, page=page)["ETag"] for page in ("my_event", "pairings"))

    CHANGES_AT_OTHER_TABLE[change](event)

    assert poll(phone, event, my).status_code == 304
    is_new = poll(phone, event, all_, page="pairings").status_code == 200
    assert is_new == (change == "decision")


def test_own_table_shows_a_judge_call_in_a_dispute(event: Tournament, phone_of: PhoneOf):
    table = own_table(event)
    me, opponent = sitting(table)
    phone, address = phone_of(me), url("table", event, 2, table.table_number)
    report(table, 0)
    results_services.dispute_report(
        table, seats_of(table)[1], table.match.reports.get().pk, Actor(player=opponent.player)
    )
    disputed = phone.get(address, headers=FRAGMENT)
    stranger = Client().get(address, headers=FRAGMENT)

    calls.raise_call(table, Actor(player=opponent.player), "a question")

    poll_headers = {**FRAGMENT, "If-None-Match": disputed["ETag"]}
    called = phone.get(address, headers=poll_headers)
    assert "The staff will decide" in disputed.text
    assert "A judge has been called" not in disputed.text
    assert "A judge has been called" in called.text
    unchanged = {**FRAGMENT, "If-None-Match": called["ETag"]}
    assert phone.get(address, headers=unchanged).status_code == 304
    # The public page stays as it is.
    known = {**FRAGMENT, "If-None-Match": stranger["ETag"]}
    assert Client().get(address, headers=known).status_code == 304


def test_page_of_the_own_table_leads_to_the_report_that_waits(event: Tournament, phone_of: PhoneOf):
    table = own_table(event)
    phone = phone_of(sitting(table)[1])
    address = url("table", event, 2, table.table_number)
    before = phone.get(address)

    report(table, 0)

    waiting = phone.get(address)
    report_page, my_page = url("report", event, 2, table.table_number), url("my_event", event)
    assert f'href="{report_page}?code=1"' in before.text
    assert report_page not in waiting.text
    assert f'button--large" href="{my_page}"' not in before.text
    assert f'button--large" href="{my_page}"' in waiting.text


def test_copy_of_my_page_is_not_reused_on_a_different_phone(event: Tournament, phone_of: PhoneOf):
    etag = poll(phone_of(player_number(event, 1)), event)["ETag"]

    assert poll(phone_of(player_number(event, 2)), event, etag).status_code == 200
    assert poll(Client(), event, etag).status_code == 404
