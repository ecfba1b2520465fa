"""Rulings of the head judge of an event: made, written anew, taken back, used again later."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from core.errors import Refusal
from rulings import services as ruling_services
from rulings.models import Ruling, RulingVersion
from rulings.parsing.records import Source
from tournaments.event import history
from tournaments.event.actors import Actor
from tournaments.judging import queries
from tournaments.models import LocalRuling, LogAction, Tournament, Visibility

PRIVATE = "a private event"


class NotInPractice(Refusal):
    """A practice copy makes no rulings: they would stay."""


class MadeElsewhere(Refusal):
    """Only the event where a ruling was made changes it."""


class NotPublic(Refusal):
    """Only a ruling of a public event can be for everybody."""


class NotYours(Refusal):
    """The ruling is not one of an event where this account helped."""


@dataclass(frozen=True)
class Wording:
    """What a local ruling says, on which rulings it is based, and why it was made or changed."""

    text: str
    cited: Sequence[RulingVersion] = ()
    reason: str = ""


@transaction.atomic
def make(tournament: Tournament, actor: Actor, subject: str, wording: Wording) -> LocalRuling:
    """A ruling that holds at this event; `subject` is a card of its game, or a topic.

    Raises NotInPractice, and what the rulings refuse: NoWords.
    """
    locked = history.lock_unfinished(tournament)
    _refuse_practice(locked)
    card = queries.card_titled(subject, locked.game)
    ruling = ruling_services.new_ruling(
        ruling_services.local_document(locked.game),
        subject="" if card else subject,
        card=card,
        text=wording.text,
        sources=_sources(locked, actor),
        by=actor.user,
        reason=wording.reason,
    )
    local = LocalRuling.objects.create(tournament=locked, ruling=ruling)
    _base(local, actor, wording)
    _log(locked, actor, LogAction.LOCAL_RULING_MADE, local, wording.reason)
    return local


@transaction.atomic
def rewrite(local: LocalRuling, actor: Actor, seen: int, wording: Wording) -> None:
    """The next version of a ruling that was made here; `seen` is the number of the newest read.

    Raises MadeElsewhere, and what the rulings refuse: NoWords, ReasonMissing, NothingChanged and
    WrittenMeanwhile.
    """
    locked, others = _locked_with_users(local)
    _refuse_made_elsewhere(local)
    ruling_services.write_version(
        local.ruling,
        seen=seen,
        text=wording.text,
        sources=_sources(locked, actor),
        in_force_from=None,
        by=actor.user,
        reason=wording.reason,
    )
    _base(local, actor, wording)
    history.move_versions(others)
    _log(locked, actor, LogAction.LOCAL_RULING_CHANGED, local, wording.reason)


@transaction.atomic
def withdraw(local: LocalRuling, actor: Actor) -> None:
    """It holds no longer from today on; withdrawn twice, nothing changes. Raises MadeElsewhere."""
    locked, others = _locked_with_users(local)
    _refuse_made_elsewhere(local)
    local.ruling.refresh_from_db(fields=["withdrawn_on"])
    if local.ruling.withdrawn_on is not None:
        return
    ruling_services.withdraw_ruling(local.ruling, timezone.localdate())
    history.move_versions(others)
    _log(locked, actor, LogAction.LOCAL_RULING_WITHDRAWN, local)


@transaction.atomic
def use(tournament: Tournament, ruling: Ruling, actor: Actor) -> LocalRuling:
    """A ruling of an earlier event holds here too; used twice, nothing changes. Raises NotYours."""
    locked = history.lock_unfinished(tournament)
    if (there := locked.local_rulings.filter(ruling=ruling).first()) is not None:
        return there
    if not queries.usable_rulings(actor.user, locked).filter(pk=ruling.pk).exists():
        raise NotYours("This ruling was not made at an event where you helped, or was withdrawn.")
    local = LocalRuling.objects.create(tournament=locked, ruling=ruling, made_here=False)
    _log(locked, actor, LogAction.LOCAL_RULING_USED_AGAIN, local)
    return local


@transaction.atomic
def leave_out(local: LocalRuling, actor: Actor) -> None:
    """A ruling of an earlier event does not hold here after all. Raises MadeElsewhere."""
    locked = history.lock_unfinished(local.tournament)
    if local.made_here:
        raise MadeElsewhere("This ruling was made here. Withdraw it instead.")
    _log(locked, actor, LogAction.LOCAL_RULING_LEFT_OUT, local)
    local.delete()


@transaction.atomic
def adopt(local: LocalRuling, *, is_adopted: bool = True) -> None:
    """Show it on the pages of its card and in the lists of everybody, or there no longer.

    Its event may be private later: then it is shown again once that is public. Raises NotPublic.
    """
    tournament = history.lock(local.tournament)
    if is_adopted and not (can_be_adopted(tournament) and local.made_here):
        raise NotPublic("Only a ruling that was made at a public event can be shown to everybody.")
    local.adopted_at = timezone.now() if is_adopted else None
    local.save(update_fields=["adopted_at"])
    ruling_services.adopt(local.ruling, local.adopted_at)


def follow_visibility(tournament: Tournament) -> None:
    """Show everybody what has been adopted while they may know of the event, and no longer."""
    is_public = can_be_adopted(tournament)
    for local in tournament.local_rulings.exclude(adopted_at=None).select_related("ruling"):
        ruling_services.adopt(local.ruling, local.adopted_at if is_public else None)


def can_be_adopted(tournament: Tournament) -> bool:
    """Whether everybody may know of the event."""
    return tournament.visibility == Visibility.PUBLIC and not tournament.is_practice


def _sources(tournament: Tournament, actor: Actor) -> list[Source]:
    venue = tournament.name if can_be_adopted(tournament) else PRIVATE
    return [Source(_signature(actor), venue=venue[:80], date=timezone.localdate())]


def _signature(actor: Actor) -> str:
    """Who made it, as players know them; never the name they log in with."""
    name = actor.player.name if actor.player else ""
    return (name or (actor.user.get_full_name() if actor.user else "") or "Head judge")[:80]


def _base(local: LocalRuling, actor: Actor, wording: Wording) -> None:
    """Keep which versions it rests on; a note without a table, so that they count as cited."""
    local.basis = (
        ruling_services.write_note(None, actor.user, wording.reason, wording.cited)
        if wording.cited
        else None
    )
    local.save(update_fields=["basis"])


def _refuse_practice(tournament: Tournament) -> None:
    if tournament.is_practice:
        raise NotInPractice("A practice copy makes no rulings, since rulings stay for good.")


def _refuse_made_elsewhere(local: LocalRuling) -> None:
    if not local.made_here:
        raise MadeElsewhere("This ruling was made at another event. Its head judge changes it.")


def _locked_with_users(local: LocalRuling) -> tuple[Tournament, QuerySet[Tournament]]:
    """The event, and all whose pages show the ruling; locked in one order, before its document."""
    used = LocalRuling.objects.filter(ruling=local.ruling_id).values("tournament")
    rows = Tournament.objects.select_for_update().filter(pk__in=used).order_by("pk")
    keys = [one.pk for one in rows]
    locked = history.lock_unfinished(local.tournament)
    return locked, Tournament.objects.filter(pk__in=keys)


def _log(
    tournament: Tournament, actor: Actor, action: LogAction, local: LocalRuling, reason: str = ""
) -> None:
    history.record(
        tournament,
        actor,
        action,
        f"{local.ruling.short_code} {local.ruling.subject}",
        reason=reason,
    )
