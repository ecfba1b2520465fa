"""Faults of house rulings are reported with their lines, and nothing is written."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from rulings.house_rulings import import_file
from rulings.services import get_local_document
from tests.rulings.builders import contents
from tests.rulings.importing.builders import (
    FIRST,
    LASTS,
    house,
    load,
    refusal,
)

pytestmark = pytest.mark.django_db

CIRCLE = (
    "## Lockjaw",
    "- So.",
    "  - id: a-1",
    "  - supersedes: a-2",
    "- No.",
    "  - id: a-2",
    "  - supersedes: a-1",
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (("## Lokjaw", "- So."), 'line 6: "Lokjaw" is neither a card nor a known topic. Nearest'),
        (("## Lokjaw", "- So."), '"Lockjaw"'),
        (("## Card: Lokjaw", "- So."), 'line 6: there is no card "Lokjaw". Nearest titles: "Lock'),
        (("## Lockjaw", "- So.", "  - cards: Lokjaw"), 'there is no card "Lokjaw". Nearest'),
        (("## Lockjaw", "- So.", "  - topics: Talk"), 'there is no topic "Talk"'),
        (("## Lockjaw", "- So.", "  - supersedes: R-0999"), "there is no ruling R-0999"),
        (("## Lockjaw", "- So.", "  - id: tracing-1"), "belongs to a ruling in Netrunner Rulings"),
        (
            ("## Lockjaw", "- So.", "  - id: a-1", "  - supersedes: a-1"),
            "it supersedes itself. Remove",
        ),
        (CIRCLE, "it supersedes itself through other rulings"),
        (
            ("## Lockjaw", "- So.", "  - authority: Jo", "  - date: 2200-01-01"),
            "the date 2200-01-01 is in the future",
        ),
    ],
)
def test_unknown_name_is_refused_with_its_line(small, body, expected):
    before = contents()

    refusal_ = refusal(house(*body))

    assert any(expected in reason for reason in refusal_.reasons), refusal_.reasons
    assert all(reason.startswith(("line 6", "line 9")) for reason in refusal_.reasons)
    assert contents() == before


def test_all_unknown_names_are_reported_together(small):
    refusal_ = refusal(house("## Lokjaw", "- So.", "## Clook", "- No."))

    assert [reason.split(":")[0] for reason in refusal_.reasons] == ["line 6", "line 8"]


def test_unknown_names_are_reported_with_syntax_faults(small):
    refusal_ = refusal(house("## Lokjaw", "- So.", "  - colour: red", "no", "## Lockjaw", "- Yes."))

    assert [reason.split(":")[0] for reason in refusal_.reasons] == ["line 6", "line 7", "line 8"]


def test_refusal_without_cards_explains_the_import(db):
    assert "Import the cards first" in refusal(house("## Lockjaw", "- So.")).reasons[0]


def test_older_edition_and_the_id_of_another_document_are_refused(small):
    load(*FIRST, day="2026-06-01")

    assert "the edition of 2026-06-01 has already been imported" in str(
        refusal(house(*FIRST, day="2026-05-01"))
    )
    other_document = house(*FIRST, id="netrunner-rulings-v1-62")
    assert 'belongs to "Netrunner Rulings"' in str(refusal(other_document))
    tomorrow = timezone.localdate() + timedelta(days=1)
    assert "is in the future" in str(refusal(house(*FIRST, day=tomorrow.isoformat())))


def test_command_shows_each_fault_and_its_remedy(small, tmp_path):
    path = tmp_path / "house.md"
    path.write_bytes(house("## Lokjaw", "- So.", "## Clook", "- No."))

    with pytest.raises(CommandError) as caught:
        call_command("import_rulings", path)

    message = str(caught.value)
    assert "This was read as house rulings." in message
    assert "line 6: " in message
    assert "line 8: " in message
    assert "Nothing was written." in message


@pytest.mark.parametrize(
    "head", ["title: Local rulings: onr", "title: Talk\nid: local-rulings-onr"]
)
def test_document_of_head_judges_cannot_be_imported(small, head):
    data = house("## Lockjaw", f"- {LASTS}").replace(b"title: Tuesday league", head.encode())

    assert 'the id "local-rulings-onr" is reserved for local rulings' in str(refusal(data))
    assert get_local_document("onr").is_local


@pytest.mark.parametrize("before", [False, True])
def test_two_documents_do_not_share_a_name(small, before):
    load(*FIRST)
    if before:
        import_file(house("## Lockjaw", f"- {LASTS}", id="other", edition="2"))

    message = str(refusal(house("## Lockjaw", f"- {LASTS}", id="other")))

    assert 'already exists with the id "tuesday-league"' in message
