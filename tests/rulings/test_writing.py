"""New versions and new rulings; existing versions never change."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.utils import timezone

from core.errors import ReasonMissing
from decks.models import Card
from players.models import User
from rulings import queries, services
from rulings.models import DocumentKind, Ruling, RulingDocument, RulingKind, SearchEntry
from rulings.parsing.records import RulingSource
from tests.rulings import builders

DAY = date(1999, 5, 4)
SOURCE = RulingSource("Tom Wylie", "", "Rules team", DAY)


@pytest.fixture
def ruling(small):
    return Ruling.objects.get(code="tracing-1")


@pytest.fixture
def writer(db):
    return User.objects.create_user("writer", is_staff=True)


def write(ruling, writer, **changes):
    defaults = {"seen": 1, "sources": [SOURCE], "in_force_from": DAY, "by": writer}
    return builders.write(ruling, **{**defaults, **changes})


def local_ruling(game="onr", **fields):
    return services.create_local_ruling(services.get_local_document(game), **fields)


class TestWriteVersion:
    def test_old_version_is_unchanged(self, ruling, writer):
        old = ruling.versions.get()

        new = write(ruling, writer, text="Zeppelins are slow.", kind=RulingKind.ERRATA)

        assert (new.number, new.written_by, new.reason) == (2, writer, "Corrected.")
        assert new.in_force_from == DAY
        assert queries.version_sources(new) == (SOURCE,)
        old.refresh_from_db()
        assert (old.number, old.text) == (1, "A trace with no bits in it can be successful.")
        assert Ruling.objects.get(code="tracing-1").kind == RulingKind.ERRATA
        assert "zeppelins" in SearchEntry.objects.get(ruling=ruling).body

    def test_source_about_a_card_links_the_card(self, ruling, writer):
        new = write(ruling, writer, sources=[replace(SOURCE, about="Dropp")])

        citation = new.citations.get()
        assert (citation.about, citation.about_card.slug) == ("Dropp", "dropp")

    def test_section_of_the_rules_keeps_its_kind(self, ruling, writer):
        RulingDocument.objects.update(kind=DocumentKind.REFERENCE)
        Ruling.objects.update(kind=RulingKind.REFERENCE)
        ruling.refresh_from_db()

        write(ruling, writer, kind=RulingKind.RULING)

        ruling.refresh_from_db()
        assert ruling.kind == RulingKind.REFERENCE

    def test_original_wording_stays_with_its_sources(self, ruling, writer):
        ruling.versions.update(original_text="May well succeed.")
        sources = queries.version_sources(ruling.versions.get())

        assert write(ruling, writer, sources=sources).original_text == "May well succeed."
        assert write(ruling, writer, seen=2).original_text == ""

    def test_stale_version_is_refused(self, ruling, writer):
        write(ruling, writer)

        with pytest.raises(services.WrittenMeanwhile, match="Someone saved version 2") as raised:
            write(ruling, writer, text="A trace never fails.")

        assert raised.value.details == {"seen": 1, "now": 2}
        assert ruling.versions.count() == 2

    def test_unchanged_version_is_refused(self, ruling, writer):
        write(ruling, writer)

        with pytest.raises(services.NothingChanged):
            write(ruling, writer, seen=2)
        assert write(ruling, writer, seen=2, in_force_from=DAY - timedelta(days=1)).number == 3

    @pytest.mark.parametrize(
        ("changes", "refusal"),
        [
            ({"text": " \n "}, services.NoWords),
            ({"reason": "  "}, ReasonMissing),
            ({"in_force_from": date(2999, 1, 1)}, services.NotYet),
        ],
    )
    def test_invalid_version_is_refused(self, ruling, writer, changes, refusal):
        with pytest.raises(refusal):
            write(ruling, writer, **changes)

        assert ruling.versions.count() == 1


class TestLocalRuling:
    def test_codes_and_numbers_are_unique(self, small, writer):
        card = Card.objects.get(slug="dropp")

        first = local_ruling(card=card, text="It drops.", by=writer)
        second = local_ruling(card=card, text="It falls.\r\n\r\nAlways.\r\n")

        assert first.short_code != second.short_code
        assert first.code != second.code
        assert (first.number, second.number) == (1, 2)
        assert (first.section, first.subject) == ("runner", card.title)
        assert first.current.written_by == writer
        assert first.current.in_force_from == timezone.localdate()
        assert second.current.text == "It falls.\n\nAlways."
        assert "falls" in SearchEntry.objects.get(ruling=second).body

    @pytest.mark.parametrize(
        ("subject", "code"),
        [
            ("dice_roll", "local-dice-roll"),
            ("__a_-_b__", "local-a-b"),
            ("_", "local-ruling"),
            ("!!!", "local-ruling"),
            ("\u65e5\u672c", "local-ruling"),
            ("x" * 120, "local-" + "x" * 55),
            ("a" * 79 + " b", "local-" + "a" * 55),
        ],
    )
    def test_any_subject_has_a_code_and_pages(self, db, client, subject, code):
        ruling = local_ruling(subject=subject, text="No dice.")
        services.adopt_ruling(ruling, timezone.now())

        assert ruling.code.rpartition("-")[0] == code
        assert Ruling.objects.get(code=ruling.code).subject == subject
        assert queries.rulings_on_subject(ruling.subject_slug, "onr") == [ruling]
        assert client.get(ruling.get_absolute_url()).status_code == 200
        assert client.get(ruling.subject_url).status_code == 200

    def test_subject_is_required(self, small):
        with pytest.raises(services.NoWords, match="Name the card or topic"):
            local_ruling(text="On nothing.")

    def test_each_game_has_one_local_document(self, db):
        first, second_call = services.get_local_document("anr"), services.get_local_document("anr")

        assert first == second_call
        assert (first.slug, first.is_local) == ("local-rulings-anr", True)
        assert services.get_local_document("free_radicals").slug == "local-rulings-free-radicals"


class TestSupersede:
    def test_circular_superseding_is_refused(self, small):
        first, second, third = Ruling.objects.all()[:3]
        services.set_superseded(second, [first])
        services.set_superseded(third, [second])

        for superseded in (first, second, third):
            with pytest.raises(services.CannotSupersede):
                services.set_superseded(first, [superseded])
        assert list(first.supersedes.all()) == []
        services.set_superseded(third, [])
        assert list(third.supersedes.all()) == []

    def test_other_games_and_general_rulings_are_refused(self, small):
        general = Ruling.objects.get(code="tracing-1")
        local = local_ruling(subject="Tracing", text="Here.")
        other_game_ruling = local_ruling("anr", subject="Tracing", text="There.")

        with pytest.raises(services.CannotSupersede, match="another game"):
            services.set_superseded(other_game_ruling, [local])
        with pytest.raises(services.CannotSupersede, match="applies everywhere"):
            services.set_superseded(local, [general])
        services.set_superseded(general, [local])
        assert list(local.superseded_by.all()) == [general]
