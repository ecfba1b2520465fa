"""The page "Running the day"."""

import pytest
from django.test import Client

from players.models import User
from tests.factories.tournaments import fresh, make_event
from tests.tournaments.views.pages import url
from tournaments.models import LateEntry, Tournament


@pytest.fixture
def event(owner: User) -> Tournament:
    return make_event(players=2, owner=owner)


def address(event: Tournament) -> str:
    return url("day_settings", event)


TYPED = {
    "table_numbers": "1-20, 31",
    "feature_tables": "1",
    "overtime_minutes": "5",
    "confirm_after_minutes": "10",
    "no_show_minutes": "",
    "late_entry": "half",
    "late_entry_until": "3",
    "has_waiting_list": "on",
}


def test_what_was_typed_is_kept(event: Tournament, desk: Client):
    answer = desk.post(address(event), TYPED)

    kept = fresh(event)
    assert answer.status_code == 302
    assert (kept.table_numbers, kept.feature_tables) == ("1-20, 31", "1")
    assert (kept.overtime_minutes, kept.confirm_after_minutes, kept.no_show_minutes) == (
        5,
        10,
        None,
    )
    assert (kept.late_entry, kept.late_entry_until) == (LateEntry.HALF, 3)
    assert (kept.has_waiting_list, kept.drops_absent) == (True, False)
    assert event.log.filter(action="settings changed").count() == 1


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("table_numbers", "20-1", "runs backwards"),
        ("feature_tables", "x", "no range of tables"),
        ("confirm_after_minutes", "0", "Give 1 to 240 minutes, not 0."),
        ("no_show_minutes", "999", "Give 1 to 240 minutes, not 999."),
        ("overtime_minutes", "241", "Give 0 to 240 minutes, not 241."),
        ("late_entry_until", "1", "Give a round from 2 to 30, not 1."),
        ("late_entry", "never", "not one of the available choices"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(
    event: Tournament, desk: Client, field: str, typed: str, said: str
):
    answer = desk.post(address(event), {**TYPED, field: typed})

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert fresh(event).table_numbers == ""


def test_two_who_change_the_same_setting_do_not_overwrite_each_other(
    event: Tournament, desk: Client
):
    seen = str(event.log.order_by("-pk").values_list("pk", flat=True)[0])
    desk.post(address(event), {**TYPED, "seen": seen})

    answer = desk.post(address(event), {**TYPED, "table_numbers": "5-9", "seen": seen})

    assert answer.status_code == 409
    assert fresh(event).table_numbers == "1-20, 31"
