"""Roles at an event: given, handed over, and by invitation."""

from datetime import timedelta

import pytest
from django.utils import timezone

from core import secret_links
from tests.factories.tournaments import add_staff, make_user, owner_of
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.models import StaffInvitation, StaffRole, Tournament
from tournaments.settings.services import staff


def test_an_account_has_one_role_which_can_change(event: Tournament):
    judge = add_staff(event, StaffRole.JUDGE)

    staff.give_role(event, owner_of(event), judge, StaffRole.SCOREKEEPER)

    assert event.staff.get(user=judge).role == StaffRole.SCOREKEEPER
    entry = event.log.filter(action="role given").first()
    assert (entry.before, entry.after) == (
        {"role": "judge"},
        {"role": "scorekeeper", "account": judge.pk},
    )


def test_the_owner_stays_the_only_owner(event: Tournament):
    owner = event.staff.get()
    other = make_user()

    with pytest.raises(staff.StaffRefused):
        staff.give_role(event, owner_of(event), other, StaffRole.OWNER)
    with pytest.raises(staff.StaffRefused):
        staff.invite(event, owner_of(event), StaffRole.OWNER, timezone.now())
    with pytest.raises(staff.StaffRefused):
        staff.give_role(event, owner_of(event), owner.user, StaffRole.JUDGE)
    with pytest.raises(staff.StaffRefused):
        staff.take_role(event, owner_of(event), owner)

    assert event.staff.get() == owner


def test_who_became_owner_a_moment_ago_is_not_removed(event: Tournament):
    owner, judge = owner_of(event), add_staff(event, StaffRole.JUDGE)
    seen_as_judge = event.staff.get(user=judge)
    staff.hand_over(event, owner, event.staff.get(user=judge))

    with pytest.raises(staff.StaffRefused, match="The owner cannot be removed"):
        staff.take_role(event, owner, seen_as_judge)

    assert event.staff.get(role=StaffRole.OWNER).user == judge


def test_the_event_is_handed_over_and_the_old_owner_stays_as_organiser(event: Tournament):
    owner, heir = owner_of(event), add_staff(event, StaffRole.JUDGE)

    staff.hand_over(event, owner, event.staff.get(user=heir))

    assert event.staff.get(role=StaffRole.OWNER).user == heir
    assert event.staff.get(user=owner.user).role == StaffRole.ORGANISER
    with pytest.raises(staff.StaffRefused):
        staff.hand_over(event, Actor(user=heir), event.staff.get(user=heir))


def invited(event: Tournament, role: str = StaffRole.SCOREKEEPER, hours: int = 24) -> str:
    """The digest of a new link."""
    ends_at = timezone.now() + timedelta(hours=hours)
    return secret_links.digest(staff.invite(event, owner_of(event), role, ends_at, "Mara"))


def test_an_invitation_gives_its_role_once(event: Tournament):
    digest, mara = invited(event), make_user()

    staff.accept(digest, mara)

    assert permissions.can_enter_results(Actor(user=mara), event)
    with pytest.raises(staff.InvitationOver, match="used"):
        staff.accept(digest, make_user())
    assert event.staff.count() == 2


def test_an_invitation_has_a_long_secret_and_is_kept_as_its_hash(event: Tournament):
    secret = staff.invite(event, owner_of(event), StaffRole.JUDGE, timezone.now())

    assert len(secret) >= 22
    assert StaffInvitation.objects.get().secret_hash == secret_links.digest(secret)


def test_an_invitation_ends_with_its_time_or_when_it_is_withdrawn(event: Tournament):
    late, withdrawn = invited(event, hours=0), invited(event)
    staff.withdraw(StaffInvitation.objects.get(secret_hash=withdrawn), owner_of(event))

    with pytest.raises(staff.InvitationOver, match="too old"):
        staff.accept(late, make_user())
    with pytest.raises(staff.InvitationOver, match="withdrawn"):
        staff.accept(withdrawn, make_user())
    with pytest.raises(staff.InvitationUnknown):
        staff.accept(secret_links.digest("a guess"), make_user())


def test_who_has_a_role_keeps_it_and_the_link_stays_good(event: Tournament):
    digest = invited(event, StaffRole.ORGANISER)

    with pytest.raises(staff.StaffRefused, match="judge here already"):
        staff.accept(digest, add_staff(event, StaffRole.JUDGE))

    assert staff.accept(digest, make_user()).role == StaffRole.ORGANISER
