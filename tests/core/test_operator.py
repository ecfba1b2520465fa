"""Pages of the operator, style guide, robots.txt and security.txt of a site."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from django.test import Client

from core import checks
from core.credits import DATA, PARTS
from core.version import VERSION
from tests.live_site import ROOT

pytestmark = pytest.mark.django_db
SECURITY_TXT = "/.well-known/security.txt"


@pytest.fixture(autouse=True)
def operator(settings, tmp_path: Path) -> None:
    settings.OPERATOR_NAME = "Club <Nord>"
    settings.OPERATOR_CONTACT = "play@club.example"
    settings.VAR_DIR = tmp_path


def write_page(folder: Path, name: str, text: bytes) -> None:
    (folder / "pages").mkdir()
    (folder / "pages" / f"{name}.txt").write_bytes(text)


@pytest.mark.parametrize(
    "path", ["/events/", "/imprint/", "/privacy/", "/accessibility/", "/credits/"]
)
def test_page_names_operator_contact_and_version(path: str, client: Client):
    text = client.get(path).text

    assert "Club &lt;Nord&gt;" in text
    assert '<a href="mailto:play@club.example">play@club.example</a>' in text
    assert f"Datafort {VERSION}" in text
    assert 'href="/privacy/"' in text
    assert 'href="/imprint/"' in text
    assert 'href="/credits/"' in text


def test_credits_have_the_sources_and_parts_of_the_notice(client: Client):
    text = client.get("/credits/").text
    notice = (ROOT / "NOTICE.md").read_text(encoding="utf-8")

    for source in DATA:
        assert str(source.name) in text
        assert f"| {source.name} | {source.origin} |" in re.sub(r"\[(.*?)\]\(.*?\)", r"\1", notice)
    for part in PARTS:
        assert f'<a href="{part.address}">{part.name}</a> ({part.license})' in text
        assert f"| [{part.name}]({part.address}) | {part.license} |" in notice


def test_footer_without_operator_has_the_version_alone(client: Client, settings):
    settings.OPERATOR_NAME = settings.OPERATOR_CONTACT = ""

    text = client.get("/imprint/").text

    assert "Run by" not in text
    assert "has not added a name or a contact yet" in text
    assert f"Datafort {VERSION}" in text


@pytest.mark.parametrize(("debug", "status"), [(True, 200), (False, 404)])
def test_style_guide_is_shown_to_developers_only(
    debug: bool, status: int, client: Client, settings
):
    settings.DEBUG = debug

    assert client.get("/styleguide/").status_code == status


@pytest.mark.parametrize("page", ["privacy", "imprint"])
def test_text_of_the_operator_replaces_the_page(page: str, client: Client, tmp_path: Path):
    write_page(tmp_path, page, "Täglich\n\n<b>Write</b> to https://club.example".encode())

    text = client.get(f"/{page}/").text

    assert "<p>Täglich</p>" in text
    assert "&lt;b&gt;Write" in text
    assert '<a href="https://club.example"' in text
    assert "What this site stores" not in text


def test_operator_text_with_invalid_utf_8_is_shown(client: Client, tmp_path: Path):
    write_page(tmp_path, "imprint", b"M\xfcller")

    assert "M\N{REPLACEMENT CHARACTER}ller" in client.get("/imprint/").text


def test_privacy_page_follows_the_settings(client: Client, settings, tmp_path: Path):
    settings.FORGET_AFTER_MONTHS, settings.BACKUP_WEEKS = 7, 2
    settings.BACKUP_FOLDER = str(tmp_path)
    text = client.get("/privacy/").text
    assert "7 months after your last event" in text
    assert "backups for 15 days" in text

    settings.FORGET_AFTER_MONTHS, settings.BACKUP_FOLDER = 0, ""
    text = client.get("/privacy/").text
    assert "stored until you erase it" in text
    assert "backups" not in text


def test_robots_txt_keeps_robots_out_of_accounts_and_api(client: Client, settings):
    answer = client.get("/robots.txt")

    assert answer["Content-Type"].startswith("text/plain")
    assert answer.text.startswith("User-agent: *\n")
    assert "Disallow: /account/\n" in answer.text
    assert settings.ADMIN_PATH not in answer.text


@pytest.mark.parametrize(
    ("contact", "contact_line"),
    [
        ("play@club.example", "mailto:play@club.example"),
        ("https://club.example/security", "https://club.example/security"),
    ],
)
def test_security_txt_has_contact_and_expiry(contact, contact_line, client: Client, settings):
    settings.OPERATOR_CONTACT, settings.SITE_ADDRESS = contact, "https://play.example"

    with time_machine.travel(datetime(2026, 11, 21, 12, tzinfo=UTC), tick=False):
        answer = client.get(SECURITY_TXT)

    expires = (datetime(2026, 11, 21, 12, tzinfo=UTC) + timedelta(days=180)).isoformat()
    assert answer.text.splitlines() == [
        f"Contact: {contact_line}",
        f"Expires: {expires.removesuffix('+00:00')}Z",
        "Preferred-Languages: en",
        f"Canonical: https://play.example{SECURITY_TXT}",
    ]


@pytest.mark.parametrize("contact", ["", "ask at the counter"])
def test_security_txt_without_an_address_to_write_to_is_missing(contact, client, settings):
    settings.OPERATOR_CONTACT = contact

    assert client.get(SECURITY_TXT).status_code == 404


def test_misspelt_setting_of_organisers_stops_the_start(settings):
    settings.ORGANISERS = "nobody"
    assert "datafort.E010" in [problem.id for problem in checks.check_settings()]

    settings.ORGANISERS = "approved"
    assert "datafort.E010" not in [problem.id for problem in checks.check_settings()]
