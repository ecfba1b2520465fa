"""Hostile redirects, headers and emails, and texts of a hundred kilobytes."""

import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from players.models import Player, User
from tests.factories.news import at_work, publish
from tests.factories.tournaments import fresh, make_event
from tests.hostile import patterns
from tests.tournaments.cast import browser_of
from tests.tournaments.crawling import addresses
from tests.tournaments.integrations.test_announcing import announce, subscribe_to_emails
from tests.tournaments.matrix.scene import make_scene
from tournaments.integrations import announcements
from tournaments.models import JobKind, Tournament

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.check(18),
    pytest.mark.goal("G15"),
]
ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery staple"
BENT = (
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example/",
    "https:evil.example",
    "http:///evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example%2f@testserver/",
    "https://testserver@evil.example/",
    "https://testserver.evil.example/",
    "/%0d%0aLocation:%20//evil.example",
    "/\r\nLocation: //evil.example",
    "/\t/evil.example",
    "//\u3002evil.example",
    " //evil.example",
    "\x00//evil.example",
)
BROKEN_LINES = "Ada\r\nBcc: eve@evil.example\r\nSet-Cookie: a=b\r\n\r\n<script>alert(1)</script>"
LONG = 100_000


@pytest.mark.parametrize("page", ["account_login", "account_signup", "account_logout"])
def test_next_never_redirects_to_another_site(page: str):
    ada = User.objects.create_user("ada", password=PASSWORD)
    for index, target in enumerate(BENT):
        client = Client()
        if page == "account_logout":
            client.force_login(ada)
        fields = {"login": "ada", "password": PASSWORD, "next": target}
        if page == "account_signup":
            fields |= {"username": f"bo-{index}", "password1": PASSWORD}

        answer = client.post(reverse(page), fields)

        if "\0" in target:
            assert answer.status_code == 400
        else:
            target_url = urljoin("http://testserver/", answer["Location"].replace("\\", "/"))
            assert (answer.status_code, urlsplit(target_url).hostname) == (302, "testserver"), (
                target
            )


@pytest.mark.slow
def test_names_in_headers_are_encoded():
    scene = make_scene()
    Tournament.objects.filter(pk=scene.event.pk).update(name=BROKEN_LINES[:120])
    for player in Player.objects.all():
        Player.objects.filter(pk=player.pk).update(name=f"{BROKEN_LINES[:90]}{player.pk}")
    owner = browser_of("owner", scene.event, scene.player)
    answers = [owner.get(path) for path in addresses(fresh(scene.event), 2)]
    files = [answer for answer in answers if answer.has_header("Content-Disposition")]

    assert files
    for answer in answers:
        assert answer.status_code < 500
        assert not answer.has_header("Bcc")
        assert "a" not in answer.cookies
        assert not [text for text in answer.headers.values() if "\n" in text or "\r" in text]


def test_name_cannot_add_a_line_to_an_email():
    event = announce(make_event(players=3), webhook="", allows_mail=True)
    subscribe_to_emails(event, 1, "ada@example.org")
    Tournament.objects.filter(pk=event.pk).update(name=BROKEN_LINES[:120])
    Player.objects.update(name=BROKEN_LINES[:100])
    publish(event)

    announcements.mail_tables(at_work(event, JobKind.MAIL))

    (email,) = mail.outbox
    message = email.message()
    assert message["Bcc"] is None
    assert message["Set-Cookie"] is None
    assert email.recipients() == ["ada@example.org"]
    assert "\n" not in email.subject


@pytest.mark.slow
def test_work_of_patterns_grows_no_faster_than_their_input(figure):
    """The patterns run in a separate process, which is stopped if it hangs."""
    command = [sys.executable, "-m", "tests.hostile.patterns", str(LONG // 10), str(LONG)]
    tried = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False
    )

    assert tried.returncode == 0, tried.stdout
    figure(f"{tried.stdout.split()[0]} patterns, {len(patterns.SEEDS)} kinds of lines of 100 KB")
