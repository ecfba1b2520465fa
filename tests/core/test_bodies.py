"""A request brings no more than it may."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from core.bodies import MOST_BYTES

pytestmark = pytest.mark.django_db


def test_an_upload_is_refused_before_any_of_it_is_read(client: Client):
    file = SimpleUploadedFile("names.csv", b"A" * (MOST_BYTES + 1))

    answer = client.post("/join/ABCDEF/", {"file": file})

    assert answer.status_code == 413
    assert b"2,097,152 bytes" in answer.content


@pytest.mark.parametrize("length", ["-1", "many", "9" * 5000, str(MOST_BYTES + 1)])
def test_a_length_that_cannot_be_is_refused(length: str, client: Client):
    assert client.get("/join/", CONTENT_LENGTH=length).status_code == 413


@pytest.mark.parametrize("length", ["", "0", str(MOST_BYTES)])
def test_a_length_that_fits_is_read(length: str, client: Client):
    assert client.get("/join/", CONTENT_LENGTH=length).status_code == 200


@pytest.mark.parametrize("fields", [{"code": "AB\0C"}, {"a\0b": ""}])
def test_a_nul_is_left_out_of_a_search_and_refused_in_a_form(
    fields: dict[str, str], client: Client
):
    assert client.get("/cards/", {**fields, "q": "lock\0jaw"}).status_code == 200
    assert client.post("/join/ABCDEF/", fields).status_code == 400
