"""The work of the job "mail the tables": a mail to each player who asked for one."""

import logging
from collections.abc import Iterator
from smtplib import SMTPException, SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from core import jobs
from core.jobs import TryLater
from tournaments.event import queries
from tournaments.models import Job, MailWish, Registration, Round
from tournaments.rounds.pages.tables import NameLine, name_lines, table_lines

logger = logging.getLogger(__name__)

BATCH = 20
"""Mails sent before the job keeps how far it has come."""
REFUSED_FOR_GOOD = 500
"""From this answer of a mail server on, trying again brings the same (RFC 5321, 4.2.1)."""
UNSENT = ("console", "dummy")
"""Backends of Django that send nothing anywhere."""


def can_mail() -> bool:
    """Whether this site has a mail server."""
    return settings.EMAIL_BACKEND.split(".")[-2] not in UNSENT


def mail_tables(job: Job) -> None:
    """A mail to everybody in the round who asked for it and has an address; each gets one.

    Raises TryLater while the mail server does not take them.
    """
    rounds = queries.visible_rounds(job.tournament).select_related("stage__tournament")
    round_ = rounds.filter(pk=job.payload["round"]).first()
    if round_ is None or not can_mail():
        return
    messages = list(_messages(round_))
    while (sent := job.payload["sent"]) < len(messages):
        _send(messages[sent : sent + BATCH], job)
    if messages and job.payload.get("refused") == len(messages):
        # More likely the server takes no mail of ours than that all addresses are wrong.
        job.payload |= {"sent": 0, "refused": 0}
        jobs.keep(job)
        raise TryLater("The mail server takes our mail for nobody.")


def _send(messages: list[EmailMessage], job: Job) -> None:
    """Send them, one by one; the job keeps how many are done, also when it breaks off."""
    connection = get_connection()
    try:
        connection.open()
        for message in messages:
            # A slow server may take as long for each as others for all of them.
            jobs.keep(job)
            is_taken = _is_taken(connection, message)
            job.payload["sent"] += 1
            job.payload["refused"] = job.payload.get("refused", 0) + (not is_taken)
    except (SMTPException, OSError) as error:
        raise TryLater(
            f"The mail server does not take our mail: {type(error).__name__}."
        ) from error
    finally:
        jobs.keep(job)
        connection.close()


def _is_taken(connection: BaseEmailBackend, message: EmailMessage) -> bool:
    """Whether it was sent. One that will never be is passed over: the others still get theirs."""
    try:
        connection.send_messages([message])
    except SMTPRecipientsRefused as refused:
        codes = [code for code, _ in refused.recipients.values()]
        if min(codes) < REFUSED_FOR_GOOD:
            raise
        # Never whose: names and addresses stay out of the log.
        logger.warning("mail refused: %s", codes)
        return False
    return True


def _messages(round_: Round) -> Iterator[EmailMessage]:
    """By number in the event, so that a job that goes on finds the same order."""
    wanted = _wanted(round_)
    lines = sorted(name_lines(table_lines(round_)), key=lambda line: line.seat.number)
    for line in lines:
        if line.seat.number in wanted:
            yield _message(round_, line, wanted[line.seat.number])


def _wanted(round_: Round) -> dict[int, str]:
    """The addresses of those who asked, by number in the event."""
    wishes = MailWish.objects.filter(
        registration__tournament=round_.stage.tournament_id,
        registration__tournament__announcing__allows_mail=True,
    )
    asked = Registration.objects.filter(pk__in=wishes.values("registration"))
    rows = asked.exclude(player__user__email="").exclude(player__user=None)
    return dict(rows.values_list("number", "player__user__email"))


def _message(round_: Round, line: NameLine, address: str) -> EmailMessage:
    tournament = round_.stage.tournament
    where = f"Table {line.table.table}" if line.opponents else "Bye"
    return EmailMessage(
        subject=" ".join(f"{where}: round {round_.number}, {tournament.name}".split()),
        body=f"{_words(line)}\n\nYou asked for this mail on your page of {tournament.name}, "
        "and switch it off there.\n",
        to=[address],
    )


def _words(line: NameLine) -> str:
    if not line.opponents:
        return f"You have a bye, worth {line.table.bye_points} points."
    names = ", ".join(other.name for other in line.opponents)
    role = f", {line.seat.role.value.capitalize()} first" if line.seat.role else ""
    return f"You are at table {line.table.table}{role}, against {names}."
