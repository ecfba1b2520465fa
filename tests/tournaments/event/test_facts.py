"""Times, place, fee, contact and links of an event."""

import json
from datetime import date, time
from typing import Any

import pytest
from django.test import Client

from players.models import User
from tests.factories.sessions import logged_in
from tests.factories.tournaments import fresh, make_event, make_user, owner_of
from tests.tournaments.pages import path, text_of
from tournaments.files import services as files_services
from tournaments.files import whole_event
from tournaments.models import Tournament
from tournaments.models.events import (
    LinkError,
    contact_url,
    map_url,
    parse_links,
    parse_stored_links,
)
from tournaments.settings.forms import CreateEventForm

FACTS: dict[str, Any] = {
    "start_time": time(10),
    "end_time": time(18, 30),
    "location": "The shop",
    "address": "Main Street 1, Graz",
    "entry_fee": "10 EUR",
    "contact": "ada@example.org",
    "links": "Prizes https://example.org/prizes\nhttps://example.org/hotel",
}


@pytest.fixture
def event(db: None) -> Tournament:
    return make_event(players=0, starts_on=date(2026, 5, 2), **FACTS)


def test_link_has_a_name_and_an_address():
    first, second = parse_links("Prizes: https://example.org/a\n\n  http://example.org/b ")

    assert (first.name, first.address) == ("Prizes", "https://example.org/a")
    assert second.name == second.address == "http://example.org/b"


@pytest.mark.parametrize(
    "line", ["javascript:alert(1)", "Prizes", "x https://", "x http://[", "ftp://example.org"]
)
def test_invalid_links_are_refused(line: str):
    with pytest.raises(LinkError):
        list(parse_links(line))
    assert parse_stored_links(line) == []


def test_place_links_to_a_map():
    assert map_url("Main Street 1 & 2").endswith("?query=Main%20Street%201%20%26%202")
    assert map_url("") == ""


@pytest.mark.parametrize(
    ("contact", "address"),
    [
        ("ada@example.org", "mailto:ada@example.org"),
        ("https://example.org/ada", "https://example.org/ada"),
        ("ada on the forum", ""),
        ("javascript:alert(1)", ""),
    ],
)
def test_contact_is_an_email_link_a_page_link_or_plain_text(contact: str, address: str):
    assert contact_url(contact) == address


def test_event_page_shows_all_facts(event: Tournament):
    page = Client().get(path(event, ""))
    text = text_of(page)

    assert "Saturday 2 May 2026, 10:00 – 18:30" in text
    assert "Main Street 1, Graz Map" in text
    assert "10 EUR" in text
    for address in ("mailto:ada@example.org", "https://example.org/prizes", event.map_address):
        assert f'href="{address}"' in page.text


def test_missing_facts_have_no_line(db: None):
    text = text_of(Client().get(path(make_event(players=0), "")))

    assert "Entry fee" not in text
    assert "Contact" not in text


def test_facts_are_in_the_text_to_copy(event: Tournament):
    staff = logged_in(owner_of(event).user)

    text = "\n".join(staff.get(path(event, "desk/news/")).context["event_texts"])

    assert f"Saturday 2 May 2026, 10:00 to 18:30 ({event.time_zone})" in text
    assert "Prizes: https://example.org/prizes" in text
    assert f"/join/{event.join_code}/" in text
    assert "**" not in text


def test_export_and_import_keep_the_facts(event: Tournament):
    silent = make_event(players=0, name="Silent")
    assert (
        not FACTS.keys() - {"location"}
        & whole_event.event_document(silent)["event"]["settings"].keys()
    )

    data = json.dumps(whole_event.event_document(event)).encode()
    again = files_services.import_file(data, owner=make_user("Ada")).tournament

    assert again is not None
    assert {name: getattr(fresh(again), name) for name in FACTS} == FACTS


FORM_DATA = {"name": "Spring Run", "starts_on": "2026-05-02", "game": "onr"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("end_time", {"start_time": "18:00", "end_time": "10:00"}),
        ("ends_on", {"ends_on": "2026-05-01"}),
        ("links", {"links": "Prizes"}),
    ],
)
def test_invalid_value_is_refused_at_its_field(field: str, typed: dict[str, str]):
    form = CreateEventForm({**FORM_DATA, **typed})

    assert field in form.errors


@pytest.mark.django_db
def test_event_past_midnight_names_its_last_day(owner: User):
    form = CreateEventForm(
        {**FORM_DATA, "start_time": "20:00", "end_time": "02:00", "ends_on": "2026-05-03"}
    )

    assert form.is_valid(), form.errors
