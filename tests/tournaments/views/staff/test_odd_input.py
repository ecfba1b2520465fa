"""What no browser sends by itself, and what a finger slips into."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players.models import User
from tests.factories.tournaments import fresh, make_event
from tests.tournaments.views.staff.conftest import path
from tournaments.models import Tournament
from tournaments.roster import MAX_BYTES


@pytest.fixture
def event(owner: User) -> Tournament:
    return make_event(players=2, owner=owner)


def settings_sent(desk: Client, event: Tournament, **changed: str) -> int:
    """The status that answers the settings as they are, with these changes."""
    form = desk.get(path(event, "desk/settings/")).context["form"]
    kept = {field.name: field.value() for field in form if field.value() not in (None, False)}
    return desk.post(path(event, "desk/settings/"), kept | changed).status_code


@pytest.mark.parametrize("page", ["roster/?q=A%00da", "roster/?q=%00&state=%00"])
def test_a_search_with_a_nul_in_it_is_a_search(page: str, desk: Client, event: Tournament):
    assert desk.get(path(event, page)).status_code == 200


def test_a_search_for_a_ruling_with_a_nul_in_it_is_a_search(client: Client):
    assert client.get("/rulings/search/?q=trace%00").status_code == 200


@pytest.mark.parametrize("closes", ["0001-01-01T00:00", "9999-12-31T23:59"])
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_a_year_typed_by_half_is_refused(closes: str, zone: str, desk: Client, event: Tournament):
    status = settings_sent(desk, event, registration_closes_at=closes, time_zone=zone)

    assert status == 422
    assert fresh(event).registration_closes_at is None


def test_a_date_of_another_age_is_refused(desk: Client, event: Tournament):
    assert settings_sent(desk, event, starts_on="0026-05-02") == 422


def test_an_endless_number_of_the_page_seen_is_none(desk: Client, event: Tournament):
    assert settings_sent(desk, event, name="Autumn Run", seen="9" * 5000) == 302

    assert fresh(event).name == "Autumn Run"


def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    desk: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tournaments.forms.roster.roster.decode", pytest.fail)
    file = SimpleUploadedFile("names.csv", b"name\n" + b"A" * MAX_BYTES)

    answer = desk.post(path(event, "roster/csv/"), {"kind": "csv", "file": file})

    assert answer.status_code == 422
    assert "bytes" in answer.content.decode()
