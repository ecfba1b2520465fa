"""Events that an account can run."""

from dataclasses import replace

import pytest
from allauth.mfa.models import Authenticator

from players.models import User
from tests.factories.tournaments import add_staff, make_event, make_user, owner_of
from tournaments.event import permissions
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import StaffRole, Tournament


def make_scene() -> Tournament:
    make_event(players=0, name="Elsewhere", staff_need_second_factor=True)
    return make_event(players=0)


def administrator() -> User:
    return User.objects.create_superuser("admin", password="a long password")


def with_factor(user: User) -> User:
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
    return user


def assert_queryset_agrees(actor: Actor) -> None:
    expected = {event.pk for event in Tournament.objects.all() if permissions.can_run(actor, event)}
    runnable = permissions.runnable_events(actor, Tournament.objects.all())
    assert {event.pk for event in runnable} == expected


@pytest.mark.parametrize("role", StaffRole.values)
@pytest.mark.parametrize("has_factor", [False, True])
def test_runnable_events_agree_with_can_run(event: Tournament, role: str, has_factor: bool):
    second_event = Tournament.objects.get(name="Elsewhere")
    if role == StaffRole.OWNER:
        user = owner_of(event).user
        assert user is not None
    else:
        user = add_staff(event, role)
    second_event.staff.create(user=user, role=StaffRole.ORGANISER)
    actor = Actor(user=with_factor(user) if has_factor else user)

    assert_queryset_agrees(actor)
    assert_queryset_agrees(replace(actor, token_event=event.pk))
    assert_queryset_agrees(replace(actor, token_event=second_event.pk))


@pytest.mark.parametrize("needs_factor", [False, True])
@pytest.mark.parametrize("has_factor", [False, True])
def test_runnable_events_of_administrators_agree_with_can_run(
    event: Tournament, settings, needs_factor: bool, has_factor: bool
):
    settings.ADMIN_NEEDS_SECOND_FACTOR = needs_factor
    user = administrator()

    assert_queryset_agrees(Actor(user=with_factor(user) if has_factor else user))


def test_accounts_without_a_role_run_nothing(event: Tournament):
    assert_queryset_agrees(NOBODY)
    assert_queryset_agrees(Actor(user=make_user()))


def test_owner_has_a_role_and_another_account_has_none(event: Tournament):
    owner = owner_of(event).user
    assert owner is not None
    assert permissions.has_a_role(owner)
    assert not permissions.has_a_role(make_user("stranger"))
