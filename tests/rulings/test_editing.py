"""Pages on which administrators write a new version of a ruling."""

from datetime import date

import pytest
from django.test import Client

from players.models import User
from rulings.models import Ruling
from rulings.parsing.records import RulingSource
from tests.rulings.builders import write

EDIT, STAND = "/rulings/tracing-1/edit/", "/rulings/tracing-1/stand/"


@pytest.fixture
def ruling(small):
    return Ruling.objects.get(code="tracing-1")


@pytest.fixture
def staff(client, db):
    client.force_login(User.objects.create_user("writer", is_staff=True))
    return client


def form_input(**changes):
    """The form as a browser submits it: one source and two blank rows."""
    rows = [("Tom Wylie", "", "Rules team", "1999-05-04", ""), ("",) * 5, ("",) * 5]
    names = ("authority", "via", "venue", "date", "about")
    sources = {
        f"source-{index}-{name}": value
        for index, row in enumerate(rows)
        for name, value in zip(names, row, strict=True)
    }
    form = {
        "seen": "1",
        "text": "A trace always fails.",
        "kind": "ruling",
        "in_force_from": "1999-05-04",
        "reason": "Decided again.",
        "source-TOTAL_FORMS": "3",
        "source-INITIAL_FORMS": "1",
    }
    return {**form, **sources, **changes}


def test_form_begins_with_the_current_version(ruling, staff):
    assert EDIT in staff.get("/rulings/tracing-1/").text
    assert EDIT not in Client().get("/rulings/tracing-1/").text

    html = staff.get(EDIT).text

    assert "A trace with no bits in it can be successful.</textarea>" in html
    assert 'value="Marc Schmalz (Sparky)"' in html
    assert 'name="source-2-authority"' in html
    assert 'value="1996-04-24"' in html


def test_preview_shows_the_difference_and_saves_nothing(ruling, staff):
    rows = {"source-1-authority": "Wendy Wallace", "source-2-authority": "Skipper Pickle"}

    html = staff.post(EDIT, form_input(preview="1", **rows)).text

    assert "<del>" in html
    assert 'inserted: </span>always fails<span class="visually-hidden">' in html
    assert "Save as version 2" in html
    assert ruling.versions.count() == 1
    # Two blank rows follow the rows in use.
    for name in ("Tom Wylie", *rows.values()):
        assert f'value="{name}"' in html
    assert 'name="source-4-authority"' in html
    assert 'name="source-5-authority"' not in html


def test_save_writes_a_version_with_its_sources(ruling, staff):
    response = staff.post(EDIT, form_input(save="1"), follow=True)

    version = ruling.versions.first()
    assert (version.number, version.written_by.username) == (2, "writer")
    assert version.citations.get().authority == "Tom Wylie"
    assert version.in_force_from == date(1999, 5, 4)
    html = response.text
    assert "Version 2 was saved and is now in force." in html
    assert "Decided again." in html


def test_concurrent_version_is_shown_and_can_be_superseded(ruling, staff):
    write(ruling, "A trace sometimes fails.")

    response = staff.post(EDIT, form_input(save="1"))
    html = response.text

    assert response.status_code == 409
    assert "Someone saved version 2 while you were editing." in html
    assert "deleted: </span>sometimes" in html
    assert 'name="seen" value="2"' in html
    assert ruling.versions.count() == 2
    staff.post(EDIT, form_input(save="1", seen="2"))
    assert ruling.versions.count() == 3


@pytest.mark.parametrize(
    (("changes", "message")),
    [
        ({"text": " "}, "Text of the ruling"),
        ({"reason": ""}, "Reason for the new version"),
        ({"in_force_from": "2999-01-01"}, "This day is in the future."),
        ({"in_force_from": "yesterday"}, "Enter a valid date."),
        ({"kind": "reference"}, "Select a valid choice."),
        ({"seen": "x"}, "Enter a whole number."),
        ({"source-1-venue": "Vienna"}, "Enter who gave the ruling, or clear this row."),
        ({"source-0-date": "4.5.99"}, "Enter a valid date."),
        ({"source-TOTAL_FORMS": "x"}, "ManagementForm data is missing"),
        ({"source-TOTAL_FORMS": "9999"}, "at most 12"),
    ],
)
def test_invalid_version_keeps_the_input(ruling, staff, changes, message):
    response = staff.post(EDIT, form_input(save="1", **changes))
    html = response.text

    assert response.status_code == 422
    assert message in html
    assert "A trace always fails." in html or changes.get("text") == " "
    assert ruling.versions.count() == 1


def test_browser_line_ends_do_not_make_a_new_version(ruling, staff):
    sources = [RulingSource("Tom Wylie", "", "Rules team", date(1999, 5, 4))]
    write(ruling, "A trace fails.\n\nAlways.", sources=sources, in_force_from=sources[0].date)
    unchanged = form_input(seen="2", text="A trace fails.\r\n\r\nAlways.")

    preview = staff.post(EDIT, {**unchanged, "preview": "1"}).text
    saved = staff.post(EDIT, {**unchanged, "save": "1"})

    assert "Save as version 3" in preview
    assert "<del>" not in preview
    assert (saved.status_code, ruling.versions.count()) == (409, 2)
    assert "Nothing has changed." in saved.text


def test_administrator_sets_superseded_rulings_and_withdrawal(ruling, staff):
    response = staff.post(
        STAND, {"supersedes": "r-0002, dropp-1", "withdrawn_on": "2001-02-03"}, follow=True
    )

    assert response.status_code == 200
    assert [superseded.code for superseded in ruling.supersedes.all()] == ["tracing-2", "dropp-1"]
    ruling.refresh_from_db()
    assert ruling.withdrawn_on == date(2001, 2, 3)
    assert 'value="R-0002, R-0007"' in staff.get(EDIT).text
    staff.post(STAND, {"supersedes": "", "withdrawn_on": ""})
    ruling.refresh_from_db()
    assert (list(ruling.supersedes.all()), ruling.withdrawn_on) == ([], None)


@pytest.mark.parametrize(
    (("codes", "message")),
    [
        ("R-0001", "A ruling cannot supersede itself"),
        ("dropp-2", "Did you mean dropp-1"),
        ("?!", "There is no ruling with the code"),
    ],
)
def test_invalid_superseding_is_refused(ruling, staff, codes, message):
    response = staff.post(STAND, {"supersedes": codes})

    assert response.status_code == 422
    assert message in response.text
    assert list(ruling.supersedes.all()) == []
