"""Who outside the site hears of an event: set by its organisers, asked for by its players."""

from typing import Any

from django.db import transaction

from core import jobs, outgoing_requests, web_push
from core.errors import Refusal
from tournaments import announcements, history, tasks
from tournaments.actors import Actor
from tournaments.models import (
    Announcing,
    Job,
    JobKind,
    LogAction,
    MailWish,
    Registration,
    Round,
    Tournament,
)

TEST = "test"


class NoWebhook(Refusal):
    """There is no channel to tell."""


class NoMail(Refusal):
    """No mail can be had here."""


def setting_of(tournament: Tournament) -> Announcing:
    """What is switched on; a row that is not stored when nothing ever was."""
    stored = Announcing.objects.filter(tournament=tournament).select_related("tournament").first()
    return stored or Announcing(tournament=tournament)


@transaction.atomic
def change(
    tournament: Tournament,
    actor: Actor,
    *,
    webhook: str | None,
    tells_pairings: bool,
    tells_standings: bool,
    allows_mail: bool,
    allows_push: bool,
) -> None:
    """Set all of it; with None the webhook stays. The log names its site, never its address.

    Raises AddressNotAllowed of core.outgoing_requests for an address that may not be told.
    """
    locked = history.lock(tournament)
    setting = setting_of(locked)
    before = _plain(setting)
    if webhook:
        outgoing_requests.check(webhook, announcements.CHANNELS)
    if webhook is not None:
        setting.webhook = webhook
    setting.tells_pairings, setting.tells_standings = tells_pairings, tells_standings
    setting.allows_mail, setting.allows_push = allows_mail, allows_push
    setting.save()
    after = _plain(setting)
    if before != after or webhook is not None:
        history.record(locked, actor, LogAction.NEWS_SET, before=before, after=after)


def _plain(setting: Announcing) -> dict[str, Any]:
    return {
        "webhook": site_of(setting),
        "tells_pairings": setting.tells_pairings,
        "tells_standings": setting.tells_standings,
        "allows_mail": setting.allows_mail,
        "allows_push": setting.allows_push,
    }


def site_of(setting: Announcing) -> str:
    """The site of the webhook; empty when there is none. The rest of its address is a secret."""
    return (
        outgoing_requests.check(setting.webhook, announcements.CHANNELS) if setting.webhook else ""
    )


def round_published(round_: Round) -> None:
    """For the transaction that publishes: what is switched on hears of it after the commit."""
    assert round_.published_at is not None
    setting = setting_of(round_.stage.tournament)
    payload = {"news": "round", "round": round_.pk, "number": round_.number}
    # A round that is taken back and published again is news again.
    moment = f"{round_.pk}:{round_.published_at.timestamp()}"
    if setting.webhook and setting.tells_pairings:
        _ring(setting, JobKind.NOTIFY, moment, payload)
    if setting.allows_mail:
        _ring(setting, JobKind.MAIL, moment, payload)
    if setting.allows_push and web_push.is_on():
        _ring(setting, JobKind.PUSH, moment, payload)


def event_finished(tournament: Tournament) -> None:
    """For the transaction that finishes the event."""
    assert tournament.finished_at is not None
    setting = setting_of(tournament)
    if setting.webhook and setting.tells_standings:
        moment = f"end:{tournament.finished_at.timestamp()}"
        _ring(setting, JobKind.NOTIFY, moment, {"news": "standings"})


@transaction.atomic
def send_test(tournament: Tournament) -> None:
    """Tell the channel a word; the job says what came of it. Raises NoWebhook."""
    locked = history.lock(tournament)
    setting = setting_of(locked)
    if not setting.webhook:
        raise NoWebhook("Set the address of a webhook first.")
    last = locked.jobs.filter(key=_key(locked, JobKind.NOTIFY, TEST)).first()
    if last is None:
        _ring(setting, JobKind.NOTIFY, TEST, {"news": TEST})
    elif not last.is_live:
        last.payload["sent"] = 0
        jobs.requeue(last)
        jobs.enqueue(tasks.notify, last)


def _ring(setting: Announcing, kind: JobKind, moment: str, payload: dict[str, Any]) -> None:
    tournament = setting.tournament
    # A sandbox tells nobody.
    if tournament.is_practice:
        return
    job = Job.objects.create(
        tournament=tournament,
        kind=kind,
        key=_key(tournament, kind, moment),
        payload={**payload, "sent": 0},
    )
    jobs.enqueue(tasks.TASKS[kind], job)


def _key(tournament: Tournament, kind: JobKind, moment: str) -> str:
    return f"{kind}:{tournament.pk}:{moment}"


@transaction.atomic
def wish_mail(registration: Registration, *, wanted: bool) -> None:
    """A player asks for mails, or takes that back. Raises NoMail where there are none."""
    if not wanted:
        MailWish.objects.filter(registration=registration).delete()
        return
    reason = why_no_mail(registration)
    if reason:
        raise NoMail(reason)
    MailWish.objects.get_or_create(registration=registration)


def wishes_mail(registration: Registration) -> bool:
    """Whether this player has asked for mails."""
    return MailWish.objects.filter(registration=registration).exists()


def why_no_mail(registration: Registration) -> str:
    """What stands in the way of a mail to this player; empty when nothing does."""
    if not announcements.can_mail() or not setting_of(registration.tournament).allows_mail:
        return "The organiser sends no mails at this event."
    user = registration.player.user
    if user is None or not user.email:
        return "Mails need an account with an address: set it on your account page."
    return ""
