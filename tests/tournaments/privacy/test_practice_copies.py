"""Erasure of the copies of players in practice events."""

import pytest

from players import services as players
from players.models import Player, User
from tests.factories.submissions import plain_card, submit
from tests.factories.tournaments import make_event, make_user, owner_of
from tests.tournaments.privacy.dumping import tables_with
from tournaments.models import Tournament
from tournaments.practice import services as practice_services
from tournaments.privacy import erasure
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services

pytestmark = [pytest.mark.django_db, pytest.mark.check(40)]


def make_scene() -> Tournament:
    event = make_event(players=3)
    player = players.create_player("Zanna Old", user=make_user("qaphela"))
    place = registration_services.register_player(event, player, owner_of(event))
    submit(place, cards=(plain_card("Hedge Fund"),))
    practice_services.create_practice(event, owner_of(event))
    return event


def erase() -> None:
    erasure.erase(erasure.data_subject_of(User.objects.get(username="qaphela"), None))


def test_copy_under_a_former_name_is_erased_with_its_deck(event: Tournament):
    players.rename_player(Player.objects.get(user__username="qaphela"), "Zanarić Q.")

    erase()

    assert tables_with("zanna", "zanarić") == set()
    assert tables_with("hedge fund") == {"decks_card"}


def test_copy_with_another_name_is_found_by_its_deck(event: Tournament):
    # Bypass the services, which would store the former name.
    fields = {"name": "Other", "name_key": "other", "sort_key": "other"}
    Player.objects.filter(user__username="qaphela").update(**fields)

    erase()

    assert tables_with("hedge fund") == {"decks_card"}
    assert not Player.objects.filter(name="Zanna Old").exists()


def test_copy_of_a_player_removed_from_the_roster_is_erased(event: Tournament):
    place = event.registrations.get(player__user__username="qaphela")
    roster_changes.remove_player(place, owner_of(event))

    erase()

    assert tables_with("zanna") == set()
