"""The account and the player themselves: what is left is a row that nobody can open."""

from typing import Any

from django.db.models import CASCADE, ManyToOneRel, Q
from django.utils import timezone

from players.models import Player, Session, User
from tournaments.erasing.people import Person
from tournaments.models import (
    KeptAnswer,
    LogEntry,
    MailWish,
    PushSubscription,
    Staff,
    StaffRole,
    StatedIdentity,
)


def forget_account(person: Person) -> None:
    """End every way in, delete all that hangs on the account, leave a name that says nothing.

    The row stays, so that the log of an event still tells one hand from another. So does the
    role of the owner of an event that is over: an event has one.
    """
    user = person.user
    if user is None:
        return
    Staff.objects.filter(user=user).exclude(role=StaffRole.OWNER).delete()
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel) and relation.on_delete is CASCADE:
            rows: Any = relation.related_model
            if rows is not Staff:
                rows._base_manager.filter(**{relation.field.name: user}).delete()
    # Its programs were called as they liked: the name is theirs, the deed the event's.
    LogEntry.objects.filter(user=user, action__startswith="token ").update(subject="")
    user.groups.clear()
    user.user_permissions.clear()
    user.set_unusable_password()
    user.username, user.email = f"erased-{user.pk}", ""
    user.first_name, user.last_name = person.label, ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login, user.date_joined = None, timezone.now()
    user.save()


def forget_player(player: Player, label: str) -> None:
    """A player of this name without pronouns, phones, mails or links, who belongs to nobody."""
    wishes = {"registration__player": player}
    PushSubscription.objects.filter(**wishes).delete()
    MailWish.objects.filter(**wishes).delete()
    StatedIdentity.objects.filter(**wishes, card=None).delete()
    player.user = None
    player.name, player.pronouns, player.former_names = label, "", []
    player.claim_hash = player.claim_expires_at = player.claimed_at = player.stays_from = None
    player.claim_generation += 1
    player.erased_at = timezone.now()
    player.save()


def end_sessions(person: Person) -> None:
    """Forget every device on which this person is known, and what was answered to it."""
    who = [f"user:{person.user.pk}"] if person.user else []
    who += [f"player:{person.player.pk}"] if person.player else []
    KeptAnswer.objects.filter(who__in=who).delete()
    Session.objects.filter(
        Q(user=person.user, user__isnull=False) | Q(player=person.player, player__isnull=False)
    ).delete()
