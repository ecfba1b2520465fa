"""The account, the player and their own words: what is left is a row that nobody can open."""

from typing import Any

from django.db.models import CASCADE, ManyToOneRel, Q
from django.utils import timezone

from matches.models import ResultReport
from players.models import Player, Session, User
from rulings.importer import index
from rulings.models import Citation, JudgeCall, JudgeNote, RulingDocument, RulingVersion
from tournaments.models import (
    DeckCheck,
    DeckReceipt,
    KeptAnswer,
    LocalRuling,
    LogEntry,
    MailWish,
    Penalty,
    PushSubscription,
    Registration,
    Staff,
    StaffRole,
    StatedIdentity,
    log_actions,
)
from tournaments.privacy.erasing.people import Person


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
    LogEntry.objects.filter(user=user, action__in=log_actions.TOKENS).update(subject="")
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


def forget_own_words(players: list[Player]) -> None:
    """Reasons, notes and questions about these players; the facts beside them stay."""
    places = Registration.objects.filter(player__in=players)
    about = Q(registration__in=places) | Q(player__in=players)
    LogEntry.objects.filter(about).exclude(reason="").update(reason="")
    penalties = Penalty.objects.filter(registration__in=places)
    JudgeNote.objects.filter(penalty__in=penalties).update(text="")
    penalties.update(withdrawn_reason="")
    JudgeCall.objects.filter(player__in=players).update(about="")
    ResultReport.objects.filter(seat__player__in=players).update(note="")
    DeckCheck.objects.filter(submission__registration__in=places).update(note="")
    DeckReceipt.objects.filter(submission__registration__in=places).update(reason="")
    places.update(avoid_group="", avoids_stream=False, fixed_table=None)


def sign_rulings_anew(person: Person, names: set[str]) -> None:
    """The local rulings a judge made stay in force; who made them is not told any more.

    The database lets nobody change a citation, so it is written anew.
    """
    if person.user is None:
        return
    rulings = LocalRuling.objects.filter(made_here=True).values("ruling")
    versions = RulingVersion.objects.filter(ruling__in=rulings, written_by=person.user)
    cut = {name[:80] for name in names}
    signed = list(Citation.objects.filter(version__in=versions, authority__in=cut))
    Citation.objects.filter(pk__in=[one.pk for one in signed]).delete()
    for one in signed:
        one.authority = person.label
    Citation.objects.bulk_create(signed)
    signed_versions = {one.version_id for one in signed}
    documents = RulingDocument.objects.filter(rulings__versions__in=signed_versions)
    for document in documents.distinct():
        index.update(document)
