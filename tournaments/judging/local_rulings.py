"""Local rulings by the head judge: make, rewrite, withdraw, reuse, adopt."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import Refusal
from rulings import services as rulings_services
from rulings.models import Ruling, RulingVersion
from rulings.parsing.records import RulingSource
from tournaments.event import history
from tournaments.event.permissions import Actor
from tournaments.judging import queries
from tournaments.models import LocalRuling, LogAction, Tournament, Visibility

PRIVATE_VENUE = "a private event"


class NotInPractice(Refusal):
    """Practice events have no rulings, because rulings outlive them."""


class MadeElsewhere(Refusal):
    """A ruling can be changed only at the event where it was made."""


class NotPublic(Refusal):
    """Only a ruling of a public event can be published site-wide."""


class NotYours(Refusal):
    """The ruling is from an event where the account had no role."""


@dataclass(frozen=True)
class Wording:
    text: str
    cited: Sequence[RulingVersion] = ()
    reason: str = ""


@transaction.atomic
def make(tournament: Tournament, actor: Actor, subject: str, wording: Wording) -> LocalRuling:
    """Make a ruling for this event; `subject` is a card title or a topic.

    Raises NotInPractice, and NoWords from the rulings.
    """
    locked = history.lock_unfinished(tournament)
    if locked.is_practice:
        raise NotInPractice(_("Rulings are permanent, so a practice event cannot have any."))
    card = queries.card_by_title(subject, locked.game)
    ruling = rulings_services.create_local_ruling(
        rulings_services.get_local_document(locked.game),
        subject="" if card else subject,
        card=card,
        text=wording.text,
        sources=_sources(locked, actor),
        by=actor.user,
        reason=wording.reason,
    )
    local = LocalRuling.objects.create(tournament=locked, ruling=ruling)
    _store_basis(local, actor, wording)
    _log_local_ruling(locked, actor, LogAction.LOCAL_RULING_MADE, local, wording.reason)
    return local


@transaction.atomic
def rewrite(local: LocalRuling, actor: Actor, seen: int, wording: Wording) -> None:
    """Add a version to a ruling made here; `seen` is the newest version the judge read.

    Raises MadeElsewhere, and NoWords, ReasonMissing, NothingChanged and WrittenMeanwhile from the
    rulings.
    """
    locked, others = _locked_with_users(local)
    _refuse_made_elsewhere(local)
    rulings_services.write_version(
        local.ruling,
        seen=seen,
        text=wording.text,
        sources=_sources(locked, actor),
        in_force_from=None,
        by=actor.user,
        reason=wording.reason,
    )
    _store_basis(local, actor, wording)
    history.bump_versions_of_events(others)
    _log_local_ruling(locked, actor, LogAction.LOCAL_RULING_CHANGED, local, wording.reason)


@transaction.atomic
def withdraw(local: LocalRuling, actor: Actor) -> None:
    """Withdraw the ruling from today. Idempotent. Raises MadeElsewhere."""
    locked, others = _locked_with_users(local)
    _refuse_made_elsewhere(local)
    local.ruling.refresh_from_db(fields=["withdrawn_on"])
    if local.ruling.withdrawn_on is not None:
        return
    rulings_services.withdraw_ruling(local.ruling, timezone.localdate())
    history.bump_versions_of_events(others)
    _log_local_ruling(locked, actor, LogAction.LOCAL_RULING_WITHDRAWN, local)


@transaction.atomic
def reuse(tournament: Tournament, ruling: Ruling, actor: Actor) -> LocalRuling:
    """Use a ruling of an earlier event here too. Idempotent. Raises NotYours."""
    locked = history.lock_unfinished(tournament)
    if (in_use := locked.local_rulings.filter(ruling=ruling).first()) is not None:
        return in_use
    if not queries.usable_rulings(actor.user, locked).filter(pk=ruling.pk).exists():
        raise NotYours(
            _("This ruling has been withdrawn, or comes from an event where you did not help.")
        )
    local = LocalRuling.objects.create(tournament=locked, ruling=ruling, made_here=False)
    _log_local_ruling(locked, actor, LogAction.LOCAL_RULING_USED_AGAIN, local)
    return local


@transaction.atomic
def leave_out(local: LocalRuling, actor: Actor) -> None:
    """Stop using a ruling of an earlier event at this event. Raises MadeElsewhere."""
    locked = history.lock_unfinished(local.tournament)
    if local.made_here:
        raise MadeElsewhere(_("This ruling was made here. Withdraw it instead."))
    _log_local_ruling(locked, actor, LogAction.LOCAL_RULING_LEFT_OUT, local)
    local.delete()


@transaction.atomic
def adopt(local: LocalRuling, *, is_adopted: bool = True) -> None:
    """Show the ruling on its card's page and in the site-wide lists, or remove it there.

    If the event becomes private, the ruling is hidden until it is public again. Raises NotPublic.
    """
    tournament = history.lock(local.tournament)
    if is_adopted and not (can_be_adopted(tournament) and local.made_here):
        raise NotPublic(_("Only a ruling made at a public event can be shown to everyone."))
    local.adopted_at = timezone.now() if is_adopted else None
    local.save(update_fields=["adopted_at"])
    rulings_services.adopt_ruling(local.ruling, local.adopted_at)


def apply_visibility(tournament: Tournament) -> None:
    """Show adopted rulings while their event is public, else hide them."""
    is_public = can_be_adopted(tournament)
    for local in tournament.local_rulings.exclude(adopted_at=None).select_related("ruling"):
        rulings_services.adopt_ruling(local.ruling, local.adopted_at if is_public else None)


def can_be_adopted(tournament: Tournament) -> bool:
    return tournament.visibility == Visibility.PUBLIC and not tournament.is_practice


def _sources(tournament: Tournament, actor: Actor) -> list[RulingSource]:
    venue = tournament.name if can_be_adopted(tournament) else PRIVATE_VENUE
    # Sign with the judge's public name, never with the username.
    name = actor.player.name if actor.player else ""
    name = name or (actor.user.get_full_name() if actor.user else "") or "Head judge"
    return [RulingSource(name[:80], venue=venue[:80], date=timezone.localdate())]


def _store_basis(local: LocalRuling, actor: Actor, wording: Wording) -> None:
    """Store the cited versions in a note without a table, so that they count as cited."""
    local.basis = (
        rulings_services.write_note(None, actor.user, wording.reason, wording.cited)
        if wording.cited
        else None
    )
    local.save(update_fields=["basis"])


def _refuse_made_elsewhere(local: LocalRuling) -> None:
    if not local.made_here:
        raise MadeElsewhere(
            _("This ruling was made at another event. Only its head judge can change it.")
        )


def _locked_with_users(local: LocalRuling) -> tuple[Tournament, QuerySet[Tournament]]:
    """Lock all events whose pages show the ruling, in pk order, before its document.

    Returns the event of the ruling and all of those events.
    """
    used = LocalRuling.objects.filter(ruling=local.ruling_id).values("tournament")
    rows = Tournament.objects.select_for_update().filter(pk__in=used).order_by("pk")
    keys = [tournament.pk for tournament in rows]
    locked = history.lock_unfinished(local.tournament)
    return locked, Tournament.objects.filter(pk__in=keys)


def _log_local_ruling(
    tournament: Tournament, actor: Actor, action: LogAction, local: LocalRuling, reason: str = ""
) -> None:
    history.record(
        tournament,
        actor,
        action,
        f"{local.ruling.short_code} {local.ruling.subject}",
        reason=reason,
    )
