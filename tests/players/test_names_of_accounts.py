"""Names of accounts for players and for staff."""

import pytest

from players.models import Player, User

pytestmark = pytest.mark.django_db


def account(**fields: str) -> User:
    return User.objects.create_user("login_name", **fields)


def test_account_without_a_name_has_no_public_name():
    user = account()

    assert (user.public_name, user.staff_name) == ("", "login_name")


def test_full_name_is_public_where_there_is_no_player():
    assert account(first_name="Kasia", last_name="Nowak").public_name == "Kasia Nowak"


def test_player_name_comes_first():
    user = account(first_name="Kasia")
    Player.objects.create(name="Ada", user=user)

    assert (user.public_name, user.staff_name) == ("Ada", "Ada")


def test_name_across_events_hides_the_name_at_tables():
    user = account()
    Player.objects.create(name="Ada", shown_name="A. L.", user=user)

    assert user.public_name == "A. L."
