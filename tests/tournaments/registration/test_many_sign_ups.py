from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from players.services import create_player
from tests.factories.tournaments import (
    add_players,
    draft_round,
    fresh,
    make_event,
    make_user,
    owner_of,
)
from tournaments.event.permissions import Actor
from tournaments.models import Tournament
from tournaments.registration import roster_changes, services
from tournaments.settings import services as settings_services

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
pytestmark = pytest.mark.usefixtures("own_clock")
VENUE, OTHER_ADDRESS = "198.51.100.7", "198.51.100.8"


def names_of(event: Tournament) -> list[str]:
    return [entry.player.name for entry in event.registrations.order_by("number")]


def join(event: Tournament, name: str, address: str = VENUE) -> None:
    services.register_guest(event, name, address=address)


def join_by_account(event: Tournament, name: str) -> None:
    account = make_user(name.lower())
    player = create_player(name, user=account)
    services.register_player(event, player, Actor(user=account, player=player), address=VENUE)


@pytest.mark.goal("G18")
def test_sign_ups_per_address_are_limited():
    event = make_event(players=0, guests_per_address=2)
    with time_machine.travel(NOON, tick=False) as clock:
        join(event, "Ada")
        join_by_account(event, "Bo")
        for more in (join, join_by_account):
            with pytest.raises(services.TooManySignUps, match="2 players have joined"):
                more(event, "Cy")

        join(event, "Dana", OTHER_ADDRESS)
        roster_changes.add_entries(event, [roster_changes.NewEntry("Eve")], owner_of(event))
        clock.shift(timedelta(minutes=11))
        join(event, "Cy")

    assert names_of(event) == ["Ada", "Bo", "Dana", "Eve", "Cy"]


def test_organiser_can_lift_the_limit():
    event = make_event(players=0, guests_per_address=1)
    join(event, "Ada")
    with pytest.raises(services.TooManySignUps):
        join(event, "Bo")

    settings_services.change_settings(event, owner_of(event), guests_per_address=None)
    for name in ("Bo", "Cy"):
        join(fresh(event), name)

    assert names_of(event) == ["Ada", "Bo", "Cy"]


def test_default_limit_allows_120_players():
    assert (Tournament().guests_per_address or 0) >= 120


def test_sign_ups_of_a_period_are_removed():
    event = make_event(players=0)
    with time_machine.travel(NOON, tick=False) as clock:
        join(event, "Early")
        clock.shift(timedelta(minutes=5))
        add_players(event, 1)
        join(event, "Made up")
        join_by_account(event, "Zoe")
        clock.shift(timedelta(minutes=5))
        join(event, "Late")
    since, until = NOON + timedelta(minutes=1), NOON + timedelta(minutes=9)

    sign_ups = event.removable_sign_ups(since, until)
    removed = roster_changes.remove_sign_ups(
        event, [entry.number for entry in sign_ups], owner_of(event)
    )

    assert [str(entry.player) for entry in removed] == ["Made up", "Zoe"]
    assert names_of(event) == ["Early", "Bo", "Late"]
    logged = event.log.filter(action="player removed")
    assert set(logged.values_list("subject", flat=True)) == {"Made up", "Zoe"}
    assert event.next_player_number() == 6


def test_paired_guest_is_not_removed():
    event = make_event(players=1)
    join(event, "Guest")
    guest = event.registrations.get(player__name="Guest")
    services.check_in([guest], owner_of(event))
    draft_round(event)

    assert roster_changes.remove_sign_ups(event, [guest.number], owner_of(event)) == []
