from datetime import timedelta

import pytest
from django.utils import timezone

from core import secret_links
from tests.factories.tournaments import add_staff, make_user, owner_of
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor
from tournaments.models import StaffInvitation, StaffRole, Tournament
from tournaments.settings import services


def test_role_can_change(event: Tournament):
    judge = add_staff(event, StaffRole.JUDGE)

    services.give_role(event, owner_of(event), judge, StaffRole.SCOREKEEPER)

    assert event.staff.get(user=judge).role == StaffRole.SCOREKEEPER
    entry = event.log.filter(action="role given").first()
    assert (entry.before, entry.after) == (
        {"role": "judge"},
        {"role": "scorekeeper", "account": judge.pk},
    )


def test_owner_stays_the_only_owner(event: Tournament):
    owner = event.staff.get()
    second_user = make_user()

    with pytest.raises(services.StaffRefused):
        services.give_role(event, owner_of(event), second_user, StaffRole.OWNER)
    with pytest.raises(services.StaffRefused):
        services.invite_staff(event, owner_of(event), StaffRole.OWNER, timezone.now())
    with pytest.raises(services.StaffRefused):
        services.give_role(event, owner_of(event), owner.user, StaffRole.JUDGE)
    with pytest.raises(services.StaffRefused):
        services.remove_role(event, owner_of(event), owner)

    assert event.staff.get() == owner


def test_new_owner_is_not_removed(event: Tournament):
    owner, judge = owner_of(event), add_staff(event, StaffRole.JUDGE)
    seen_as_judge = event.staff.get(user=judge)
    services.hand_over_event(event, owner, event.staff.get(user=judge))

    with pytest.raises(services.StaffRefused, match="The owner cannot be removed"):
        services.remove_role(event, owner, seen_as_judge)

    assert event.staff.get(role=StaffRole.OWNER).user == judge


def test_former_owner_becomes_an_organiser(event: Tournament):
    owner, heir = owner_of(event), add_staff(event, StaffRole.JUDGE)

    services.hand_over_event(event, owner, event.staff.get(user=heir))

    assert event.staff.get(role=StaffRole.OWNER).user == heir
    assert event.staff.get(user=owner.user).role == StaffRole.ORGANISER
    with pytest.raises(services.StaffRefused):
        services.hand_over_event(event, Actor(user=heir), event.staff.get(user=heir))


def invite(event: Tournament, role: str = StaffRole.SCOREKEEPER, hours: int = 24) -> str:
    ends_at = timezone.now() + timedelta(hours=hours)
    return secret_links.digest(services.invite_staff(event, owner_of(event), role, ends_at, "Mara"))


def test_invitation_is_used_once(event: Tournament):
    digest, mara = invite(event), make_user()

    services.accept_invitation(digest, mara)

    assert event_permissions.can_enter_results(Actor(user=mara), event)
    with pytest.raises(services.InvitationOver, match="used"):
        services.accept_invitation(digest, make_user())
    assert event.staff.count() == 2


def test_invitation_is_stored_as_a_hash(event: Tournament):
    secret = services.invite_staff(event, owner_of(event), StaffRole.JUDGE, timezone.now())

    assert len(secret) >= 22
    assert StaffInvitation.objects.get().secret_hash == secret_links.digest(secret)


def test_expired_withdrawn_and_unknown_invitations_are_refused(event: Tournament):
    late, withdrawn = invite(event, hours=0), invite(event)
    services.withdraw_invitation(
        StaffInvitation.objects.get(secret_hash=withdrawn), owner_of(event)
    )

    with pytest.raises(services.InvitationOver, match="has expired"):
        services.accept_invitation(late, make_user())
    with pytest.raises(services.InvitationOver, match="withdrawn"):
        services.accept_invitation(withdrawn, make_user())
    with pytest.raises(services.InvitationUnknown):
        services.accept_invitation(secret_links.digest("a guess"), make_user())


def test_account_with_a_role_does_not_use_the_invitation(event: Tournament):
    digest = invite(event, StaffRole.ORGANISER)

    with pytest.raises(services.StaffRefused, match="already judge here"):
        services.accept_invitation(digest, add_staff(event, StaffRole.JUDGE))

    assert services.accept_invitation(digest, make_user()).role == StaffRole.ORGANISER
