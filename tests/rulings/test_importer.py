"""Repeated imports of the digest and the original wording."""

from dataclasses import replace
from datetime import date
from io import StringIO
from operator import attrgetter

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from rulings import importer
from rulings.models import Citation, JudgeNote, Ruling, RulingDocument, RulingLink, RulingVersion
from rulings.parsing.records import DamagedDocument, RulingSource
from rulings.queries import version_sources
from rulings.search import search_rulings
from tests.rulings.builders import (
    CLOSING,
    PREAMBLE,
    contents,
    digest_of,
    document_of,
    original_bytes,
    write,
)


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_shipped_digest_is_loaded_without_dangling_names(cards, client: Client, step: int):
    loaded = importer.load_digest()

    assert (loaded.rulings, loaded.subjects, loaded.created) == (498, 272, 498)
    assert loaded.leading_nowhere == ()
    assert Ruling.objects.exclude(section="general").filter(card=None).count() == 0
    assert Citation.objects.exclude(about="").filter(about_card=None).count() == 0
    addresses = {link.url for link in RulingLink.objects.select_related("card")}
    assert RulingLink.objects.count() == 191
    for address in sorted(addresses)[::step]:
        assert client.get(address).status_code == 200, address


def test_import_updates_table_statistics(cards):
    importer.load_digest()

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'rulings_ruling'")
        else:
            cursor.execute("SELECT stat FROM sqlite_stat1 WHERE tbl = 'rulings_ruling'")
        assert int(str(cursor.fetchone()[0]).split()[0].removesuffix(".0")) == 498


def test_a_second_run_changes_nothing(shipped):
    before = contents()

    loaded = importer.load_digest()

    assert (loaded.created, loaded.changed, loaded.new_versions) == (0, 0, 0)
    assert contents() == before


def test_loading_takes_a_fixed_number_of_queries(cards, django_assert_max_num_queries):
    with django_assert_max_num_queries(60):
        importer.load_digest()
    with django_assert_max_num_queries(20):
        importer.load_digest()


def test_a_changed_text_makes_a_new_version_and_keeps_the_old(small):
    changed = [replace(one, text=f"{one.text} Always.") for one in digest_of()[:1]]

    loaded = importer.load_digest(changed + digest_of()[1:])

    assert loaded.new_versions == 1
    versions = Ruling.objects.get(code="tracing-1").versions.order_by("number")
    assert [one.text for one in versions] == [
        "A trace with no bits in it can be successful.",
        "A trace with no bits in it can be successful. Always.",
    ]
    assert [one.citations.count() for one in versions] == [1, 1]


def test_other_citations_make_a_new_version(small):
    source = RulingSource("Tom Wylie", date=date(1997, 8, 26))
    changed = [replace(one, sources=(source,)) for one in digest_of()[:1]] + digest_of()[1:]

    importer.load_digest(changed)

    current = Ruling.objects.get(code="tracing-1").current
    assert current is not None
    assert (current.number, current.in_force_from) == (2, date(1997, 8, 26))
    assert [one.authority for one in current.citations.all()] == ["Tom Wylie"]


def test_search_finds_a_new_version(small):
    assert search_rulings("zeppelin").ids == []
    changed = [replace(one, text="Zeppelins carry no bits.") for one in digest_of()[:1]]

    importer.load_digest(changed + digest_of()[1:])

    ruling = Ruling.objects.get(code="tracing-1")
    assert search_rulings("zeppelin").ids == [ruling.pk]
    assert ruling.pk not in search_rulings('"trace with no bits"').ids


def test_another_kind_or_link_changes_the_ruling_and_no_version(small):
    first, *others = digest_of()
    changed = replace(first, kind="errata", mentions=("Dr. Dreff", "Ball and Chain"))

    loaded = importer.load_digest([changed, *others])

    assert (loaded.changed, loaded.new_versions) == (1, 0)
    ruling = Ruling.objects.get(code="tracing-1")
    assert ruling.kind == "errata"
    assert [link.name for link in ruling.links.all()] == ["Dr. Dreff", "Ball and Chain"]


def test_another_number_is_refused_and_nothing_is_written(small):
    before = contents()
    first, second, *others = digest_of()

    with pytest.raises(importer.NumberChanged, match="tracing-1 is number 1"):
        importer.load_digest([replace(first, number=2), replace(second, number=1), *others])

    assert contents() == before


def test_next_load_finds_new_cards(db):
    loaded = importer.load_digest(digest_of())
    assert loaded.leading_nowhere == ("Pattel Antibody",)
    assert Ruling.objects.filter(card=None).count() == 7

    call_command("import_cards", game="onr", stdout=StringIO())
    loaded = importer.load_digest(digest_of())

    assert loaded.leading_nowhere == ()
    assert loaded.new_versions == 0
    titles = Ruling.objects.exclude(card=None).values_list("card__title", flat=True)
    assert sorted(titles) == [
        '"Armadillo" Armored Road Home',
        "Ball and Chain",
        "Dr. Dreff",
        "Dropp",
    ]


def test_original_wording_is_shown_with_ours(small_list):
    imported = importer.import_original(document_of().encode())

    assert (imported.rulings, imported.subjects, imported.marked_errata) == (7, 6, 1)
    assert imported.added == 7
    version = RulingVersion.objects.get(ruling__code="dropp-1")
    assert version.original_text.startswith("It breaks all (REVERSEs")
    assert version.text == "All subroutines break, and the run is over."


def test_the_original_imported_twice_doubles_nothing(small_list):
    importer.import_original(document_of().encode())
    before = contents()

    imported = importer.import_original(document_of(broken=True).encode())

    assert imported.added == 0
    assert contents() == before


def test_preview_of_the_original_matches_the_import(small_list):
    data = document_of().encode()
    counts = attrgetter("created", "new_versions", "rulings", "subjects", "marked_errata", "added")
    for added in (7, 0):
        before = contents()

        looked = importer.import_original(data, preview=True)

        assert contents() == before
        assert looked.added == added
        assert counts(looked) == counts(importer.import_original(data))


def test_preview_of_the_original_refuses_damaged_files(small_list):
    data = document_of().encode()
    importer.import_original(data)
    Ruling.objects.filter(number=1).update(number=99)

    with pytest.raises(importer.NumberChanged, match="is number 99"):
        importer.import_original(data, preview=True)


def test_the_original_wording_is_searched_too_and_outlives_a_new_version(small_list, monkeypatch):
    importer.import_original(document_of().encode())
    ruling = Ruling.objects.get(code="armadillo-armored-road-home-1")
    changed = [replace(one, text=one.text + " Always.") for one in digest_of()]
    monkeypatch.setattr(importer, "shipped_digest", lambda: changed)

    importer.load_digest()

    assert ruling.versions.count() == 2
    assert ruling.current is not None
    assert ruling.current.original_text.startswith("It rolls.")
    assert ruling.pk in search_rulings("rolls").ids


def test_a_damaged_original_writes_nothing(small_list):
    with pytest.raises(DamagedDocument):
        importer.import_original(document_of()[:-20].encode())

    assert not RulingDocument.objects.exists()


def test_command_loads_the_digest_and_reports_counts(cards):
    out = StringIO()

    call_command("import_rulings", stdout=out)

    assert "Rulings: 498 on 272 subjects; created: 498" in out.getvalue()


def test_the_command_imports_the_original_twice_and_nothing_doubles(cards, tmp_path):
    path = tmp_path / "rulings.txt"
    path.write_bytes(original_bytes())
    out = StringIO()

    call_command("import_rulings", path, stdout=out)
    assert "This is the list Netrunner Rulings: Netrunner Rulings v1.62." in out.getvalue()
    assert (
        "Rulings: 498, subjects: 272, marked as errata: 40, wordings added: 498" in out.getvalue()
    )
    before = contents()
    call_command("import_rulings", path, stdout=out)

    assert "wordings added: 0" in out.getvalue()
    assert contents() == before
    assert RulingVersion.objects.filter(original_text="").count() == 0


def test_command_reports_place_and_reason_of_a_refusal(cards, tmp_path):
    path = tmp_path / "rulings.txt"
    path.write_text("Netrunner Rulings, v1.62\n")

    with pytest.raises(CommandError, match='line 2, character 1: the section "General" is missing'):
        call_command("import_rulings", path)
    path.write_text("Nothing of the kind\n")
    with pytest.raises(CommandError, match="This is not a file of rulings"):
        call_command("import_rulings", path)
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_rulings", tmp_path / "none.txt")

    assert not Ruling.objects.exists()
    assert not JudgeNote.objects.exists()


def test_a_version_written_by_hand_stays_until_the_digest_itself_changes(small, admin_user):
    ruling = Ruling.objects.get(code="tracing-1")
    write(ruling, by=admin_user)

    assert importer.load_digest(digest_of()).new_versions == 0
    first, *others = digest_of()
    loaded = importer.load_digest([replace(first, text="Nothing traces nothing."), *others])

    assert loaded.new_versions == 1
    assert Ruling.objects.get(code="tracing-1").current.text == "Nothing traces nothing."


def test_a_kind_given_by_hand_stays_too(small, admin_user):
    ruling = Ruling.objects.get(code="tracing-1")
    write(ruling, by=admin_user, kind="errata")

    assert importer.load_digest(digest_of()).changed == 0
    assert Ruling.objects.get(code="tracing-1").kind == "errata"


def test_a_decision_written_by_hand_gets_no_wording_of_the_list(small_list, admin_user):
    importer.load_digest()
    ruling = Ruling.objects.get(code="tracing-1")
    write(ruling, "In other words.", sources=version_sources(ruling.versions.get()), by=admin_user)
    write(ruling, "In words of our own.", by=admin_user)

    importer.import_original(document_of().encode())

    wordings = [bool(one.original_text) for one in ruling.versions.order_by("number")]
    assert wordings == [True, True, False]
    assert importer.import_original(document_of().encode()).added == 0


def test_manual_superseding_stays(shipped):
    reversal, other = Ruling.objects.filter(code__in=["lockjaw-1", "joan-of-arc-1"])
    reversal.supersedes.add(other)

    importer.load_digest()

    assert list(reversal.supersedes.all()) == [other]


def test_import_stores_the_notice_with_the_wording(small_list):
    importer.load_digest()
    assert RulingDocument.objects.get().notice == ""

    importer.import_original(document_of(broken=True).encode())

    assert RulingDocument.objects.get().notice == f"{PREAMBLE}\n\n{CLOSING}"
    importer.load_digest()
    assert RulingDocument.objects.get().notice == f"{PREAMBLE}\n\n{CLOSING}"
