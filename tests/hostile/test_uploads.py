"""Archives, pictures and XML in every field that accepts a file."""

import gzip
import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from players.models import User
from tests.factories.sessions import logged_in
from tests.shared_rows import shared_rows
from tests.tournaments.matrix.scene import Scene, checksums, make_scene

pytestmark = [pytest.mark.django_db, pytest.mark.check(16), pytest.mark.goal("G15")]
BOMB = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
<deck game="0f38e453-26df-4c04-9d67-6d43de939c77"><notes>&b;</notes></deck>"""
STRANGER = b"""<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><deck>&b;</deck>"""
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def zipped(*names: str) -> bytes:
    """An archive with a single file of ten megabytes of zeros."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, b"0" * 10_000_000)
    return packed.getvalue()


FILES = {
    "decks.zip": zipped("deck.txt"),
    "deck.docx": zipped("word/document.xml"),
    "deck.txt.gz": gzip.compress(b"3 Fang"),
    "drawing.svg": SVG,
    "list.xml": b"\xef\xbb\xbf \n<?xml version='1.0'?><names/>",
    "bomb.o8d": BOMB,
    "stranger.o8d": STRANGER,
    "picture.png": PNG,
    "photo.txt": b"\xff\xd8\xff\xe0JFIF",
    "page.html": b"<!doctype html><script>alert(1)</script>",
    "letter.pdf": b"%PDF-1.7",
    "events.tar": b"a".ljust(257, b"\0") + b"ustar\0" + bytes(300),
}


@dataclass(frozen=True)
class Field:
    """A page with a file field, and a browser that opens it."""

    client_: Client
    path: str
    other_fields: dict[str, str]


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    yield from shared_rows(django_db_blocker, make_scene)


def fields(scene: Scene) -> Iterator[Field]:
    owner, player = scene.browser("owner"), scene.browser("player")
    keeper = logged_in(User.objects.create_superuser("keeper"))
    yield Field(owner, scene.address("roster_paste"), {"kind": "names"})
    yield Field(owner, scene.address("roster_csv"), {"kind": "csv"})
    yield Field(owner, reverse("tournaments:import"), {})
    yield Field(owner, scene.address("deck_change"), {"reason": "a mistake"})
    yield Field(player, scene.address("deck"), {})
    yield Field(Client(), reverse("decks:check"), {"rules": "onr"})
    yield Field(keeper, reverse("rulings:import"), {})


def test_unsupported_files_are_refused_in_every_field_and_not_stored(
    scene: Scene, figure: Callable[[str], None]
):
    all_fields, before = list(fields(scene)), checksums()
    answers = {
        (field.path, name): _send(field, name, data)
        for field in all_fields
        for name, data in FILES.items()
    }

    assert {field_name: status for field_name, status in answers.items() if status != 415} == {}
    assert checksums() == before
    figure(f"{len(FILES)} kinds of files in {len(all_fields)} fields")


def _send(field: Field, name: str, data: bytes) -> int:
    file = SimpleUploadedFile(name, data, content_type="text/plain")
    return field.client_.post(field.path, {**field.other_fields, "file": file}).status_code


def test_every_page_with_a_file_field_is_listed(scene: Scene):
    all_fields = list(fields(scene))

    assert all(b'type="file"' in field.client_.get(field.path).content for field in all_fields)


@pytest.mark.parametrize("media_type", ["application/zip", "image/svg+xml", "text/xml"])
@pytest.mark.parametrize("name", ["api:imports", "api:deck_check"])
def test_api_accepts_json_only(scene: Scene, name: str, media_type: str):
    keeper = logged_in(User.objects.create_superuser("keeper"))
    before = checksums()

    answer = keeper.post(reverse(name), FILES["decks.zip"], content_type=media_type)

    assert answer.status_code == 415
    assert checksums() == before
