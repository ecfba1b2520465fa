"""Store webhook messages in the transaction of the change.

A job sends each message after the commit. Messages contain public data only, with URLs for details.
Events without webhooks cost no query.
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
    """A webhook event and its place in the tournament."""

    event: WebhookEvent
    round_: Round | None = None
    pairing: Pairing | None = None


def of_change(
    tournament: Tournament, action: LogAction, subject: object, before: Mapping[str, Any]
) -> None:
    """Store the webhook messages for a public log entry. Requires a transaction."""
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
    # The first round of a cut makes it public, unless its seeds were published before.
    is_hidden = stage.system in ELIMINATIONS and stage.seeds_shown_at is None
    if is_hidden and not stage.rounds.filter(number__lt=round_.number).exists():
        notify(tournament, Happening(WebhookEvent.CUT_MADE, round_))
    notify(tournament, Happening(WebhookEvent.ROUND_PUBLISHED, round_))


def of_result(tournament: Tournament, pairing: Pairing, *, was_settled: bool) -> None:
    """Notify webhooks if a settled result was added, changed or removed."""
    if _may_be_heard(tournament) and (was_settled or _is_settled(pairing)):
        notify(tournament, Happening(WebhookEvent.RESULT_SETTLED, pairing.round, pairing))


def _is_settled(pairing: Pairing) -> bool:
    match = pairing.match
    return match is not None and Match.objects.filter(pk=match.pk, state__in=SETTLED).exists()


def notify(tournament: Tournament, happening: Happening) -> None:
    """Store a message for each webhook that subscribes to this event."""
    if not _may_be_heard(tournament):
        return
    # Locked, so that the webhook's job cannot end while a message for it is stored.
    hearers = Webhook.objects.select_for_update().filter(tournament=tournament, disabled_at=None)
    wanted = [one for one in hearers.order_by("pk") if happening.event in one.events]
    if not wanted:
        return
    payload = payload_of(tournament, happening)
    for webhook in wanted:
        write(webhook, happening.event, payload)


def _may_be_heard(tournament: Tournament) -> bool:
    # `history.lock` annotates `has_webhooks`. Practice events send no messages.
    return getattr(tournament, "has_webhooks", True) and tournament.practice_of_id is None


def write(webhook: Webhook, event: WebhookEvent, payload: Payload) -> WebhookDelivery:
    """Store a message for a locked webhook, and queue its job."""
    uid = uuid4()
    delivery = WebhookDelivery.objects.create(
        webhook=webhook, uid=uid, event=event, payload={"id": str(uid), **payload}
    )
    enqueue(webhook)
    return delivery


def key_of(webhook: Webhook) -> str:
    """The job key of a webhook. One job per webhook, so that its messages are sent in order."""
    return f"webhook:{webhook.pk}"


def enqueue(webhook: Webhook) -> None:
    """Queue the job of a locked webhook, to send its messages after the commit."""
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
    """A message without its own id."""
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
    """API URLs for details; relative to the root if the site's address is unknown."""
    slug = tournament.slug
    urls = {"tournament": _address("event", slug), "standings": _address("standings", slug)}
    if happening.round_ is not None:
        urls["round"] = _address("round", slug, happening.round_.number)
    return urls


def _address(name: str, *args: str | int) -> str:
    return f"{shared_address()}{reverse(f'api:{name}', args=args)}"


def _result(tournament: Tournament, pairing: Pairing) -> Payload | None:
    """The public match points of a settled result; None if there is none."""
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
