"""Roles: one for each account, and one owner."""

from django.db import transaction

from core.errors import Refusal
from players.models import User
from tournaments import history
from tournaments.actors import Actor
from tournaments.models import Staff, StaffRole, Tournament


class StaffRefused(Refusal):
    """This change would leave the event without an owner, or name nobody."""

    code = "staff_refused"


@transaction.atomic
def give_role(tournament: Tournament, actor: Actor, user: User, role: str) -> Staff:
    """Give an account a role, or another one. There is one owner, who cannot be demoted.

    Raises StaffRefused, also for an account that was deleted meanwhile.
    """
    locked = history.lock(tournament)
    if role == StaffRole.OWNER:
        raise StaffRefused("There is one owner. Hand the event over instead.")
    current = locked.staff.filter(user=user).first()
    if current is not None and current.role == StaffRole.OWNER:
        raise StaffRefused(f"{user} owns this event and keeps that role.")
    # What forgets people by time waits here, looks again and finds them on the staff.
    held = User.objects.select_for_update().filter(pk=user.pk).first()
    if held is None:
        raise StaffRefused("This account is not there any more.")
    staff, _ = Staff.objects.update_or_create(tournament=locked, user=held, defaults={"role": role})
    before = {"role": current.role} if current else {}
    after = {"role": role, "account": held.pk}
    history.record(locked, actor, "role given", held, before=before, after=after, public=False)
    return staff


@transaction.atomic
def take_role(tournament: Tournament, actor: Actor, staff: Staff) -> None:
    """Take a role away; it ends with the next request.

    Raises StaffRefused for the owner, and for who has no role any more.
    """
    locked = history.lock(tournament)
    held = _held(locked, staff)
    if held.role == StaffRole.OWNER:
        raise StaffRefused("The owner cannot be removed.")
    before = {"role": held.role, "account": held.user_id}
    history.record(locked, actor, "role taken", held.user, before=before, public=False)
    held.delete()


@transaction.atomic
def hand_over(tournament: Tournament, actor: Actor, staff: Staff) -> None:
    """Somebody of the staff owns the event from now on; who owned it stays as organiser.

    Raises StaffRefused when they own it already, or have no role any more.
    """
    locked = history.lock(tournament)
    heir = _held(locked, staff)
    owner = locked.staff.select_related("user").get(role=StaffRole.OWNER)
    if heir == owner:
        raise StaffRefused(f"{owner.user} owns this event already.")
    owner.role, heir.role = StaffRole.ORGANISER, StaffRole.OWNER
    # The old owner first: there is never more than one.
    owner.save(update_fields=["role"])
    heir.save(update_fields=["role"])
    before, after = {"owner": str(owner.user)}, {"owner": str(heir.user)}
    history.record(
        locked, actor, "event handed over", heir.user, before=before, after=after, public=False
    )


def _held(locked: Tournament, staff: Staff) -> Staff:
    """The role as it is under the lock. Raises StaffRefused when it is gone."""
    held = locked.staff.select_related("user").filter(pk=staff.pk).first()
    if held is None:
        raise StaffRefused("This account has no role at this event any more.")
    return held
