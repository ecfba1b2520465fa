"""The page where site administrators import files of rulings."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from core.rate_limits import exclusive_work
from players.models import User
from rulings.forms import MAX_IMPORT_BYTES
from rulings.models import Ruling, RulingDocument

HOUSE = """---
title: Tuesday league
date: 2026-05-01
---

## Lockjaw

- Lockjaw lasts until the end of the run.
"""
FAULTY = HOUSE.replace("## Lockjaw", "## Lokjaw")


@pytest.fixture
def admin(client: Client, small: None) -> Client:
    client.force_login(User.objects.create_user("ada", is_staff=True))
    return client


def post(client: Client, **fields: object):
    return client.post(reverse("rulings:import"), fields)


def upload(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("house.md", data)


def submitted_text(response) -> str:
    """Return the text field as a browser submits it, with CRLF."""
    text: str = response.context["form"]["text"].value()
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def test_first_button_previews(admin):
    answer = post(admin, file=upload(HOUSE.encode()))

    page = answer.content.decode()
    assert answer.status_code == 200
    assert "What this would change" in page
    assert "tuesday-league-lockjaw-1" in page
    assert not RulingDocument.objects.filter(kind="house").exists()


def test_file_is_kept_during_another_import(admin):
    with exclusive_work("import"):
        answer = post(admin, file=upload(HOUSE.encode()))

    assert answer.status_code == 409
    assert "Another import is running" in answer.content.decode()
    assert submitted_text(answer) == HOUSE.replace("\n", "\r\n")


def test_second_button_imports_the_preview(admin):
    preview = post(admin, file=upload(b"\xef\xbb\xbf" + HOUSE.replace("\n", "\r\n").encode()))
    answer = post(admin, text=submitted_text(preview), **{"import": "1"})

    ruling = Ruling.objects.get(code="tuesday-league-lockjaw-1")
    assert reverse("rulings:ruling", args=[ruling.code]) in answer.content.decode()
    assert ruling.current.written_by.username == "ada"
    assert ruling.current.text == "Lockjaw lasts until the end of the run."
    assert "everything is already here" in post(admin, text=HOUSE).content.decode()


def test_faults_are_reported_with_their_lines_and_the_text_stays(admin):
    answer = post(admin, text=FAULTY)

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "line 8: &quot;Lokjaw&quot; is neither a card nor a known topic" in page
    assert "## Lokjaw" in page


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "Choose a file, or paste its text."),
        ({"text": " \r\n"}, "Choose a file, or paste its text."),
        ({"text": "x" * (MAX_IMPORT_BYTES + 1)}, "with the command import_rulings"),
        ({"text": "Hello"}, "This is not a rulings file."),
        ({"text": "[]"}, "there is no ruling in the file"),
    ],
)
def test_unreadable_upload_is_refused_with_a_reason(admin, fields, expected):
    answer = post(admin, **fields)

    assert answer.status_code == 422
    assert expected in answer.content.decode()


@pytest.mark.parametrize("data", [b"\xff\xfe---", b"---\nx: \x00", b"\x00" * 10, b"x" * 950_000])
def test_any_bytes_are_refused_without_an_error(admin, data):
    assert post(admin, file=upload(data)).status_code == 422
