"""Announce events to a chat channel, by email and by push: settings, subscriptions and jobs.

The jobs send public data only.
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, time, timedelta
from functools import partial
from hashlib import sha256
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Any, TypeVar

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core import http, jobs, web_push
from core.errors import Refusal
from core.http import OutgoingRefused, Policy, WrongStatus
from core.jobs import TryLater
from core.languages import choose_language
from players import incidents
from tournaments.event import history
from tournaments.event import services as event_services
from tournaments.event.chat_text import MARKDOWN, escape_markdown, plain_line
from tournaments.event.pages import chat_messages
from tournaments.event.permissions import Actor
from tournaments.models import (
    Announcing,
    Job,
    JobKind,
    LogAction,
    MailWish,
    PushSubscription,
    Registration,
    Round,
    Tournament,
)
from tournaments.results.standings_pages import standings_texts
from tournaments.rounds.pages import NameLine, name_lines, pairings_texts, table_lines

logger = logging.getLogger(__name__)

# Emails sent before the job stores its progress.
MAIL_BATCH = 20
# Replies from this code on are permanent failures (RFC 5321, 4.2.1).
PERMANENT_SMTP_CODE = 500
# Django's email backends that deliver nothing.
NON_SENDING_BACKENDS = ("console", "dummy")
# Any public site: every browser vendor runs its own push service, and host names change.
PHONE_POLICY = Policy(hosts=None, max_bytes=64 * 1024)
# Parallel requests, so that an unresponsive service does not delay the rest.
PARALLEL_PUSHES = 8
PUSH_HEADERS = {"User-Agent": "Datafort/1 (tournament organiser)"}
GONE_STATUSES = (404, 410)
# Any public site: organisers choose their chat service. core.http checks where the
# name leads, and responses are never shown.
CHANNEL_POLICY = Policy(hosts=None, max_bytes=64 * 1024)
CHANNEL_HEADERS = {"Content-Type": "application/json"}
TOO_MANY_REQUESTS = 429
STANDINGS_DELAY = timedelta(seconds=5)

Text = TypeVar("Text")


class ChannelGone(Refusal):
    pass


class PhonesNotReached(Refusal):
    """Permanent failure of push messages."""

    code = "phones_not_told"


def parse_retry_after(retry_after: str) -> timedelta | None:
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
    settings_of_event = Announcing.objects.filter(tournament=job.tournament_id)
    setting = settings_of_event.exclude(webhook="").select_related("tournament").first()
    if setting is None:
        return
    texts = _texts_of_job(setting, job.payload)
    for text in texts[job.payload["sent"] :]:
        _post_to_channel(setting.webhook, text, policy or CHANNEL_POLICY)
        job.payload["sent"] += 1
        jobs.renew_lease(job)


def _texts_of_job(setting: Announcing, payload: dict[str, Any]) -> list[str]:
    tournament = setting.tournament
    if payload["news"] == "test":
        return [
            _("Datafort will post about %(event)s here.")
            % {"event": escape_markdown(tournament.name)}
        ]
    if payload["news"] == "standings":
        if not setting.tells_standings or not tournament.is_finished:
            return []
        if reason := tournament.why_standings_wait():
            raise TryLater(reason, STANDINGS_DELAY)
        return standings_texts(tournament, MARKDOWN)
    rounds = tournament.rounds.published().select_related("stage__tournament")
    round_ = rounds.filter(pk=payload["round"]).first()
    return pairings_texts(round_, MARKDOWN) if setting.tells_pairings and round_ else []


def _post_to_channel(webhook: str, text: str, policy: Policy) -> None:
    message = {"content": text, "allowed_mentions": {"parse": []}}
    try:
        http.post(webhook, json.dumps(message).encode(), policy, CHANNEL_HEADERS)
    except http.WrongStatus as refused:
        if is_temporary_failure(refused):
            raise TryLater(str(refused), retry_delay(refused)) from refused
        raise ChannelGone(
            _("%(refused)s Create a new webhook in the channel and enter its address here.")
            % {"refused": refused}
        ) from refused
    except http.AddressNotAllowed as refused:
        raise ChannelGone(str(refused)) from refused
    except OutgoingRefused as refused:
        raise TryLater(str(refused)) from refused


def is_temporary_failure(refused: http.WrongStatus) -> bool:
    status: int = refused.details["status"]
    return status == TOO_MANY_REQUESTS or status >= 500


def retry_delay(refused: OutgoingRefused) -> timedelta | None:
    """Delay from the "Retry-After" header, if it is a number of seconds."""
    return parse_retry_after(refused.details.get("retry_after", ""))


def can_mail() -> bool:
    return settings.EMAIL_BACKEND.split(".")[-2] not in NON_SENDING_BACKENDS


def mail_tables(job: Job) -> None:
    """Email the table to each player of the round who requested it and has an address.

    Each player gets one email. Raises TryLater while the mail server is unavailable.
    """
    rounds = job.tournament.rounds.published().select_related("stage__tournament")
    round_ = rounds.filter(pk=job.payload["round"]).first()
    if round_ is None or not can_mail():
        return
    mails = _table_mails(round_)
    last = job.payload.get("last", 0)
    unsent = [(number, message) for number, message in mails.items() if number > last]
    for start in range(0, len(unsent), MAIL_BATCH):
        _send_mails(unsent[start : start + MAIL_BATCH], job)
    if mails and job.payload.get("refused") == job.payload["sent"]:
        # All refused: more likely the server rejects our sender than that every address is wrong.
        job.payload |= {"sent": 0, "refused": 0, "last": 0}
        jobs.renew_lease(job)
        raise TryLater("The mail server is refusing all emails.", code="mail_refused")


def _send_mails(mails: Sequence[tuple[int, EmailMessage]], job: Job) -> None:
    """Send the emails in order; the job records the last player even if the connection breaks."""
    connection = get_connection()
    try:
        connection.open()
        for number, message in mails:
            # Renew the lease for each email: the server may be slow.
            jobs.renew_lease(job)
            is_accepted = _is_mail_accepted(connection, message)
            job.payload |= {"sent": job.payload["sent"] + 1, "last": number}
            job.payload["refused"] = job.payload.get("refused", 0) + (not is_accepted)
    except (SMTPException, OSError) as error:
        name = type(error).__name__
        raise TryLater(
            f"The mail server does not accept emails: {name}.",
            code="mail_not_accepted",
            params={"name": name},
        ) from error
    finally:
        jobs.renew_lease(job)
        connection.close()


def _is_mail_accepted(connection: BaseEmailBackend, message: EmailMessage) -> bool:
    """Send an email; False if its address is permanently refused, so that the rest still go out."""
    try:
        connection.send_messages([message])
    except SMTPRecipientsRefused as refused:
        codes = [code for code, _ in refused.recipients.values()]
        if min(codes) < PERMANENT_SMTP_CODE:
            raise
        # No names or addresses in the log.
        logger.warning("mail refused: %s", codes)
        incidents.record_unsent_email("tables of a round", refused, str(max(codes)))
        return False
    return True


def _table_mails(round_: Round) -> dict[int, EmailMessage]:
    """Return the emails by event number, in ascending order."""
    addresses = _mail_addresses(round_)
    texts = _texts_by_player(round_, partial(_mail_text, round_)) if addresses else {}
    return {
        number: EmailMessage(subject, body, to=[addresses[number]])
        for number, (subject, body) in sorted(texts.items())
        if number in addresses
    }


def _texts_by_player(round_: Round, text_of: Callable[[NameLine], Text]) -> dict[int, Text]:
    """Return the text for each player, in the language of their account or of the event."""
    tournament = round_.stage.tournament
    accounts = tournament.registrations.values_list("number", "player__user__language")
    languages = {
        number: choose_language(dict(settings.LANGUAGES), language or "", tournament.language)
        for number, language in accounts
    }
    texts = dict[int, Text]()
    for language in set(languages.values()):
        with translation.override(language):
            for line in name_lines(table_lines(round_)):
                if languages.get(line.seat.number) == language:
                    texts[line.seat.number] = text_of(line)
    return texts


def _mail_addresses(round_: Round) -> dict[int, str]:
    wishes = MailWish.objects.filter(
        registration__tournament=round_.stage.tournament_id,
        registration__tournament__announcing__allows_mail=True,
    )
    registrations = Registration.objects.filter(pk__in=wishes.values("registration"))
    rows = registrations.exclude(player__user__email="").exclude(player__user=None)
    return dict(rows.values_list("number", "player__user__email"))


def _mail_text(round_: Round, line: NameLine) -> tuple[str, str]:
    """Return subject and body."""
    event = round_.stage.tournament.name
    values = {"table": line.table.table, "round": line.table.round_title or round_.name}
    subject = (
        _("Table %(table)s: %(round)s, %(event)s")
        if line.opponents
        else _("Bye: %(round)s, %(event)s")
    )
    note = _("You requested this email on your page for %(event)s. You can switch it off there.")
    return (
        " ".join((subject % {**values, "event": event}).split()),
        f"{_table_in_words(line)}\n\n{note % {'event': event}}\n",
    )


def _table_in_words(line: NameLine) -> str:
    if not line.opponents:
        points = line.table.bye_points or 0
        return ngettext(
            "You have a bye, worth %(points)s point.",
            "You have a bye, worth %(points)s points.",
            points,
        ) % {"points": points}
    values = {
        "table": line.table.table,
        "names": ", ".join(opponent.name for opponent in line.opponents),
    }
    if line.seat.role and not line.table.has_open_choice:
        return _("You are at table %(table)s, %(role)s first, against %(names)s.") % {
            **values,
            "role": _(line.seat.role.label),
        }
    text = _("You are at table %(table)s, against %(names)s.") % values
    return f"{text} {_choice_in_words(line)}" if line.table.has_open_choice else text


def _choice_in_words(line: NameLine) -> str:
    if line.seat.chooses:
        return _("Open the page of your table to choose a side.")
    return _("%(player)s chooses a side.") % {"player": line.opponents[0].name}


def send_to_phones(job: Job, policy: Policy | None = None) -> None:
    """Send one message to each phone; on a retry, only to the phones in payload["left"].

    Deletes subscriptions that have expired. Raises TryLater if a push service is busy, or
    PhonesNotReached if retrying cannot help; all remaining phones are served first.
    """
    rounds = job.tournament.rounds.published().select_related("stage__tournament")
    round_ = rounds.filter(pk=job.payload["round"]).first()
    if round_ is None or not web_push.is_on():
        return
    messages = _push_messages(round_)
    phones = [phone for phone in _phones_of_job(job) if phone.registration.number in messages]
    failures: dict[int, OutgoingRefused] = {}
    for start in range(0, len(phones), PARALLEL_PUSHES):
        failures |= _push_in_parallel(
            phones[start : start + PARALLEL_PUSHES], messages, policy or PHONE_POLICY
        )
        remaining = [phone.pk for phone in phones[start + PARALLEL_PUSHES :]]
        job.payload["left"] = [*failures, *remaining]
        jobs.renew_lease(job)
    if failures:
        _refuse_phones(list(failures.values()))


def _phones_of_job(job: Job) -> list[PushSubscription]:
    phones = PushSubscription.objects.filter(
        registration__tournament=job.tournament_id,
        registration__tournament__announcing__allows_push=True,
    )
    if "left" in job.payload:
        phones = phones.filter(pk__in=job.payload["left"])
    # Without its secret, a message cannot be encrypted for the phone.
    return [phone for phone in phones.select_related("registration").order_by("pk") if phone.auth]


def _push_in_parallel(
    phones: Sequence[PushSubscription], messages: Mapping[int, bytes], policy: Policy
) -> dict[int, OutgoingRefused]:
    """Send to all phones in parallel; return the failures by primary key."""

    def push(phone: PushSubscription) -> OutgoingRefused | None:
        return _push_to_phone(phone, messages[phone.registration.number], policy)

    # The threads only make requests; they never touch the database.
    with ThreadPoolExecutor(PARALLEL_PUSHES) as pool:
        answers = dict(zip((phone.pk for phone in phones), pool.map(push, phones), strict=True))
    failures = {pk: refused for pk, refused in answers.items() if refused is not None}
    gone = [
        pk for pk, refused in failures.items() if refused.details.get("status") in GONE_STATUSES
    ]
    PushSubscription.objects.filter(pk__in=gone).delete()
    return {pk: refused for pk, refused in failures.items() if pk not in gone}


def _push_to_phone(
    phone: PushSubscription, message: bytes, policy: Policy
) -> OutgoingRefused | None:
    body = web_push.encrypt_message(message, web_push.get_receiver(phone.p256dh, phone.auth))
    headers = {**web_push.signed_headers(phone.endpoint), **PUSH_HEADERS}
    try:
        http.post(phone.endpoint, body, policy, headers)
    except OutgoingRefused as refused:
        return refused
    return None


def _refuse_phones(failures: Sequence[OutgoingRefused]) -> None:
    temporary = [refused for refused in failures if _is_worth_retrying(refused)]
    # The longest requested delay satisfies every service.
    waits = [wait for refused in temporary if (wait := retry_delay(refused)) is not None]
    reason = ngettext(
        "%(number)d phone could not be reached. %(reason)s",
        "%(number)d phones could not be reached. %(reason)s",
        len(failures),
    ) % {"number": len(failures), "reason": (temporary or failures)[0]}
    if temporary:
        raise TryLater(reason, max(waits, default=None))
    raise PhonesNotReached(reason)


def _is_worth_retrying(refused: OutgoingRefused) -> bool:
    if isinstance(refused, WrongStatus):
        return is_temporary_failure(refused)
    return not isinstance(refused, http.AddressNotAllowed)


def _push_messages(round_: Round) -> dict[int, bytes]:
    """JSON for the service worker, by event number."""
    tournament = round_.stage.tournament
    page = reverse("tournaments:my_event", args=[tournament.slug])
    return {
        number: json.dumps(
            # The tag makes a later message of the event replace this one on the phone.
            {**text, "page": page, "tag": tournament.slug},
            ensure_ascii=False,
        ).encode()
        for number, text in _texts_by_player(round_, partial(push_text, round_)).items()
    }


def push_text(round_: Round, line: NameLine) -> dict[str, str]:
    if not line.opponents:
        title = _("Bye - %(round)s") % {"round": round_.name}
        return {"title": title, "body": _table_in_words(line)}
    title = _("Table %(table)s - %(round)s") % {
        "table": line.table.table,
        "round": line.table.round_title or round_.name,
    }
    names = ", ".join(opponent.name for opponent in line.opponents)
    if line.table.has_open_choice:
        text = _("Against %(names)s.") % {"names": names}
        return {"title": title, "body": f"{text} {_choice_in_words(line)}"}
    if not line.seat.role:
        return {"title": title, "body": _("Against %(names)s") % {"names": names}}
    body = _("You are %(role)s first, against %(names)s") % {
        "role": _(line.seat.role.label),
        "names": names,
    }
    return {"title": title, "body": body}


# Settings of the organiser, subscriptions of players.


TEST_NEWS = "test"
SWITCHES = ("tells_pairings", "tells_standings", "allows_mail", "allows_push")
MAX_PHONES = 5
MAX_ENDPOINT_LENGTH = 500


class NoWebhook(Refusal):
    """The event has no chat channel."""


class NoMail(Refusal):
    """This player cannot receive emails."""


@transaction.atomic
def change_announcements(
    tournament: Tournament,
    actor: Actor,
    *,
    webhook: str | None = None,
    tells_pairings: bool | None = None,
    tells_standings: bool | None = None,
    allows_mail: bool | None = None,
    allows_push: bool | None = None,
) -> None:
    """Change the settings that are not None.

    The log names the site of the webhook but never its address. Raises AddressNotAllowed of
    core.http.
    """
    locked = history.lock(tournament)
    setting = event_services.notification_settings(locked)
    before = _loggable(setting)
    if webhook:
        http.check_url(webhook, CHANNEL_POLICY)
    changes = {
        "webhook": webhook,
        "tells_pairings": tells_pairings,
        "tells_standings": tells_standings,
        "allows_mail": allows_mail,
        "allows_push": allows_push,
    }
    for name, value in changes.items():
        if value is not None:
            setattr(setting, name, value)
    setting.save()
    after = _loggable(setting)
    if before != after or webhook is not None:
        history.record(locked, actor, LogAction.NEWS_SET, before=before, after=after)


def _loggable(setting: Announcing) -> dict[str, Any]:
    return {"webhook": channel_site(setting), **switch_values(setting)}


def switch_values(setting: Announcing) -> dict[str, bool]:
    return {name: getattr(setting, name) for name in SWITCHES}


def channel_site(setting: Announcing) -> str:
    """Host of the webhook, or an empty string. The rest of its address is a secret."""
    return http.check_url(setting.webhook, CHANNEL_POLICY) if setting.webhook else ""


@transaction.atomic
def send_channel_test(tournament: Tournament) -> None:
    """Queue a test message to the channel. Raises NoWebhook."""
    locked = history.lock(tournament)
    setting = event_services.notification_settings(locked)
    if not setting.webhook:
        raise NoWebhook(_("Enter the address of a webhook first."))
    last = locked.jobs.filter(
        key=event_services.notification_key(locked, JobKind.NOTIFY, TEST_NEWS)
    ).first()
    if last is None:
        event_services.enqueue_notification(setting, JobKind.NOTIFY, TEST_NEWS, {"news": TEST_NEWS})
    elif not last.is_live:
        last.payload["sent"] = 0
        jobs.requeue(last)
        jobs.enqueue(last)


@transaction.atomic
def set_mail_wish(registration: Registration, *, wanted: bool) -> None:
    """Subscribe the player to emails, or unsubscribe. Raises NoMail and PlayerRemoved."""
    if not wanted:
        MailWish.objects.filter(registration=registration).delete()
        return
    history.lock(registration.tournament)
    history.reload_registration(registration, "state")
    reason = why_no_mail(registration)
    if reason:
        raise NoMail(reason)
    MailWish.objects.get_or_create(registration=registration)


def has_mail_wish(registration: Registration) -> bool:
    return MailWish.objects.filter(registration=registration).exists()


def why_no_mail(registration: Registration) -> str:
    """Reason why this player cannot receive emails, or an empty string."""
    if (
        not can_mail()
        or not event_services.notification_settings(registration.tournament).allows_mail
    ):
        return _("The organiser has not switched on emails for this event.")
    user = registration.player.user
    if user is None or not user.email:
        return _(
            "To get emails, you need an account with an email address. Add one on My page, "
            "under Email."
        )
    return ""


class NoPush(Refusal):
    """This phone cannot receive push messages."""


@transaction.atomic
def add_phone(registration: Registration, *, endpoint: str, p256dh: str, auth: str) -> None:
    """Subscribe a phone, or update the keys of one already subscribed.

    A phone belongs to one player: presenting its secret takes it over from any previous player.
    Raises NoPush, PlayerRemoved, AddressNotAllowed of core.http and BadKeys of core.web_push.
    """
    history.lock(registration.tournament)
    history.reload_registration(registration, "state")
    reason = why_no_push(registration)
    if reason:
        raise NoPush(reason)
    if len(endpoint) > MAX_ENDPOINT_LENGTH:
        raise NoPush(_("The address of your browser's push service is too long."))
    http.check_url(endpoint, PHONE_POLICY)
    web_push.get_receiver(p256dh, auth)
    foreign = PushSubscription.objects.filter(endpoint=endpoint)
    foreign = foreign.exclude(registration__player=registration.player_id)
    # `auth` is encrypted, so it cannot be compared in SQL.
    foreign.filter(pk__in=[phone.pk for phone in foreign if phone.auth == auth]).delete()
    if _phones_of(registration).exclude(endpoint=endpoint).count() >= MAX_PHONES:
        raise NoPush(
            _("%(number)d phones already get notifications. Stop one first.")
            % {"number": MAX_PHONES}
        )
    PushSubscription.objects.update_or_create(
        registration=registration,
        endpoint=endpoint,
        defaults={"p256dh": p256dh, "auth": auth},
    )


def remove_phone(registration: Registration, endpoint: str = "") -> None:
    """Unsubscribe this phone of the player, or all of them without an endpoint."""
    phones = _phones_of(registration)
    (phones.filter(endpoint=endpoint) if endpoint else phones).delete()


def phone_hashes(registration: Registration) -> list[str]:
    """Hashed endpoints, by which each phone recognises its own subscription."""
    endpoints = _phones_of(registration).values_list("endpoint", flat=True)
    return [sha256(endpoint.encode()).hexdigest() for endpoint in endpoints]


def why_no_push(registration: Registration) -> str:
    """Reason why this player cannot receive push messages, or an empty string."""
    if (
        not web_push.is_on()
        or not event_services.notification_settings(registration.tournament).allows_push
    ):
        return _("The organiser has not switched on push notifications for this event.")
    return ""


def _phones_of(registration: Registration) -> QuerySet[PushSubscription]:
    return PushSubscription.objects.filter(registration=registration).order_by("pk")


# Text to copy into a chat.


def event_texts(tournament: Tournament, join_address: str) -> list[str]:
    """Describe the event and how to join, split to fit the message limit."""
    return chat_messages(plain_line(tournament.name), _event_lines(tournament, join_address))


def _event_lines(event: Tournament, join_address: str) -> Iterator[str]:
    zone = f" ({plain_line(event.time_zone)})" if event.start_time else ""
    yield f"{event.game_played}, {dates_in_words(event)}{zone}"
    if place := ", ".join(filter(None, (event.location, event.address))):
        yield _("Place: %(place)s") % {"place": plain_line(place)}
    if event.map_address:
        yield _("Map: %(address)s") % {"address": event.map_address}
    if event.entry_fee:
        yield _("Entry fee: %(fee)s") % {"fee": plain_line(event.entry_fee)}
    if event.contact:
        yield _("Contact: %(contact)s") % {"contact": plain_line(event.contact)}
    for link in event.known_links:
        yield f"{plain_line(link.name)}: {link.address}"
    if event.registration_is_open and not event.is_finished:
        yield _("Join: %(address)s") % {"address": join_address}


def dates_in_words(event: Tournament) -> str:
    """Dates and times of the event, in its own time zone."""
    first = _day_and_hour(event.starts_on, event.start_time)
    if event.last_day > event.starts_on:
        last = _day_and_hour(event.last_day, event.end_time)
    elif event.ends_at:
        last = time_format(event.ends_at)
    else:
        return first
    return _("%(start)s to %(end)s") % {"start": first, "end": last}


def _day_and_hour(day: date, hour: time | None) -> str:
    date_text = date_format(day, "WEEKDAY_DATE_FORMAT")
    return f"{date_text}, {hour:%H:%M}" if hour else date_text
