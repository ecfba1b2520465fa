"""A person who returns while the site erases inactive people."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import update_last_login
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Player, User
from tests.factories.tournaments import make_event, make_user, owner_of
from tests.tournaments.races.lock_order import run_in_order
from tournaments.event.permissions import Actor
from tournaments.models import Tournament
from tournaments.privacy import services as privacy_services
from tournaments.registration import services as registration_services
from tournaments.rounds import late_entries
from tournaments.settings import services as settings_services

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(40)]

FORGET_LOCK = "tournaments.privacy.erasure.lock_data_subject"
CHANGED = f"{__name__}.uncommitted"


def uncommitted(answer: int) -> int:
    """Return the answer while its transaction is still open."""
    return answer


@pytest.fixture
def person(settings) -> Player:
    settings.FORGET_AFTER_MONTHS = 12
    then = timezone.now() - timedelta(days=500)
    user = make_user("returning", date_joined=then, last_login=then)
    player = Player.objects.create(name="Ada", user=user)
    Player.objects.update(created_at=then)
    return player


def log_in(person: Player, event: Tournament) -> None:
    assert person.user
    update_last_login(User, person.user)


def stay(person: Player, event: Tournament) -> None:
    privacy_services.extend_stay(person)


def join(person: Player, event: Tournament) -> None:
    registration_services.register_player(event, person, Actor(player=person))


def judge(person: Player, event: Tournament) -> None:
    assert person.user
    settings_services.give_role(event, owner_of(event), person.user, "judge")


@pytest.mark.parametrize("activity", [log_in, stay, join, judge])
def test_person_who_returns_first_is_not_erased(
    person: Player, activity: Callable[[Player, Tournament], None]
):
    event = make_event(players=0, starts_on=timezone.localdate())

    @transaction.atomic
    def come_back() -> int:
        activity(person, event)
        return uncommitted(0)

    # The erasure lists the person before the return is committed, and waits for their rows.
    functions = [come_back, privacy_services.erase_inactive_people]
    assert run_in_order(functions, [CHANGED, FORGET_LOCK]) == [0, 0]

    person.refresh_from_db()
    assert (person.name, person.erased_at) == ("Ada", None)


def test_erased_person_cannot_join(person: Player):
    event = make_event(players=0, starts_on=timezone.localdate())
    assert privacy_services.erase_inactive_people() == 1

    with pytest.raises(late_entries.RegistrationClosed, match="Join again with your name"):
        join(person, event)

    assert not event.registrations.exists()


def test_administrator_cannot_rename_a_person_during_erasure(person: Player):
    root, page = Client(), reverse("admin:players_player_change", args=[person.pk])
    root.force_login(User.objects.create_superuser("root"))

    @transaction.atomic
    def rename() -> int:
        answer = root.post(page, {"name": "Ada L.", "pronouns": "", "user": ""})
        return uncommitted(answer.status_code)

    functions = [privacy_services.erase_inactive_people, rename]
    assert run_in_order(functions, [FORGET_LOCK, CHANGED]) == [1, 403]

    person.refresh_from_db()
    assert person.erased_at is not None
    assert person.name == f"Player {person.pk}"
