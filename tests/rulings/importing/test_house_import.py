"""Stored house rulings: permanent codes, and versions of changes."""

from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rulings.house_rulings import RulingsImportReport, import_file
from rulings.models import Ruling, RulingDocument, RulingVersion
from rulings.parsing.records import RulingSource
from rulings.search import search_rulings
from tests.rulings.builders import contents, write
from tests.rulings.importing.builders import (
    FIRST,
    LASTS,
    TALK,
    TWICE,
    house,
    load,
    texts,
)

pytestmark = pytest.mark.django_db


def test_file_becomes_a_document_of_rulings(small):
    report = load(*FIRST)

    assert report.counts == {
        "created": 3,
        "new versions": 0,
        "back again": 0,
        "withdrawn": 0,
        "unchanged": 0,
    }
    document = RulingDocument.objects.get(slug="tuesday-league")
    assert (document.kind, document.published_on) == ("house", date(2026, 5, 1))
    rulings = list(document.rulings.order_by("number"))
    assert [(ruling.code, ruling.short_code, ruling.section) for ruling in rulings] == [
        ("tuesday-league-lockjaw-1", "R-1001", "runner"),
        ("tuesday-league-lockjaw-2", "R-1002", "runner"),
        ("tuesday-league-table-talk-1", "R-1003", "general"),
    ]
    assert [ruling.card and ruling.card.title for ruling in rulings] == ["Lockjaw", "Lockjaw", None]
    assert rulings[0].current.in_force_from == date(2026, 5, 1)


def test_card_and_topic_of_the_list_keep_their_subject(small):
    load("## dropp", "- It breaks.", "## Tracing", "- It traces.")

    dropp, tracing = Ruling.objects.filter(document__kind="house").order_by("number")
    assert (dropp.subject, dropp.card.title) == ("Dropp", "Dropp")
    assert (tracing.subject_slug, tracing.card) == ("tracing", None)


def test_same_rulings_in_any_order_change_nothing(small):
    load(*FIRST)
    before = contents()

    report = load(*FIRST)

    assert report.is_empty
    assert report.counts["unchanged"] == 3
    assert contents() == before
    load("## Topic: Table talk", f"- {TALK}", "## Lockjaw", f"- {TWICE}", f"- {LASTS}")
    assert contents()[1:] == before[1:]


def test_changed_text_is_a_new_version_from_the_day_of_the_file(small):
    load(*FIRST)

    longer = LASTS.replace("run.", "run, as printed.")
    report = load("## Lockjaw", f"- {longer}", *FIRST[2:], day="2026-06-01")

    assert report.counts["new versions"] == 1
    assert texts("tuesday-league-lockjaw-1") == [LASTS, longer]
    newest = RulingVersion.objects.get(ruling__code="tuesday-league-lockjaw-1", number=2)
    assert newest.in_force_from == date(2026, 6, 1)
    assert newest.reason == "Imported: Tuesday league"
    assert search_rulings("printed").ids == [newest.ruling_id]


def test_change_without_a_new_date_applies_from_today(small):
    load(*FIRST)

    load("## Lockjaw", f"- {LASTS} Always.", *FIRST[2:])

    newest = RulingVersion.objects.get(ruling__code="tuesday-league-lockjaw-1", number=2)
    assert newest.in_force_from == timezone.localdate()


def test_removed_ruling_is_withdrawn_and_returns_as_a_new_version(small):
    load(*FIRST)
    without_ruling = load("## Lockjaw", f"- {LASTS}", f"- {TWICE}", day="2026-06-01")

    assert [change.code for change in without_ruling.changes] == ["tuesday-league-table-talk-1"]
    talk = Ruling.objects.get(code="tuesday-league-table-talk-1")
    assert talk.withdrawn_on == date(2026, 6, 1)

    restored = load(*FIRST, day="2026-07-01")

    assert restored.counts["back again"] == 1
    talk.refresh_from_db()
    assert talk.withdrawn_on is None
    assert texts(talk.code) == [TALK, TALK]
    assert talk.versions.get(number=2).in_force_from == date(2026, 7, 1)


def test_code_is_never_reused(small):
    load(*FIRST)
    load("## Lockjaw", f"- {LASTS}", day="2026-06-01")

    load("## Lockjaw", f"- {LASTS}", "- Elephants carry no bits whatever.", day="2026-07-01")

    assert texts("tuesday-league-lockjaw-2") == [TWICE]
    assert texts("tuesday-league-lockjaw-3") == ["Elephants carry no bits whatever."]
    assert Ruling.objects.get(code="tuesday-league-lockjaw-3").short_code == "R-1004"


def test_all_fields_are_stored(small):
    load(
        "## Lockjaw",
        f"- {LASTS}",
        "  - authority: Jo Field",
        "  - venue: Boston",
        "  - date: 2026-04-30",
        "  - kind: errata",
        "  - id: lockjaw-house-1",
        "  - supersedes: r-0007, Tracing-1",
        "  - cards: Dropp; Dr. Dreff",
        "  - topics: Public Looks",
    )

    ruling = Ruling.objects.get(code="lockjaw-house-1")
    assert (ruling.kind, ruling.reverses) == ("errata", True)
    assert sorted(row.code for row in ruling.supersedes.all()) == ["dropp-1", "tracing-1"]
    links = [(link.kind, link.name, bool(link.card)) for link in ruling.links.all()]
    assert links == [
        ("about", "Dropp", True),
        ("about", "Dr. Dreff", True),
        ("about", "Public Looks", False),
    ]
    source = ruling.current.citations.get()
    assert (source.authority, source.venue) == ("Jo Field", "Boston")
    assert ruling.current.in_force_from == date(2026, 4, 30)
    for typed in ("R-1001", "lockjaw house", "dreff"):
        assert ruling.pk in search_rulings(typed).ids
    load("## Lockjaw", f"- {LASTS}", "  - id: lockjaw-house-1", "  - supersedes: tracing-2")
    assert [row.code for row in ruling.supersedes.all()] == ["tracing-2"]


def test_preview_matches_the_import_and_writes_nothing(small):
    before = contents()

    with CaptureQueriesContext(connection) as queries:
        preview = load(*FIRST, preview=True)

    assert {query["sql"].split()[0] for query in queries} == {"SELECT"}
    assert contents() == before
    assert [change.subject for change in preview.changes] == ["Lockjaw", "Lockjaw", "Table talk"]
    editions = ((FIRST, "05"), (("## Lockjaw", f"- {LASTS} Really."), "06"), (FIRST, "07"))
    for body, month in editions:
        rows, day = versions_and_withdrawn(), f"2026-{month}-01"
        preview = load(*body, day=day, preview=True)

        assert preview == load(*body, day=day)
        assert expected(preview) == written_since(rows)


def versions_and_withdrawn() -> tuple[set[tuple[int, str]], set[str]]:
    withdrawn = Ruling.objects.exclude(withdrawn_on=None).values_list("code", flat=True)
    return set(RulingVersion.objects.values_list("pk", "ruling__code")), set(withdrawn)


def written_since(rows: tuple[set[tuple[int, str]], set[str]]) -> tuple[set[str], set[str]]:
    """Codes of rulings with a new version, and of those now withdrawn."""
    versions, withdrawn = versions_and_withdrawn()
    return {code for _, code in versions - rows[0]}, withdrawn - rows[1]


def expected(preview: RulingsImportReport) -> tuple[set[str], set[str]]:
    withdrawn = {change.code for change in preview.changes if change.what == "withdrawn"}
    return {change.code for change in preview.changes} - withdrawn, withdrawn


def test_manual_version_stays_until_the_file_changes(small, admin_user):
    load(*FIRST)
    ruling = Ruling.objects.get(code="tuesday-league-lockjaw-1")
    write(ruling, "Lockjaw lasts for ever.", by=admin_user)

    assert load(*FIRST, day="2026-06-01").is_empty
    load("## Lockjaw", f"- {LASTS} Really.", *FIRST[2:], day="2026-07-01")

    assert texts(ruling.code)[2] == f"{LASTS} Really."


def test_import_of_an_export_changes_nothing(small, tmp_path):
    load(
        *FIRST,
        "  - authority: Jo Field",
        "  - supersedes: R-0007",
        "  - cards: Dropp",
        "  - topics: Tracing",
    )
    before = contents()
    for form in ("markdown", "jsonl"):
        output = StringIO()
        call_command("export_rulings", "tuesday-league", format=form, stdout=output)
        path = tmp_path / form
        path.write_text(output.getvalue(), "utf-8")

        call_command("import_rulings", path, stdout=StringIO())

        assert contents() == before
        assert "tuesday-league-table-talk-1" in output.getvalue()


def test_manual_source_stays_as_long_as_the_text_is_unchanged(small, tmp_path, admin_user):
    load("## Lockjaw", f"- {LASTS}", "  - authority: Jo Field")
    ruling = Ruling.objects.get(code="tuesday-league-lockjaw-1")
    sources = (RulingSource("Jo Field"), RulingSource("Ann Reed", venue="Boston"))
    write(ruling, f"{LASTS}\r\nReally.", sources=sources, by=admin_user)
    before = contents()
    output = StringIO()
    call_command("export_rulings", "tuesday-league", stdout=output)

    assert import_file(output.getvalue().encode()).is_empty
    assert contents() == before


def test_only_house_rulings_are_exported(small):
    with pytest.raises(CommandError, match="Known documents: none"):
        call_command("export_rulings", "netrunner-rulings-v1-62")


def test_queries_are_limited(small, django_assert_max_num_queries):
    def body(count: int) -> list[str]:
        return ["## Lockjaw", *(f"- Number {n} of the rulings on it." for n in range(count))]

    load(*body(2))
    with django_assert_max_num_queries(60):
        load(*body(100))


def test_command_reports_import_and_preview(small, tmp_path):
    path = tmp_path / "house.md"
    path.write_bytes(house(*FIRST))
    output = StringIO()

    call_command("import_rulings", path, preview=True, stdout=output)
    assert not RulingDocument.objects.filter(kind="house").exists()
    assert "The file contains house rulings: Tuesday league." in output.getvalue()
    assert "Nothing was written." in output.getvalue()
    call_command("import_rulings", path, stdout=output)

    assert "created: R-1001 Lockjaw" in output.getvalue()
    assert "Created: 3, new versions: 0" in output.getvalue()
    with pytest.raises(CommandError, match="requires a FILE"):
        call_command("import_rulings", preview=True)


def test_topic_with_punctuation_gets_a_code(small):
    load("## Topic: Dice_roll - again", "- No dice.")

    assert texts("tuesday-league-dice-roll-again-1") == ["No dice."]
