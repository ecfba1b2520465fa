"""Decklists from a text box, a file or an address."""

from typing import Any
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.datastructures import MultiValueDict

from core.errors import Refusal
from decks.formats.plain_text import MAX_BYTES
from decks.formats.readers import decode_text
from decks.forms import DeckSourceForm

LIST = "3 Déjà Vu\n1 Fang\n"


@pytest.fixture(autouse=True)
def fetch():
    """Replace the fetch from NetrunnerDB."""
    with patch("decks.forms.fetch_deck") as fetch:
        fetch.side_effect = lambda address: f'{{"fetched": "{address}"}}'
        yield fetch


def make_form(opened: str = "", file: bytes | None = None, **typed: str) -> DeckSourceForm:
    files: MultiValueDict[str, UploadedFile[Any]] = MultiValueDict()
    if file is not None:
        files["file"] = SimpleUploadedFile("deck.txt", file)
    return DeckSourceForm(typed, files, initial={"text": opened})


def errors(form: DeckSourceForm) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)


OPENED, SENT = "3 Fang\n1 Ice", "3 Fang\r\n1 Ice\r\n"


@pytest.mark.parametrize(
    ("form_data", "source"),
    [
        ({"text": "  3 Fang\r\n"}, "  3 Fang\r\n"),
        ({"file": LIST.encode()}, LIST),
        ({"file": b"\xef\xbb\xbf" + LIST.encode()}, LIST),
        (
            {"address": " https://netrunnerdb.com/en/decklist/5 "},
            '{"fetched": "https://netrunnerdb.com/en/decklist/5"}',
        ),
        # The list of the opened page is ignored if there is another source.
        ({"opened": OPENED, "text": SENT}, SENT),
        ({"opened": OPENED, "text": SENT, "file": b"2 Newer"}, "2 Newer"),
        ({"opened": OPENED, "text": SENT, "address": "5"}, '{"fetched": "5"}'),
    ],
)
def test_valid_form_has_a_single_source(form_data, source: str):
    form = make_form(**form_data)

    assert form.is_valid()
    assert form.source_text == source


def test_refusal_of_a_fetch_is_shown_at_the_address(fetch):
    fetch.side_effect = Refusal("NetrunnerDB cannot be reached from here.")

    assert make_form(address="5").errors == {
        "address": ["NetrunnerDB cannot be reached from here."]
    }


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({}, "Paste the list, choose a file"),
        ({"text": " \n", "address": "  "}, "Paste the list, choose a file"),
        ({"text": "3 Fang", "address": "5"}, "Use only one way"),
        ({"text": "3 Fang", "file": b"3 Fang"}, "Use only one way"),
        ({"address": "5", "file": b"3 Fang"}, "Use only one way"),
    ],
)
def test_list_is_given_in_exactly_one_way(typed, message: str):
    assert message in errors(make_form(**typed))


def test_file_size_limit_is_exact():
    assert make_form(file=b"x" * MAX_BYTES).is_valid()
    too_long = make_form(file=b"x" * (MAX_BYTES + 1))

    assert "32,769 bytes. The limit is 32,768" in errors(too_long)


def test_empty_file_is_refused():
    assert "This file is empty" in errors(make_form(file=b""))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (LIST.encode("utf-16"), "UTF-16"),
        (LIST.encode("utf-16-le"), "UTF-16"),
        (LIST.encode("utf-16-be"), "UTF-16"),
        (LIST.encode("cp1252"), 'older encoding ("ANSI"); see line 1'),
        (b"1 Fang\n3 D\xe9j\xe0 Vu", "see line 2"),
        (b"PK\x03\x04rest", "ZIP archive or an office document"),
        (b"\x1f\x8b\x08rest", "packed file"),
        (b"%PDF-1.7", "a PDF"),
        (b"\x89PNG\r\n", "a picture"),
        (b"{\\rtf1", "word processor"),
        (b"3 Fang\x00\x00", "is not a text file"),
    ],
)
def test_file_that_is_not_utf_8_is_refused_with_advice(data: bytes, message: str):
    messages = errors(make_form(file=data))

    assert message in messages
    assert messages.endswith((".", "instead."))


def test_ampersands_and_short_texts_are_read():
    assert decode_text(b"R&D") == "R&D"
    assert decode_text("\U0001f600".encode()) == "\U0001f600"
    assert decode_text(b"") == ""
