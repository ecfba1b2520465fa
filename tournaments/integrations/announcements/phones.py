"""The work of the job "tell the phones": a message to each phone that asked for its table."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.urls import reverse

from core import jobs, outgoing_requests, web_push
from core.errors import Refusal
from core.jobs import TryLater
from core.outgoing_requests import OutgoingRefused, Policy, WrongStatus
from tournaments.event import queries
from tournaments.integrations.announcements.channel import is_busy, wait_asked
from tournaments.models import Job, PushSubscription, Round
from tournaments.rounds.pages.tables import NameLine, name_lines, table_lines

PHONES = Policy(hosts=None, most_bytes=64 * 1024)
"""Any public site: each maker of a browser has a push service of its own, and its name changes."""
AT_ONCE = 8
"""Requests side by side, so that a service that does not answer does not keep the others."""
SENDER = {"User-Agent": "Datafort/1 (tournament organiser)"}
GONE = (404, 410)


class PhonesNotTold(Refusal):
    """Push services will not take these messages, now or later."""


def tell_phones(job: Job, policy: Policy | None = None) -> None:
    """One message to each phone; those in payload["left"] alone when the job was here before.

    A phone that is no more is forgotten. Raises TryLater while a push service cannot take a
    message, PhonesNotTold where it will not; the other phones have been told by then.
    """
    rounds = queries.visible_rounds(job.tournament).select_related("stage__tournament")
    round_ = rounds.filter(pk=job.payload["round"]).first()
    if round_ is None or not web_push.is_on():
        return
    messages = _messages(round_)
    phones = [phone for phone in _phones(job) if phone.registration.number in messages]
    troubles: dict[int, OutgoingRefused] = {}
    for start in range(0, len(phones), AT_ONCE):
        troubles |= _tell(phones[start : start + AT_ONCE], messages, policy or PHONES)
        job.payload["left"] = [*troubles, *(phone.pk for phone in phones[start + AT_ONCE :])]
        jobs.keep(job)
    if troubles:
        _refuse(list(troubles.values()))


def _phones(job: Job) -> list[PushSubscription]:
    phones = PushSubscription.objects.filter(
        registration__tournament=job.tournament_id,
        registration__tournament__announcing__allows_push=True,
    )
    if "left" in job.payload:
        phones = phones.filter(pk__in=job.payload["left"])
    return list(phones.select_related("registration").order_by("pk"))


def _tell(
    phones: Sequence[PushSubscription], messages: Mapping[int, bytes], policy: Policy
) -> dict[int, OutgoingRefused]:
    """Tell them all at once; why not, by key of the phone."""

    def ask(phone: PushSubscription) -> OutgoingRefused | None:
        return _asked(phone, messages[phone.registration.number], policy)

    # The threads ask push services, and no database.
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = dict(zip((phone.pk for phone in phones), pool.map(ask, phones), strict=True))
    troubles = {pk: refused for pk, refused in answers.items() if refused is not None}
    gone = [pk for pk, refused in troubles.items() if refused.details.get("status") in GONE]
    PushSubscription.objects.filter(pk__in=gone).delete()
    return {pk: refused for pk, refused in troubles.items() if pk not in gone}


def _asked(phone: PushSubscription, message: bytes, policy: Policy) -> OutgoingRefused | None:
    """Why the push service did not take it; None when it did."""
    body = web_push.encrypted(message, web_push.receiver(phone.p256dh, phone.auth))
    headers = {**web_push.headers(phone.endpoint), **SENDER}
    try:
        outgoing_requests.post(phone.endpoint, body, policy, headers)
    except OutgoingRefused as refused:
        return refused
    return None


def _refuse(troubles: Sequence[OutgoingRefused]) -> None:
    later = [refused for refused in troubles if _may_change(refused)]
    # The longest wait that was asked for is long enough for the others.
    waits = [wait for refused in later if (wait := wait_asked(refused)) is not None]
    count = f"{len(troubles)} phones were" if len(troubles) > 1 else "1 phone was"
    reason = f"{count} not told. {(later or troubles)[0]}"
    if later:
        raise TryLater(reason, max(waits, default=None))
    raise PhonesNotTold(reason)


def _may_change(refused: OutgoingRefused) -> bool:
    if isinstance(refused, WrongStatus):
        return is_busy(refused)
    return not isinstance(refused, outgoing_requests.AddressNotAllowed)


def _messages(round_: Round) -> dict[int, bytes]:
    """What the service worker shows, as JSON, by number in the event."""
    tournament = round_.stage.tournament
    page = reverse("tournaments:my_event", args=[tournament.slug])
    return {
        line.seat.number: json.dumps(
            # A later message of the event takes the place of this one on the phone.
            {**_words(line, round_), "page": page, "tag": tournament.slug},
            ensure_ascii=False,
        ).encode()
        for line in name_lines(table_lines(round_))
    }


def _words(line: NameLine, round_: Round) -> dict[str, str]:
    if not line.opponents:
        points = line.table.bye_points
        return {
            "title": f"Bye - round {round_.number}",
            "body": f"You have a bye, worth {points} points.",
        }
    names = ", ".join(other.name for other in line.opponents)
    role = f"You are {line.seat.role.value.capitalize()} first, a" if line.seat.role else "A"
    return {
        "title": f"Table {line.table.table} - round {round_.number}",
        "body": f"{role}gainst {names}",
    }
