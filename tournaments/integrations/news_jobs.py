"""Jobs that announce events to a chat channel, by email and by push. They send public data only."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.urls import reverse
from django.utils.translation import gettext as _

from core import jobs, outgoing_requests, web_push
from core.errors import Refusal
from core.jobs import TryLater
from core.outgoing_requests import OutgoingRefused, Policy, WrongStatus
from players import incidents
from tournaments.event import queries
from tournaments.event.chat_text import escaped
from tournaments.models import Announcing, Job, MailWish, PushSubscription, Registration, Round
from tournaments.results.pages.standings import standings_texts
from tournaments.rounds.pages.tables import NameLine, name_lines, pairings_texts, table_lines

logger = logging.getLogger(__name__)

# Emails sent before the job stores its progress.
BATCH = 20
# Replies from this code on are permanent failures (RFC 5321, 4.2.1).
REFUSED_FOR_GOOD = 500
# Django's email backends that deliver nothing.
UNSENT = ("console", "dummy")
# Any public site: every browser vendor runs its own push service, and host names change.
PHONES = Policy(hosts=None, most_bytes=64 * 1024)
# Parallel requests, so that an unresponsive service does not delay the rest.
AT_ONCE = 8
SENDER = {"User-Agent": "Datafort/1 (tournament organiser)"}
GONE = (404, 410)
# Any public site: organisers choose their chat service. core.outgoing_requests checks where the
# name leads, and responses are never shown.
CHANNELS = Policy(hosts=None, most_bytes=64 * 1024)
HEADERS = {"Content-Type": "application/json"}
TOO_MANY = 429
SOON = timedelta(seconds=5)


class ChannelGone(Refusal):
    pass


class PhonesNotReached(Refusal):
    """Permanent failure of push messages."""

    code = "phones_not_told"


def seconds_asked(retry_after: str) -> timedelta | None:
    """Parse "Retry-After" and add one second; None unless it is a number of seconds."""
    whole = retry_after.partition(".")[0]
    if not whole.isascii() or not whole.isdigit() or len(whole) > 6:
        return None
    return timedelta(seconds=int(whole) + 1)


def send_to_channel(job: Job, policy: Policy | None = None) -> None:
    """Send the messages for payload["news"], starting with message payload["sent"].

    Sends nothing if the announcement is switched off or the round is no longer visible. Raises
    TryLater while the channel is busy or the standings are not computed. Raises ChannelGone if
    retrying cannot help.
    """
    found = Announcing.objects.select_related("tournament").filter(tournament=job.tournament_id)
    setting = found.exclude(webhook="").first()
    if setting is None:
        return
    texts = _channel_texts(setting, job.payload)
    for text in texts[job.payload["sent"] :]:
        _post(setting.webhook, text, policy or CHANNELS)
        job.payload["sent"] += 1
        jobs.keep(job)


def _channel_texts(setting: Announcing, payload: dict[str, Any]) -> list[str]:
    tournament = setting.tournament
    if payload["news"] == "test":
        return [f"Datafort posts about {escaped(tournament.name)} here."]
    if payload["news"] == "standings":
        if not setting.tells_standings or not tournament.is_finished:
            return []
        if reason := queries.why_standings_wait(tournament):
            raise TryLater(reason, SOON)
        return standings_texts(tournament)
    rounds = queries.visible_rounds(tournament).select_related("stage__tournament")
    round_ = rounds.filter(pk=payload["round"]).first()
    return pairings_texts(round_) if setting.tells_pairings and round_ else []


def _post(webhook: str, text: str, policy: Policy) -> None:
    message = {"content": text, "allowed_mentions": {"parse": []}}
    try:
        outgoing_requests.post(webhook, json.dumps(message).encode(), policy, HEADERS)
    except outgoing_requests.WrongStatus as refused:
        _refuse_channel(refused)
    except outgoing_requests.AddressNotAllowed as refused:
        raise ChannelGone(str(refused)) from refused
    except OutgoingRefused as refused:
        raise TryLater(str(refused)) from refused


def _refuse_channel(refused: outgoing_requests.WrongStatus) -> None:
    if is_busy(refused):
        raise TryLater(str(refused), wait_asked(refused)) from refused
    raise ChannelGone(
        f"{refused} Make a new webhook in the channel, and put its address in here."
    ) from refused


def is_busy(refused: outgoing_requests.WrongStatus) -> bool:
    """Return True for temporary failures: rate limits and server errors."""
    status: int = refused.details["status"]
    return status == TOO_MANY or status >= 500


def wait_asked(refused: OutgoingRefused) -> timedelta | None:
    """Delay from the "Retry-After" header, if it is a number of seconds."""
    return seconds_asked(refused.details.get("retry_after", ""))


def can_mail() -> bool:
    return settings.EMAIL_BACKEND.split(".")[-2] not in UNSENT


def mail_tables(job: Job) -> None:
    """Email the table to each player of the round who requested it and has an address.

    Each player gets one email. Raises TryLater while the mail server is unavailable.
    """
    rounds = queries.visible_rounds(job.tournament).select_related("stage__tournament")
    round_ = rounds.filter(pk=job.payload["round"]).first()
    if round_ is None or not can_mail():
        return
    mails = dict(_mails(round_))
    last = _last_mailed(job.payload, list(mails))
    left = [(number, message) for number, message in mails.items() if number > last]
    for start in range(0, len(left), BATCH):
        _send_mails(left[start : start + BATCH], job)
    if mails and job.payload.get("refused") == job.payload["sent"]:
        # All refused: more likely the server rejects our sender than that every address is wrong.
        job.payload |= {"sent": 0, "refused": 0, "last": 0}
        jobs.keep(job)
        raise TryLater("The mail server refuses all our mail.")


def _last_mailed(payload: Mapping[str, Any], numbers: Sequence[int]) -> int:
    """Return the event number of the last player handled; 0 before the first."""
    # Jobs of older releases stored only a count.
    counted = max(numbers[: payload["sent"]], default=0)
    last: int = payload.get("last", counted)
    return last


def _send_mails(mails: Sequence[tuple[int, EmailMessage]], job: Job) -> None:
    """Send the emails in order; the job records the last player even if the connection breaks."""
    connection = get_connection()
    try:
        connection.open()
        for number, message in mails:
            # Renew the lease for each email: the server may be slow.
            jobs.keep(job)
            is_taken = _is_taken(connection, message)
            job.payload |= {"sent": job.payload["sent"] + 1, "last": number}
            job.payload["refused"] = job.payload.get("refused", 0) + (not is_taken)
    except (SMTPException, OSError) as error:
        raise TryLater(
            f"The mail server does not take our mail: {type(error).__name__}."
        ) from error
    finally:
        jobs.keep(job)
        connection.close()


def _is_taken(connection: BaseEmailBackend, message: EmailMessage) -> bool:
    """Send an email; False if its address is permanently refused, so that the rest still go out."""
    try:
        connection.send_messages([message])
    except SMTPRecipientsRefused as refused:
        codes = [code for code, _ in refused.recipients.values()]
        if min(codes) < REFUSED_FOR_GOOD:
            raise
        # No names or addresses in the log.
        logger.warning("mail refused: %s", codes)
        incidents.record_unsent_email("tables of a round", refused, str(max(codes)))
        return False
    return True


def _mails(round_: Round) -> Iterator[tuple[int, EmailMessage]]:
    """Yield event number and email, ordered by number."""
    wanted = _wanted(round_)
    lines = sorted(name_lines(table_lines(round_)), key=lambda line: line.seat.number)
    for line in lines:
        if line.seat.number in wanted:
            yield line.seat.number, _mail(round_, line, wanted[line.seat.number])


def _wanted(round_: Round) -> dict[int, str]:
    """Addresses of the players who requested email, by event number."""
    wishes = MailWish.objects.filter(
        registration__tournament=round_.stage.tournament_id,
        registration__tournament__announcing__allows_mail=True,
    )
    asked = Registration.objects.filter(pk__in=wishes.values("registration"))
    rows = asked.exclude(player__user__email="").exclude(player__user=None)
    return dict(rows.values_list("number", "player__user__email"))


def _mail(round_: Round, line: NameLine, address: str) -> EmailMessage:
    tournament = round_.stage.tournament
    where = f"Table {line.table.table}" if line.opponents else "Bye"
    return EmailMessage(
        subject=" ".join(f"{where}: {_match_name(round_, line)}, {tournament.name}".split()),
        body=f"{_mail_words(line)}\n\nYou asked for this mail on your page of {tournament.name}, "
        "and switch it off there.\n",
        to=[address],
    )


def _mail_words(line: NameLine) -> str:
    if not line.opponents:
        return f"You have a bye, worth {line.table.bye_points} points."
    names = ", ".join(other.name for other in line.opponents)
    if line.table.has_open_choice:
        table = f"You are at table {line.table.table}, against {names}."
        return f"{table} {_choice_in_words(line)}"
    role = f", {line.seat.role.value.capitalize()} first" if line.seat.role else ""
    return f"You are at table {line.table.table}{role}, against {names}."


def _match_name(round_: Round, line: NameLine) -> str:
    return line.table.round_title or round_.name


def _choice_in_words(line: NameLine) -> str:
    if line.seat.chooses:
        return _("You choose a side: open the page of your table.")
    return _("%(player)s chooses a side.") % {"player": line.opponents[0].name}


def send_to_phones(job: Job, policy: Policy | None = None) -> None:
    """Send one message to each phone; on a retry, only to the phones in payload["left"].

    Deletes subscriptions that have expired. Raises TryLater if a push service is busy, or
    PhonesNotReached if retrying cannot help; all remaining phones are served first.
    """
    rounds = queries.visible_rounds(job.tournament).select_related("stage__tournament")
    round_ = rounds.filter(pk=job.payload["round"]).first()
    if round_ is None or not web_push.is_on():
        return
    messages = _push_messages(round_)
    phones = [phone for phone in _phones(job) if phone.registration.number in messages]
    troubles: dict[int, OutgoingRefused] = {}
    for start in range(0, len(phones), AT_ONCE):
        troubles |= _push(phones[start : start + AT_ONCE], messages, policy or PHONES)
        job.payload["left"] = [*troubles, *(phone.pk for phone in phones[start + AT_ONCE :])]
        jobs.keep(job)
    if troubles:
        _refuse_phones(list(troubles.values()))


def _phones(job: Job) -> list[PushSubscription]:
    phones = PushSubscription.objects.filter(
        registration__tournament=job.tournament_id,
        registration__tournament__announcing__allows_push=True,
    )
    if "left" in job.payload:
        phones = phones.filter(pk__in=job.payload["left"])
    # Without its secret, a message cannot be encrypted for the phone.
    return [one for one in phones.select_related("registration").order_by("pk") if one.auth]


def _push(
    phones: Sequence[PushSubscription], messages: Mapping[int, bytes], policy: Policy
) -> dict[int, OutgoingRefused]:
    """Send to all phones in parallel; return the failures by primary key."""

    def ask(phone: PushSubscription) -> OutgoingRefused | None:
        return _asked(phone, messages[phone.registration.number], policy)

    # The threads only make requests; they never touch the database.
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = dict(zip((phone.pk for phone in phones), pool.map(ask, phones), strict=True))
    troubles = {pk: refused for pk, refused in answers.items() if refused is not None}
    gone = [pk for pk, refused in troubles.items() if refused.details.get("status") in GONE]
    PushSubscription.objects.filter(pk__in=gone).delete()
    return {pk: refused for pk, refused in troubles.items() if pk not in gone}


def _asked(phone: PushSubscription, message: bytes, policy: Policy) -> OutgoingRefused | None:
    body = web_push.encrypted(message, web_push.receiver(phone.p256dh, phone.auth))
    headers = {**web_push.headers(phone.endpoint), **SENDER}
    try:
        outgoing_requests.post(phone.endpoint, body, policy, headers)
    except OutgoingRefused as refused:
        return refused
    return None


def _refuse_phones(troubles: Sequence[OutgoingRefused]) -> None:
    later = [refused for refused in troubles if _may_change(refused)]
    # The longest requested delay satisfies every service.
    waits = [wait for refused in later if (wait := wait_asked(refused)) is not None]
    count = f"{len(troubles)} phones were" if len(troubles) > 1 else "1 phone was"
    reason = f"{count} not reached. {(later or troubles)[0]}"
    if later:
        raise TryLater(reason, max(waits, default=None))
    raise PhonesNotReached(reason)


def _may_change(refused: OutgoingRefused) -> bool:
    if isinstance(refused, WrongStatus):
        return is_busy(refused)
    return not isinstance(refused, outgoing_requests.AddressNotAllowed)


def _push_messages(round_: Round) -> dict[int, bytes]:
    """JSON for the service worker, by event number."""
    tournament = round_.stage.tournament
    page = reverse("tournaments:my_event", args=[tournament.slug])
    return {
        line.seat.number: json.dumps(
            # The tag makes a later message of the event replace this one on the phone.
            {**push_words(line, round_), "page": page, "tag": tournament.slug},
            ensure_ascii=False,
        ).encode()
        for line in name_lines(table_lines(round_))
    }


def push_words(line: NameLine, round_: Round) -> dict[str, str]:
    if not line.opponents:
        points = line.table.bye_points
        return {
            "title": f"Bye - {round_.name}",
            "body": f"You have a bye, worth {points} points.",
        }
    names = ", ".join(other.name for other in line.opponents)
    title = f"Table {line.table.table} - {_match_name(round_, line)}"
    if line.table.has_open_choice:
        return {"title": title, "body": f"Against {names}. {_choice_in_words(line)}"}
    role = f"You are {line.seat.role.value.capitalize()} first, a" if line.seat.role else "A"
    return {"title": title, "body": f"{role}gainst {names}"}
