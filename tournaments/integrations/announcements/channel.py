"""The work of the job "tell the channel": the news as messages to the webhook of an event."""

import json
from datetime import timedelta
from typing import Any

from core import jobs, outgoing_requests
from core.errors import Refusal
from core.jobs import TryLater
from core.outgoing_requests import OutgoingRefused, Policy
from tournaments.event import queries
from tournaments.event.chat_text import escaped
from tournaments.models import Announcing, Job
from tournaments.results.pages.chat_texts import pairings_texts, standings_texts


def seconds_asked(retry_after: str) -> timedelta | None:
    """What "Retry-After" says, and a little more, when it is a number of seconds."""
    whole = retry_after.partition(".")[0]
    if not whole.isascii() or not whole.isdigit() or len(whole) > 6:
        return None
    return timedelta(seconds=int(whole) + 1)


CHANNELS = Policy(hosts=None, most_bytes=64 * 1024)
"""Any public site by its name: an organiser may have the channel anywhere. What is guarded is
where that name leads (core.outgoing_requests), and that nobody learns what the site answered."""
HEADERS = {"Content-Type": "application/json"}
TOO_MANY = 429
SOON = timedelta(seconds=5)


class ChannelGone(Refusal):
    """The channel will not take this message, now or later."""


def tell_channel(job: Job, policy: Policy | None = None) -> None:
    """Send what payload["news"] names, from message payload["sent"] on.

    Whatever was switched off, taken back or changed meanwhile is not told. Raises TryLater while
    the channel or the standings keep us waiting, ChannelGone for good.
    """
    told = Announcing.objects.select_related("tournament").filter(tournament=job.tournament_id)
    setting = told.exclude(webhook="").first()
    if setting is None:
        return
    texts = _texts(setting, job.payload)
    for text in texts[job.payload["sent"] :]:
        _post(setting.webhook, text, policy or CHANNELS)
        job.payload["sent"] += 1
        jobs.keep(job)


def _texts(setting: Announcing, payload: dict[str, Any]) -> list[str]:
    tournament = setting.tournament
    if payload["news"] == "test":
        return [f"Datafort tells of {escaped(tournament.name)} here."]
    if payload["news"] == "standings":
        if not setting.tells_standings or not tournament.is_finished:
            return []
        if queries.standings_wait(tournament):
            raise TryLater("The standings are still being computed.", SOON)
        return standings_texts(tournament)
    rounds = queries.visible_rounds(tournament).select_related("stage__tournament")
    round_ = rounds.filter(pk=payload["round"]).first()
    return pairings_texts(round_) if setting.tells_pairings and round_ else []


def _post(webhook: str, text: str, policy: Policy) -> None:
    message = {"content": text, "allowed_mentions": {"parse": []}}
    try:
        outgoing_requests.post(webhook, json.dumps(message).encode(), policy, HEADERS)
    except outgoing_requests.WrongStatus as refused:
        _refuse(refused)
    except outgoing_requests.AddressNotAllowed as refused:
        raise ChannelGone(str(refused)) from refused
    except OutgoingRefused as refused:
        raise TryLater(str(refused)) from refused


def _refuse(refused: outgoing_requests.WrongStatus) -> None:
    if is_busy(refused):
        raise TryLater(str(refused), wait_asked(refused)) from refused
    raise ChannelGone(
        f"{refused} Make a new webhook in the channel, and put its address in here."
    ) from refused


def is_busy(refused: outgoing_requests.WrongStatus) -> bool:
    """Whether the site may take it another time."""
    status: int = refused.details["status"]
    return status == TOO_MANY or status >= 500


def wait_asked(refused: OutgoingRefused) -> timedelta | None:
    """What "Retry-After" says, when it is a number of seconds."""
    return seconds_asked(refused.details.get("retry_after", ""))
