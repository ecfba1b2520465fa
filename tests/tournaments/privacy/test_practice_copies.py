"""A rehearsal plays with copies of the players: whoever is forgotten is forgotten there too."""

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
    """Zanna Old is on the roster, and the owner rehearses with a copy of it."""
    made = make_event(players=3)
    player = players.create_player("Zanna Old", user=make_user("qaphela"))
    place = registration_services.register_player(made, player, owner_of(made))
    submit(place, cards=(plain_card("Hedge Fund"),))
    practice_services.create_practice(made, owner_of(made))
    return made


def forget() -> None:
    erasure.erase(erasure.data_subject_of(User.objects.get(username="qaphela"), None))


def test_a_copy_under_a_name_of_before_is_forgotten_with_its_deck(event: Tournament):
    players.rename_player(Player.objects.get(user__username="qaphela"), "Zanarić Q.")

    forget()

    assert tables_with("zanna", "zanarić") == set()
    assert tables_with("hedge fund") == {"decks_card"}


def test_a_copy_is_known_by_its_deck_whatever_it_is_called(event: Tournament):
    # As written past the services: no name of before is kept.
    changed = {"name": "Other", "name_key": "other", "sort_key": "other"}
    Player.objects.filter(user__username="qaphela").update(**changed)

    forget()

    assert tables_with("hedge fund") == {"decks_card"}
    assert not Player.objects.filter(name="Zanna Old").exists()


def test_the_copy_of_somebody_taken_off_the_roster_is_forgotten(event: Tournament):
    place = event.registrations.get(player__user__username="qaphela")
    roster_changes.remove_player(place, owner_of(event))

    forget()

    assert tables_with("zanna") == set()
