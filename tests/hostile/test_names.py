"""Five hundred names of every script: accepted, found, sorted, printed and shown unchanged."""

import csv
import io
import unicodedata
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from core.csv_tables import unescape_cell
from core.text import clean, comparison_key, sort_key
from players.models import Player
from tests.factories.tournaments import make_event
from tests.hostile.names import HUNDREDS, other_spelling
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import preview_answers
from tournaments.models import Tournament

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.check(13),
    pytest.mark.goal("G15"),
]


@pytest.fixture
def event() -> Tournament:
    return make_event(players=0)


@pytest.fixture
def desk(event: Tournament) -> Client:
    return desk_of(event)


def address(event: Tournament, name: str) -> str:
    return reverse(f"tournaments:{name}", args=[event.slug])


def preview_form(event: Tournament, desk: Client, names: list[str]) -> dict[str, str]:
    page = desk.post(address(event, "roster_paste"), {"kind": "names", "text": "\n".join(names)})
    assert page.status_code == 200
    return {
        **preview_answers(page),
        "adding": str(page.context["adding"] + page.context["questions"]),
        "duplicates": str(page.context["duplicates"]),
    }


def test_five_hundred_names_are_accepted_found_sorted_printed_and_shown(
    event: Tournament, desk: Client, figure: Callable[[str], None]
):
    form = preview_form(event, desk, HUNDREDS)
    assert desk.post(address(event, "roster_apply"), form).status_code == 302
    stored = sorted(Player.objects.values_list("name", flat=True))

    assert len({comparison_key(name) for name in stored}) == len(HUNDREDS) >= 500
    assert stored == sorted(map(clean, HUNDREDS))
    assert preview_form(event, desk, [other_spelling(name) for name in HUNDREDS])["adding"] == "0"
    _assert_found(event, desk)
    # The order of letters of other scripts depends on the database.
    sorted_by = Player.objects.values_list("sort_key", flat=True)
    assert sorted(sorted_by) == sorted(map(sort_key, map(clean, HUNDREDS)))
    _assert_whole_in_every_file(event, desk)
    scripts = {unicodedata.name(letter, "?").split()[0] for name in stored for letter in name}
    figure(f"{len(stored)} names with letters of {len(scripts)} kinds")


def _assert_found(event: Tournament, desk: Client) -> None:
    for name in HUNDREDS[:: len(HUNDREDS) // 10]:
        page = desk.get(address(event, "roster"), {"q": other_spelling(name)})
        assert escape(clean(name)) in page.content.decode(), ascii(name)


def _assert_whole_in_every_file(event: Tournament, desk: Client) -> None:
    table = desk.get(address(event, "roster_export")).content.decode("utf-8-sig")
    cells = {
        unescape_cell(cell) for row in csv.reader(io.StringIO(table, newline="")) for cell in row
    }
    pages = [desk.get(address(event, name)).content.decode() for name in ("roster", "projector")]

    assert set(map(clean, HUNDREDS)) <= cells
    assert all(escape(clean(name)) in pages[0] for name in HUNDREDS)
    # A right-to-left name does not change the direction of other text.
    assert all(f">{escape(clean(name))}</bdi>" in pages[0] for name in HUNDREDS)
