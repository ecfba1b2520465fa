"""Programs elsewhere that hear of an event: their messages are written down with the change.

A message is a row in the transaction of the change; a job sends it after the commit. It says what
everybody who reads the event sees, and where to read more. An event nobody hears of costs no query.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.urls import reverse
from django.utils import timezone

from core import jobs
from core.jobs import JobState
from core.site_address import shared_address
from engine.systems import ELIMINATIONS
from matches.models import SETTLED, Match
from matches.scoring import Points
from tournaments.models import (
    Job,
    JobKind,
    LogAction,
    Pairing,
    Round,
    Tournament,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)

Payload = dict[str, Any]


@dataclass(frozen=True)
class Happening:
    """What happened, and where in the event."""

    event: WebhookEvent
    round_: Round | None = None
    pairing: Pairing | None = None


def of_change(
    tournament: Tournament, action: LogAction, subject: object, before: Mapping[str, Any]
) -> None:
    """Write down what a public entry of the log means to programs. Wants a transaction."""
    event = action.webhook_event
    if event is None or not _may_be_heard(tournament):
        return
    if isinstance(subject, Pairing):
        was_settled = before.get("match", {}).get("state") in SETTLED
        of_result(tournament, subject, was_settled=was_settled)
    elif isinstance(subject, Round) and event == WebhookEvent.ROUND_PUBLISHED:
        _of_publishing(tournament, subject)
    else:
        notify(tournament, Happening(event, subject if isinstance(subject, Round) else None))


def _of_publishing(tournament: Tournament, round_: Round) -> None:
    stage = round_.stage
    # The cut is everybody's to see with its first round, if it was not before.
    is_hidden = stage.system in ELIMINATIONS and stage.seeds_shown_at is None
    if is_hidden and not stage.rounds.filter(number__lt=round_.number).exists():
        notify(tournament, Happening(WebhookEvent.CUT_MADE, round_))
    notify(tournament, Happening(WebhookEvent.ROUND_PUBLISHED, round_))


def of_result(tournament: Tournament, pairing: Pairing, *, was_settled: bool) -> None:
    """A result stands, is another one, or stands no more."""
    if _may_be_heard(tournament) and (was_settled or _is_settled(pairing)):
        notify(tournament, Happening(WebhookEvent.RESULT_SETTLED, pairing.round, pairing))


def _is_settled(pairing: Pairing) -> bool:
    match = pairing.match
    return match is not None and Match.objects.filter(pk=match.pk, state__in=SETTLED).exists()


def notify(tournament: Tournament, happening: Happening) -> None:
    """A message to each webhook of the event that wants to hear of this."""
    if not _may_be_heard(tournament):
        return
    # Locked, so that the job of a webhook does not end while a message for it is written.
    hearers = Webhook.objects.select_for_update().filter(tournament=tournament, disabled_at=None)
    wanted = [one for one in hearers.order_by("pk") if happening.event in one.events]
    if not wanted:
        return
    payload = payload_of(tournament, happening)
    for webhook in wanted:
        write(webhook, happening.event, payload)


def _may_be_heard(tournament: Tournament) -> bool:
    # Who locked the event knows already (history.lock). A sandbox tells nobody.
    return getattr(tournament, "has_webhooks", True) and tournament.practice_of_id is None


def write(webhook: Webhook, event: WebhookEvent, payload: Payload) -> WebhookDelivery:
    """A message for this webhook, which is locked, and the job that sends it."""
    uid = uuid4()
    delivery = WebhookDelivery.objects.create(
        webhook=webhook, uid=uid, event=event, payload={"id": str(uid), **payload}
    )
    enqueue(webhook)
    return delivery


def key_of(webhook: Webhook) -> str:
    """One job for each webhook: so its messages go out in order, whatever others do."""
    return f"webhook:{webhook.pk}"


def enqueue(webhook: Webhook) -> None:
    """Let the job of this webhook, which is locked, look for messages after the commit."""
    job, is_new = Job.objects.get_or_create(
        key=key_of(webhook),
        defaults={
            "tournament_id": webhook.tournament_id,
            "kind": JobKind.WEBHOOK,
            "payload": {"webhook": webhook.pk},
        },
    )
    if not is_new and not job.is_live:
        jobs.requeue(job)
    if job.state == JobState.QUEUED and job.leased_until is None:
        jobs.enqueue(job)


def payload_of(tournament: Tournament, happening: Happening) -> Payload:
    """All of a message but its own id."""
    version = Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)
    payload: Payload = {
        "event": happening.event.value,
        "sent_at": timezone.now().isoformat(),
        "tournament": {"slug": tournament.slug, "name": tournament.name, "version": version},
        "urls": _urls(tournament, happening),
    }
    if happening.round_ is not None:
        payload["round"] = happening.round_.number
    if happening.pairing is not None:
        payload["table"] = happening.pairing.table_number
        payload["result"] = _result(tournament, happening.pairing)
    return payload


def _urls(tournament: Tournament, happening: Happening) -> dict[str, str]:
    """Where the API tells more; without a known address of the site from its root on."""
    slug = tournament.slug
    urls = {"tournament": _address("event", slug), "standings": _address("standings", slug)}
    if happening.round_ is not None:
        urls["round"] = _address("round", slug, happening.round_.number)
    return urls


def _address(name: str, *args: str | int) -> str:
    return f"{shared_address()}{reverse(f'api:{name}', args=args)}"


def _result(tournament: Tournament, pairing: Pairing) -> Payload | None:
    """The match points of a settled result, as everybody reads them; None when none stands."""
    assert pairing.match is not None, "a bye has no result to settle"
    match = Match.objects.filter(pk=pairing.match.pk, state__in=SETTLED).first()
    if match is None:
        return None
    numbers = dict(tournament.registrations.values_list("player", "number"))
    seats = match.seats.select_related("player").order_by("position")
    return {
        "seats": [
            {
                "number": numbers[seat.player_id],
                "name": seat.player.name,
                "match_points": _points(seat.points),
            }
            for seat in seats
        ]
    }


def _points(points: Points) -> int | str:
    return points if isinstance(points, int) else str(points)
