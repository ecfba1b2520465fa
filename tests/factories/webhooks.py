"""Webhooks for tests, and the program that receives them."""

import json
from dataclasses import dataclass, field
from typing import Any

from core import jobs
from core.http import Policy
from tests.core.tls_site import HOST, Site
from tests.factories.tournaments import owner_of
from tournaments.integrations import webhooks
from tournaments.models import Job, JobKind, Tournament, Webhook

ADDRESS = f"https://{HOST}/hooks/very-secret-path"
ALL = [value for value, _ in webhooks.EVENT_CHOICES]
DEAD = Policy(hosts=None, resolve=lambda *_: [])
"""No server listens there."""


def add_webhook(event: Tournament, *events: str, address: str = ADDRESS) -> Webhook:
    """A webhook of the event, for these event types or for all."""
    return webhooks.add_webhook(event, owner_of(event), address=address, events=events or ALL)


def send_all(event: Tournament, policy: Policy) -> None:
    """Run the due jobs of its webhooks."""
    for job in event.jobs.filter(kind=JobKind.WEBHOOK):
        jobs.run_aside(Job, job.pk, lambda job: webhooks.deliver_messages(job, policy))


def payloads(webhook: Webhook) -> list[dict[str, Any]]:
    """Payloads of the webhook, oldest first."""
    return [delivery.payload for delivery in webhook.deliveries.order_by("pk")]


def events_sent(webhook: Webhook) -> list[str]:
    return [payload["event"] for payload in payloads(webhook)]


@dataclass(frozen=True)
class Arrived:
    """A request as received by the program."""

    headers: dict[str, str]
    body: bytes
    json: Any = field(repr=False)


def arrived(site: Site) -> list[Arrived]:
    """Requests received by the program, in order."""
    return [_read(request) for request in site.requests]


def _read(request: bytes) -> Arrived:
    head, _, body = request.partition(b"\r\n\r\n")
    pairs = (line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    headers = {name.lower(): value for name, value in pairs}
    return Arrived(headers, body, json.loads(body))
