"""Limits on the size and content of requests."""

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import get_resolver

from core.body_limits import MAX_BYTES, max_bytes

pytestmark = [pytest.mark.django_db, pytest.mark.check(14)]
KILOBYTE = 1024
ROOM = settings.ROOM_OF_A_FORM


def test_oversized_upload_is_refused_unread(client: Client):
    file = SimpleUploadedFile("names.csv", b"A" * (MAX_BYTES + 1))

    answer = client.post("/join/ABCDEF/", {"file": file})

    assert answer.status_code == 413
    assert "256.0\xa0KB" in answer.content.decode()


def test_413_is_a_page_for_forms_a_sentence_for_scripts_and_an_api_error(client: Client):
    length = str(6 * KILOBYTE * KILOBYTE)

    page = client.get("/events/import/", CONTENT_LENGTH=length)
    script = client.get("/events/import/", CONTENT_LENGTH=length, HTTP_ACCEPT="text/plain")
    answer = client.get("/api/v1/imports/", CONTENT_LENGTH=length)

    assert page.status_code == script.status_code == answer.status_code == 413
    assert "This upload is too large" in page.content.decode()
    assert script["Content-Type"].startswith("text/plain")
    assert answer.json() == {
        "code": "too_large",
        "detail": (
            f"The request is too large. The limit is {max_bytes('/api/v1/imports/'):,} bytes."
        ),
        "errors": {},
    }


@pytest.mark.parametrize(
    ("length", "status"),
    [
        *((length, 413) for length in ("-1", "many", "9" * 5000, str(MAX_BYTES + 1))),
        *((length, 200) for length in ("", "0", str(MAX_BYTES))),
    ],
)
def test_content_length_must_be_a_number_within_the_limit(length: str, status: int, client: Client):
    assert client.get("/join/", CONTENT_LENGTH=length).status_code == status


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("/join/ABCDEF/", 256 * KILOBYTE),
        ("/nothing/here/", 256 * KILOBYTE),
        ("/events/any/me/decks/corp/", 32 * KILOBYTE + ROOM),
        ("/decks/check/", 32 * KILOBYTE + ROOM),
        ("/api/v1/decks/check/", 32 * KILOBYTE + ROOM),
        ("/events/any/roster/csv/", KILOBYTE * KILOBYTE + ROOM),
        ("/events/import/", 5 * KILOBYTE * KILOBYTE + ROOM),
        ("/api/v1/imports/", 5 * KILOBYTE * KILOBYTE + ROOM),
    ],
)
def test_each_address_has_its_body_limit(path: str, limit: int, client: Client):
    assert max_bytes(path) == limit
    assert client.post(path, CONTENT_LENGTH=str(limit + 1)).status_code == 413


def test_addresses_in_body_limits_exist():
    names = {
        f"{space}:{route}"
        for space in ("api", "decks", "rulings", "tournaments")
        for route in get_resolver().namespace_dict[space][1].reverse_dict
        if isinstance(route, str)
    }

    assert set(settings.BODY_LIMITS) <= names


@pytest.mark.parametrize("fields", [{"code": "AB\0C"}, {"a\0b": ""}])
def test_nul_is_removed_from_a_search_and_refused_in_a_form(fields: dict[str, str], client: Client):
    assert client.get("/cards/", {**fields, "q": "lock\0jaw"}).status_code == 200
    assert client.post("/join/ABCDEF/", fields).status_code == 400
