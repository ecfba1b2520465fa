"""Names of accounts for players and for staff."""

import pytest

from players.models import Player, User


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("account", "player", "public_name", "staff_name"),
    [
        ({}, {}, "", "login_name"),
        ({"first_name": "Kasia", "last_name": "Nowak"}, {}, "Kasia Nowak", "Kasia Nowak"),
        ({"first_name": "Kasia"}, {"name": "Ada"}, "Ada", "Ada"),
        ({}, {"name": "Ada", "shown_name": "A. L."}, "A. L.", "A. L."),
    ],
)
def test_public_name_is_that_of_the_player_or_the_full_name(
    account, player, public_name, staff_name
):
    user = User.objects.create_user("login_name", **account)
    if player:
        Player.objects.create(user=user, **player)

    assert (user.public_name, user.staff_name) == (public_name, staff_name)
