"""Invitations: links that give whoever opens them first a role, and then end."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from core import secret_links
from core.errors import Refusal
from players.models import User
from tournaments import history
from tournaments.actors import Actor
from tournaments.models import Staff, StaffInvitation, StaffRole, Tournament
from tournaments.services.staff.roles import StaffRefused, give_role


class InvitationRefused(Refusal):
    """A link that gives no role; its subclasses say why."""

    code = "invitation_refused"


class InvitationUnknown(InvitationRefused):
    """Nobody ever gave out this link."""

    code = "invitation_unknown"


class InvitationOver(InvitationRefused):
    """Used, withdrawn or out of time."""

    code = "invitation_over"


@transaction.atomic
def invite(
    tournament: Tournament, actor: Actor, role: str, ends_at: datetime, note: str = ""
) -> str:
    """A new link's secret, to be shown once: only its hash is kept. Raises StaffRefused."""
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
    history.record(locked, actor, "invitation made", note, after=after, public=False)
    return secret


@transaction.atomic
def withdraw(invitation: StaffInvitation, actor: Actor) -> None:
    """The link opens nothing any more. Withdrawn twice, or used already, it changes nothing."""
    locked = history.lock(invitation.tournament)
    open_ = StaffInvitation.objects.filter(pk=invitation.pk, used_at=None, withdrawn_at=None)
    if open_.update(withdrawn_at=timezone.now()):
        before = {"role": invitation.role}
        history.record(
            locked, actor, "invitation withdrawn", invitation.note, before=before, public=False
        )


def invitation(digest: str) -> StaffInvitation:
    """The open invitation of a link, without using it up.

    Raises InvitationUnknown, or InvitationOver when it was used or withdrawn or has run out.
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
    """Use the link up: the account has its role from now on.

    Raises what `invitation` does, and StaffRefused for an account that has a role here; then
    the link stays unused.
    """
    found = invitation(digest)
    tournament = history.lock(found.tournament)
    # Asked again under the lock: of two who open the link at once, one is first.
    found = invitation(digest)
    held = tournament.staff.filter(user=user).first()
    if held is not None:
        raise StaffRefused(
            f"You are {held.get_role_display()} here already. The owner can give you another role."
        )
    found.used_by, found.used_at = user, timezone.now()
    found.save(update_fields=["used_by", "used_at"])
    return give_role(tournament, Actor(user=user), user, found.role)
