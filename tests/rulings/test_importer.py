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

ORIGINAL = document_of().encode()


def load_changed(**changes):
    """Load the small digest with a different first ruling."""
    first, *other_rulings = digest_of()
    return importer.load_digest([replace(first, **changes), *other_rulings])


@pytest.fixture
def ruling(small):
    return Ruling.objects.get(code="tracing-1")


class TestShippedDigest:
    @pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
    def test_names_are_resolved(self, cards, client: Client, step: int):
        loaded = importer.load_digest()

        assert (loaded.rulings, loaded.subjects, loaded.created) == (498, 272, 498)
        assert loaded.leading_nowhere == ()
        assert Ruling.objects.exclude(section="general").filter(card=None).count() == 0
        assert Citation.objects.exclude(about="").filter(about_card=None).count() == 0
        addresses = {link.url for link in RulingLink.objects.select_related("card")}
        assert RulingLink.objects.count() == 191
        for address in sorted(addresses)[::step]:
            assert client.get(address).status_code == 200, address

    def test_table_statistics_are_updated(self, cards):
        importer.load_digest()

        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'rulings_ruling'")
            else:
                cursor.execute("SELECT stat FROM sqlite_stat1 WHERE tbl = 'rulings_ruling'")
            assert int(str(cursor.fetchone()[0]).split()[0].removesuffix(".0")) == 498

    def test_second_import_changes_nothing(self, shipped):
        before = contents()

        loaded = importer.load_digest()

        assert (loaded.created, loaded.changed, loaded.new_versions) == (0, 0, 0)
        assert contents() == before

    def test_queries_are_limited(self, cards, django_assert_max_num_queries):
        for limit in (60, 20):
            with django_assert_max_num_queries(limit):
                importer.load_digest()

    def test_manual_superseding_stays(self, shipped):
        reversal, superseded = Ruling.objects.filter(code__in=["lockjaw-1", "joan-of-arc-1"])
        reversal.supersedes.add(superseded)

        importer.load_digest()

        assert list(reversal.supersedes.all()) == [superseded]


class TestChanges:
    def test_text_makes_a_new_version(self, ruling):
        old = ruling.current.text
        loaded = load_changed(text="Zeppelins carry no bits.")

        assert loaded.new_versions == 1
        versions = ruling.versions.order_by("number")
        assert [version.text for version in versions] == [old, "Zeppelins carry no bits."]
        assert [version.citations.count() for version in versions] == [1, 1]
        assert search_rulings("zeppelin").ids == [ruling.pk]
        assert ruling.pk not in search_rulings('"trace with no bits"').ids

    def test_citation_makes_a_new_version(self, ruling):
        source = RulingSource("Tom Wylie", date=date(1997, 8, 26))
        load_changed(sources=(source,))

        newest = ruling.versions.first()
        assert (newest.number, newest.in_force_from) == (2, date(1997, 8, 26))
        assert version_sources(newest) == (source,)

    def test_kind_and_links_make_no_version(self, ruling):
        loaded = load_changed(kind="errata", mentions=("Dr. Dreff", "Ball and Chain"))

        assert (loaded.changed, loaded.new_versions) == (1, 0)
        ruling.refresh_from_db()
        assert ruling.kind == "errata"
        assert [link.name for link in ruling.links.all()] == ["Dr. Dreff", "Ball and Chain"]

    def test_changed_number_is_refused(self, small):
        before = contents()
        first, second, *other_rulings = digest_of()

        with pytest.raises(importer.NumberChanged, match="tracing-1 is number 1"):
            importer.load_digest(
                [replace(first, number=2), replace(second, number=1), *other_rulings]
            )

        assert contents() == before

    def test_new_cards_are_found_by_the_next_import(self, db):
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

    def test_manual_version_and_kind_stay_until_the_digest_changes(self, ruling, admin_user):
        write(ruling, by=admin_user, kind="errata")

        loaded = importer.load_digest(digest_of())
        assert (loaded.changed, loaded.new_versions) == (0, 0)
        assert Ruling.objects.get(pk=ruling.pk).kind == "errata"
        assert load_changed(text="Nothing traces nothing.").new_versions == 1
        assert ruling.versions.first().text == "Nothing traces nothing."


class TestOriginal:
    def test_wording_and_notice_are_added_once(self, small_list):
        importer.load_digest()
        assert RulingDocument.objects.get().notice == ""

        imported = importer.import_original(ORIGINAL)

        assert (imported.rulings, imported.subjects, imported.marked_errata) == (7, 6, 1)
        assert imported.added == 7
        version = RulingVersion.objects.get(ruling__code="dropp-1")
        assert version.original_text.startswith("It breaks all (REVERSEs")
        assert version.text == "All subroutines break, and the run is over."
        assert RulingDocument.objects.get().notice == f"{PREAMBLE}\n\n{CLOSING}"
        before = contents()
        assert importer.import_original(document_of(broken=True).encode()).added == 0
        importer.load_digest()
        assert contents() == before

    def test_preview_matches_the_import(self, small_list):
        counts = attrgetter(
            "created", "new_versions", "rulings", "subjects", "marked_errata", "added"
        )
        for added in (7, 0):
            before = contents()

            preview = importer.import_original(ORIGINAL, preview=True)

            assert contents() == before
            assert preview.added == added
            assert counts(preview) == counts(importer.import_original(ORIGINAL))

        Ruling.objects.filter(number=1).update(number=99)
        with pytest.raises(importer.NumberChanged, match="is number 99"):
            importer.import_original(ORIGINAL, preview=True)

    def test_wording_is_searched_and_inherited_by_new_versions(self, small_list, monkeypatch):
        importer.import_original(ORIGINAL)
        ruling = Ruling.objects.get(code="armadillo-armored-road-home-1")
        changed = [replace(row, text=row.text + " Always.") for row in digest_of()]
        monkeypatch.setattr(importer, "shipped_digest", lambda: changed)

        importer.load_digest()

        assert ruling.versions.count() == 2
        assert ruling.versions.first().original_text.startswith("It rolls.")
        assert ruling.pk in search_rulings("rolls").ids

    def test_damaged_file_writes_nothing(self, small_list):
        with pytest.raises(DamagedDocument):
            importer.import_original(ORIGINAL[:-20])

        assert not RulingDocument.objects.exists()

    def test_manual_decision_gets_no_wording(self, small_list, admin_user):
        importer.load_digest()
        ruling = Ruling.objects.get(code="tracing-1")
        sources = version_sources(ruling.versions.get())
        write(ruling, "In other words.", sources=sources, by=admin_user)
        write(ruling, "In words of our own.", by=admin_user)

        importer.import_original(ORIGINAL)

        versions = ruling.versions.order_by("number")
        assert [bool(version.original_text) for version in versions] == [True, True, False]
        assert importer.import_original(ORIGINAL).added == 0


class TestCommand:
    def test_digest_is_imported(self, cards):
        output = StringIO()

        call_command("import_rulings", stdout=output)

        assert "Rulings: 498 on 272 subjects; created: 498" in output.getvalue()

    def test_second_import_of_the_original_changes_nothing(self, cards, tmp_path):
        path = tmp_path / "rulings.txt"
        path.write_bytes(original_bytes())
        output = StringIO()

        call_command("import_rulings", path, stdout=output)
        assert (
            "The file contains the list Netrunner Rulings: Netrunner Rulings v1.62."
            in output.getvalue()
        )
        assert "Rulings: 498, subjects: 272, marked as errata: 40" in output.getvalue()
        assert "wordings added: 498" in output.getvalue()
        before = contents()
        call_command("import_rulings", path, stdout=output)

        assert "wordings added: 0" in output.getvalue()
        assert contents() == before
        assert RulingVersion.objects.filter(original_text="").count() == 0

    def test_refusal_has_line_and_reason(self, cards, tmp_path):
        path = tmp_path / "rulings.txt"
        path.write_text("Netrunner Rulings, v1.62\n")

        with pytest.raises(CommandError, match='line 2, character 1: the section "General" is'):
            call_command("import_rulings", path)
        path.write_text("Nothing of the kind\n")
        with pytest.raises(CommandError, match="This is not a rulings file"):
            call_command("import_rulings", path)
        with pytest.raises(CommandError, match="No such file"):
            call_command("import_rulings", tmp_path / "none.txt")

        assert not Ruling.objects.exists()
        assert not JudgeNote.objects.exists()
