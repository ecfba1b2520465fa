"""A mail server and a channel that never answer: the desk does not notice, the news comes later."""

from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event

import pytest

from core import jobs
from core.http import AddressNotAllowed
from tests.factories.tournaments import make_user, owner_of, player_number
from tests.faults.done import event_of
from tests.faults.organiser import Evening
from tests.faults.servers import HangingServer
from tests.serving import serving
from tests.waiting import wait_until
from tournaments.integrations import announcements
from tournaments.models import Job, JobKind, Tournament

pytestmark = [pytest.mark.check(35), pytest.mark.goal("G12")]

WEBHOOK = "https://discord.com/api/webhooks/1/very-secret-token"


class MailServer(ThreadingTCPServer):
    """Takes every mail and keeps it (RFC 5321, as little of it as smtplib needs)."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Taking)
        self.letters: list[bytes] = []


class _Taking(StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self._say("220 here")
        while line := self.rfile.readline():
            word = line.split()[0].upper()
            if word == b"DATA":
                self._say("354 go on")
                self.server.letters.append(self._letter())
            self._say("221 bye" if word == b"QUIT" else "250 fine")

    def _letter(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line)
        return b"".join(lines)

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


def ask_for_news(event: Tournament) -> None:
    """The event posts to a channel, and one player wants mails."""
    wanted = {"tells_pairings": True, "tells_standings": True, "allows_push": False}
    owner = owner_of(event)
    announcements.change_announcements(event, owner, webhook=WEBHOOK, allows_mail=True, **wanted)
    player = player_number(event, 1).player
    player.user = make_user(email="ada@example.org")
    player.save()
    announcements.set_mail_wish(player_number(event, 1), wanted=True)


def news_of(event: Tournament, kind: JobKind) -> Job:
    return event.jobs.get(kind=kind)


def test_the_desk_does_not_wait_for_a_mail_server_or_a_channel_that_hangs(
    night: Evening, hanging: HangingServer, settings, monkeypatch: pytest.MonkeyPatch, figure
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", hanging.port
    settings.EMAIL_TIMEOUT = 60
    asked, answers = Event(), Event()

    def hang(*_about: object) -> bytes:
        asked.set()
        answers.wait(60)
        raise AddressNotAllowed("The channel is gone.")

    monkeypatch.setattr("core.http.post", hang)
    event = event_of(night.drafted.path)
    ask_for_news(event)

    for name, act in night.actions().items():
        assert act().status == 200, name

    assert hanging.called.wait(30)
    assert asked.wait(30)
    # All twelve are done while both still hang.
    assert {news_of(event, kind).state for kind in (JobKind.MAIL, JobKind.NOTIFY)} == {"running"}
    answers.set()
    hanging.close()
    wait_until(lambda: news_of(event, JobKind.MAIL).state == "queued", "the mail is put off")
    wait_until(lambda: news_of(event, JobKind.NOTIFY).has_failed, "the channel is given up")

    letters = send_again(event, hanging.port)
    assert len(letters) == 1
    assert b"ada@example.org" in letters[0]
    figure(
        "Mail server and channel hanging: 12 actions, 0 pages with 5xx and none that waited; "
        f"{len(letters)} mail for 1 wish once the server was back"
    )


def send_again(event: Tournament, port: int) -> list[bytes]:
    """What a mail server that is back receives, however often the job is queued."""
    job = news_of(event, JobKind.MAIL)
    with serving(MailServer(port)) as server:
        for _ in range(3):
            jobs.start_early(job)
            jobs.run_aside(Job, job.pk, announcements.mail_tables)
        assert news_of(event, JobKind.MAIL).state == "done"
        return server.letters
