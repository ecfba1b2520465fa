"""Staff roles of an event, their transfer, and invitations to them."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from core import secret_links
from core.errors import Refusal
from players.models import User
from tournaments.event import history
from tournaments.event.actors import Actor
from tournaments.models import LogAction, Staff, StaffInvitation, StaffRole, Tournament

GIVEN_ROLES = [choice for choice in StaffRole.choices if choice[0] != StaffRole.OWNER]
# Lifetime of an invitation link, by hours.
LIFETIMES = {1: "1 hour", 8: "8 hours", 24: "1 day", 72: "3 days", 168: "a week"}


class StaffRefused(Refusal):
    """The change is not possible for this account or role."""


@transaction.atomic
def give_role(tournament: Tournament, actor: Actor, user: User, role: str) -> Staff:
    """Give an account a role, or change its role. The single owner cannot be demoted.

    Raises StaffRefused, also for an account deleted in the meantime.
    """
    locked = history.lock(tournament)
    if role == StaffRole.OWNER:
        raise StaffRefused("There is one owner. Hand the event over instead.")
    current = locked.staff.filter(user=user).first()
    if current is not None and current.role == StaffRole.OWNER:
        raise StaffRefused(f"{user} owns this event and keeps that role.")
    # Jobs that erase inactive accounts wait for this lock, then find the account on the staff.
    held = User.objects.select_for_update().filter(pk=user.pk).first()
    if held is None:
        raise StaffRefused("This account is not there any more.")
    staff, _ = Staff.objects.update_or_create(tournament=locked, user=held, defaults={"role": role})
    before = {"role": current.role} if current else {}
    after = {"role": role, "account": held.pk}
    history.record(locked, actor, LogAction.ROLE_GIVEN, held, before=before, after=after)
    return staff


@transaction.atomic
def take_role(tournament: Tournament, actor: Actor, staff: Staff) -> None:
    """Remove a role; access ends with the next request.

    Raises StaffRefused for the owner and for an account without a role.
    """
    locked = history.lock(tournament)
    held = _held(locked, staff)
    if held.role == StaffRole.OWNER:
        raise StaffRefused("The owner cannot be removed.")
    before = {"role": held.role, "account": held.user_id}
    history.record(locked, actor, LogAction.ROLE_TAKEN, held.user, before=before)
    held.delete()


@transaction.atomic
def hand_over(tournament: Tournament, actor: Actor, staff: Staff) -> None:
    """Make a staff member the owner; the previous owner becomes an organiser.

    Raises StaffRefused if the member is the owner already, or has no role any more.
    """
    locked = history.lock(tournament)
    heir = _held(locked, staff)
    owner = locked.staff.select_related("user").get(role=StaffRole.OWNER)
    if heir == owner:
        raise StaffRefused(f"{owner.user} owns this event already.")
    owner.role, heir.role = StaffRole.ORGANISER, StaffRole.OWNER
    # Demote the old owner first: there is never more than one owner.
    owner.save(update_fields=["role"])
    heir.save(update_fields=["role"])
    before, after = {"owner": str(owner.user)}, {"owner": str(heir.user)}
    history.record(
        locked,
        actor,
        LogAction.EVENT_HANDED_OVER,
        heir.user,
        before=before,
        after=after,
    )


def _held(locked: Tournament, staff: Staff) -> Staff:
    """Re-read the role under the lock. Raises StaffRefused if it was removed."""
    held = locked.staff.select_related("user").filter(pk=staff.pk).first()
    if held is None:
        raise StaffRefused("This account has no role at this event any more.")
    return held


class InvitationRefused(Refusal):
    """Base class for invitation links that give no role."""


class InvitationUnknown(InvitationRefused):
    pass


class InvitationOver(InvitationRefused):
    """The invitation was used, withdrawn or has expired."""


@transaction.atomic
def invite(
    tournament: Tournament, actor: Actor, role: str, ends_at: datetime, note: str = ""
) -> str:
    """Create an invitation and return its secret, stored only as a hash. Raises StaffRefused."""
    locked = history.lock(tournament)
    if role == StaffRole.OWNER:
        raise StaffRefused("Nobody is invited to own an event. Hand it over instead.")
    secret = secret_links.new_secret()
    StaffInvitation.objects.create(
        tournament=locked,
        role=role,
        secret_hash=secret_links.digest(secret),
        note=note,
        made_by=actor.user,
        ends_at=ends_at,
    )
    after = {"role": role, "ends_at": str(ends_at)}
    history.record(locked, actor, LogAction.INVITATION_MADE, note, after=after)
    return secret


@transaction.atomic
def withdraw(invitation: StaffInvitation, actor: Actor) -> None:
    """Withdraw an open invitation. A used or withdrawn invitation stays unchanged."""
    locked = history.lock(invitation.tournament)
    open_ = StaffInvitation.objects.filter(pk=invitation.pk, used_at=None, withdrawn_at=None)
    if open_.update(withdrawn_at=timezone.now()):
        before = {"role": invitation.role}
        history.record(
            locked,
            actor,
            LogAction.INVITATION_WITHDRAWN,
            invitation.note,
            before=before,
        )


def invitation(digest: str) -> StaffInvitation:
    """Return the open invitation of a link without using it up.

    Raises InvitationUnknown, or InvitationOver if it was used or withdrawn or has expired.
    """
    rows = StaffInvitation.objects.select_related("tournament")
    found = rows.filter(secret_hash=digest).first()
    if found is None:
        raise InvitationUnknown(
            "This link is not complete, or was never given out. Ask for a new one."
        )
    if found.used_at:
        raise InvitationOver("This invitation was used already. Each works once.")
    if found.withdrawn_at:
        raise InvitationOver("This invitation was withdrawn. Ask the owner of the event.")
    if found.ends_at <= timezone.now():
        raise InvitationOver("This invitation is too old. Ask the owner for a new one.")
    return found


@transaction.atomic
def accept(digest: str, user: User) -> Staff:
    """Use the invitation up and give the account its role.

    Raises the refusals of `invitation`, and StaffRefused if the account already has a role. A
    refusal leaves the link unused.
    """
    found = invitation(digest)
    tournament = history.lock(found.tournament)
    # Check again under the lock: two people may open the link at the same time.
    found = invitation(digest)
    held = tournament.staff.filter(user=user).first()
    if held is not None:
        raise StaffRefused(
            f"You are {held.get_role_display()} here already. The owner can give you another role."
        )
    found.used_by, found.used_at = user, timezone.now()
    found.save(update_fields=["used_by", "used_at"])
    return give_role(tournament, Actor(user=user), user, found.role)
