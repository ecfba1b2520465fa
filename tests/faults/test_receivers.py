"""A mail server and a channel that never respond delay the news, but not the organiser."""

from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event

import pytest

from core import jobs
from core.http import AddressNotAllowed
from tests.factories.tournaments import make_user, owner_of, player_number
from tests.faults.done import event_of
from tests.faults.organiser import FaultEvents
from tests.faults.servers import HangingServer
from tests.serving import serving
from tests.waiting import wait_until
from tournaments.integrations import announcements
from tournaments.models import Job, JobKind, Tournament

pytestmark = [pytest.mark.check(35), pytest.mark.goal("G12")]

WEBHOOK = "https://discord.com/api/webhooks/1/very-secret-token"


class MailServer(ThreadingTCPServer):
    """Accepts and stores every email (the part of RFC 5321 that smtplib needs)."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _MailHandler)
        self.letters: list[bytes] = []


class _MailHandler(StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self._reply("220 here")
        while line := self.rfile.readline():
            verb = line.split()[0].upper()
            if verb == b"DATA":
                self._reply("354 go on")
                self.server.letters.append(self._letter())
            self._reply("221 bye" if verb == b"QUIT" else "250 fine")

    def _letter(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line)
        return b"".join(lines)

    def _reply(self, reply: str) -> None:
        self.wfile.write(f"{reply}\r\n".encode())


def announce_news(event: Tournament) -> None:
    """Announce the event in a channel and, for one player, by email."""
    options = {"tells_pairings": True, "tells_standings": True, "allows_push": False}
    owner = owner_of(event)
    announcements.change_announcements(event, owner, webhook=WEBHOOK, allows_mail=True, **options)
    player = player_number(event, 1).player
    player.user = make_user(email="ada@example.org")
    player.save()
    announcements.set_mail_wish(player_number(event, 1), wanted=True)


def news_job(event: Tournament, kind: JobKind) -> Job:
    return event.jobs.get(kind=kind)


def test_organiser_does_not_wait_for_a_hanging_mail_server_or_channel(
    events: FaultEvents, hanging: HangingServer, settings, monkeypatch: pytest.MonkeyPatch, figure
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", hanging.port
    settings.EMAIL_TIMEOUT = 60
    was_called, answers = Event(), Event()

    def hang(*_about: object) -> bytes:
        was_called.set()
        answers.wait(60)
        raise AddressNotAllowed("The channel is gone.")

    monkeypatch.setattr("core.http.post", hang)
    event = event_of(events.drafted.path)
    announce_news(event)

    for name, act in events.actions().items():
        assert act().status == 200, name

    assert hanging.called.wait(30)
    assert was_called.wait(30)
    # All twelve actions are done while both are still hanging.
    assert {news_job(event, kind).state for kind in (JobKind.MAIL, JobKind.NOTIFY)} == {"running"}
    answers.set()
    hanging.close()
    wait_until(lambda: news_job(event, JobKind.MAIL).state == "queued", "the mail is put off")
    wait_until(lambda: news_job(event, JobKind.NOTIFY).has_failed, "the channel is given up")

    letters = send_again(event, hanging.port)
    assert len(letters) == 1
    assert b"ada@example.org" in letters[0]
    figure(
        "Mail server and channel hanging: 12 actions, 0 pages with 5xx and none that waited; "
        f"{len(letters)} mail for 1 wish once the server was back"
    )


def send_again(event: Tournament, port: int) -> list[bytes]:
    """Emails received by a recovered mail server, however often the job is queued."""
    job = news_job(event, JobKind.MAIL)
    with serving(MailServer(port)) as server:
        for _ in range(3):
            jobs.start_early(job)
            jobs.run_aside(Job, job.pk, announcements.mail_tables)
        assert news_job(event, JobKind.MAIL).state == "done"
        return server.letters
