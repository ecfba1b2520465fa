"""New versions and new rulings; existing versions never change."""

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


@pytest.fixture
def ruling(small):
    return Ruling.objects.get(code="tracing-1")


@pytest.fixture
def writer(db):
    return User.objects.create_user("writer", is_staff=True)


def write(ruling, writer, **changes):
    said = [RulingSource("Tom Wylie", "", "Rules team", DAY)]
    given = {"seen": 1, "sources": said, "in_force_from": DAY, "by": writer}
    return builders.write(ruling, **{**given, **changes})


def test_new_version_keeps_the_old_version(ruling, writer):
    old = ruling.versions.get()

    new = write(ruling, writer)

    assert (new.number, new.written_by, new.reason) == (2, writer, "Corrected.")
    assert new.in_force_from == DAY
    assert queries.version_sources(new) == (RulingSource("Tom Wylie", "", "Rules team", DAY),)
    old.refresh_from_db()
    assert (old.number, old.text) == (1, "A trace with no bits in it can be successful.")


def test_section_of_the_rules_keeps_its_kind(ruling, writer):
    RulingDocument.objects.update(kind=DocumentKind.REFERENCE)
    Ruling.objects.update(kind=RulingKind.REFERENCE)
    ruling.refresh_from_db()

    write(ruling, writer, kind=RulingKind.RULING)

    ruling.refresh_from_db()
    assert ruling.kind == RulingKind.REFERENCE


def test_the_original_wording_stays_beside_a_better_restatement_alone(ruling, writer):
    ruling.versions.update(original_text="May well succeed.")
    same = queries.version_sources(ruling.versions.get())

    assert write(ruling, writer, sources=same).original_text == "May well succeed."
    assert write(ruling, writer, seen=2).original_text == ""


def test_the_search_finds_the_new_words(ruling, writer):
    write(ruling, writer, text="Zeppelins are slow.")

    assert "zeppelins" in SearchEntry.objects.get(ruling=ruling).body


def test_a_new_version_may_be_of_another_kind(ruling, writer):
    write(ruling, writer, kind=RulingKind.ERRATA)

    assert Ruling.objects.get(code="tracing-1").kind == RulingKind.ERRATA


def test_writer_of_a_stale_version_is_refused(ruling, writer):
    write(ruling, writer)

    with pytest.raises(
        services.WrittenMeanwhile, match="Version 2 was written meanwhile"
    ) as raised:
        write(ruling, writer, text="A trace never fails.")

    assert raised.value.details == {"seen": 1, "now": 2}
    assert ruling.versions.count() == 2


def test_unchanged_version_is_refused(ruling, writer):
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
def test_invalid_version_is_refused(ruling, writer, changes, refusal):
    with pytest.raises(refusal):
        write(ruling, writer, **changes)

    assert ruling.versions.count() == 1


def test_a_new_ruling_gets_a_code_of_its_own(small, writer):
    document = services.get_local_document("onr")
    card = Card.objects.get(slug="dropp")

    first = services.create_local_ruling(document, card=card, text="It drops.", by=writer)
    second = services.create_local_ruling(document, card=card, text="It falls.")

    assert first.short_code != second.short_code
    assert first.code != second.code
    assert (first.number, second.number) == (1, 2)
    assert (first.section, first.subject) == ("runner", card.title)
    assert (first.current.written_by, first.current.in_force_from) == (
        writer,
        timezone.localdate(),
    )
    assert "falls" in SearchEntry.objects.get(ruling=second).body


def test_a_new_ruling_is_stored_with_plain_line_ends(small):
    document = services.get_local_document("onr")

    ruling = services.create_local_ruling(
        document, subject="Slow play", text="One.\r\n\r\nTwo.\r\n"
    )

    assert ruling.current.text == "One.\n\nTwo."


@pytest.mark.parametrize("subject", ["\u7b2c\u4e00", "!!!", "x" * 120, "a" * 79 + " b"])
def test_any_subject_makes_an_address(small, subject):
    ruling = services.create_local_ruling(
        services.get_local_document("onr"), subject=subject, text="So be it."
    )
    services.adopt_ruling(ruling, timezone.now())

    assert Ruling.objects.get(code=ruling.code).subject == subject
    assert queries.rulings_on_subject(ruling.subject_slug, "onr") == [ruling]


def test_a_ruling_without_a_subject_is_refused(small):
    with pytest.raises(services.NoWords, match="Name the card or the topic"):
        services.create_local_ruling(RulingDocument.objects.get(), text="On nothing.")


def test_a_game_has_one_document_of_local_rulings(db):
    first, again = services.get_local_document("anr"), services.get_local_document("anr")

    assert first == again
    assert (first.slug, first.is_local) == ("local-rulings-anr", True)
    assert services.get_local_document("free_radicals").slug == "local-rulings-free-radicals"


def test_rulings_do_not_supersede_each_other_in_a_circle(small):
    one, two, three = Ruling.objects.all()[:3]
    services.set_superseded(two, [one])
    services.set_superseded(three, [two])

    for above, below in ((one, one), (one, two), (one, three)):
        with pytest.raises(services.CannotSupersede):
            services.set_superseded(above, [below])
    assert list(one.supersedes.all()) == []
    services.set_superseded(three, [])
    assert list(three.supersedes.all()) == []


def test_superseding_is_limited_to_the_game_and_to_local_rulings(small):
    general = Ruling.objects.get(code="tracing-1")
    local = services.create_local_ruling(
        services.get_local_document("onr"), subject="Tracing", text="Here."
    )
    other = services.create_local_ruling(
        services.get_local_document("anr"), subject="Tracing", text="There."
    )

    with pytest.raises(services.CannotSupersede, match="another game"):
        services.set_superseded(other, [local])
    with pytest.raises(services.CannotSupersede, match="holds everywhere"):
        services.set_superseded(local, [general])
    services.set_superseded(general, [local])
    assert list(local.superseded_by.all()) == [general]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("subject", "code"),
    [
        ("dice_roll", "local-dice-roll"),
        ("__a_-_b__", "local-a-b"),
        ("_", "local-ruling"),
        ("\u65e5\u672c", "local-ruling"),
    ],
)
def test_any_subject_makes_a_code_with_a_page(subject, code, client):
    document = services.get_local_document("onr")

    ruling = services.create_local_ruling(document, subject=subject, text="No dice.")
    services.adopt_ruling(ruling, timezone.now())

    assert ruling.code.rpartition("-")[0] == code
    assert client.get(ruling.get_absolute_url()).status_code == 200
    assert client.get(ruling.subject_url).status_code == 200
