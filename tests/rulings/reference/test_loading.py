"""Stored pages of rules: permanent codes, versions, links and search."""

from dataclasses import replace
from datetime import date

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from decks import games
from players.models import User
from rulings import reference, search
from rulings.models import (
    Citation,
    DocumentKind,
    LinkKind,
    Ruling,
    RulingDocument,
    RulingLink,
    RulingVersion,
)
from rulings.reference_importer import load_reference, shipped_pages
from tests.queries import queries_of
from tests.rulings.reference.builders import PAGE, page_of, page_with

pytestmark = pytest.mark.django_db


def codes_found(query: str) -> list[str]:
    ids = search.search_rulings(query).ids
    codes = dict(Ruling.objects.filter(pk__in=ids).values_list("pk", "short_code"))
    return [codes[pk] for pk in ids]


def test_page_becomes_a_document_and_its_sections_rulings(small):
    loaded = load_reference([page_of()])

    document = RulingDocument.objects.get(slug="tea-and-cake")
    assert (document.kind, document.game) == (DocumentKind.REFERENCE, games.ONR.id)
    assert [
        (ruling.place, ruling.heading, ruling.short_code, ruling.code)
        for ruling in document.rulings.all()
    ] == [
        ("1.1", "Pouring", "S-9001", "tea-and-cake-1"),
        ("1.2", "Drinking", "S-9002", "tea-and-cake-2"),
        ("2.1", "Documents disagree: cake", "S-9003", "tea-and-cake-3"),
    ]
    assert (loaded.sections, loaded.created, loaded.new_versions) == (3, 3, 3)
    assert "3 sections on 1 pages" in str(loaded)
    cited = Citation.objects.filter(version__ruling__code="tea-and-cake-1")
    assert [(source.authority, source.venue, source.date) for source in cited] == [
        ("The teapot", "page 3", date(1996, 4, 29)),
        ("The cook", "", None),
    ]


def test_cards_and_subjects_that_a_section_names_are_linked(small):
    loaded = load_reference([page_of()])

    links = RulingLink.objects.filter(ruling__code="tea-and-cake-2").order_by("kind")
    assert [(link.kind, link.name, bool(link.url)) for link in links] == [
        (LinkKind.MENTIONS, "Tycho Extension", True),
        (LinkKind.SEE_ALSO, "Tracing", True),
    ]
    assert loaded.leading_nowhere == ()
    loaded = load_reference([page_of(PAGE.replace("Tycho Extension", "Earl Grey"))])
    assert loaded.leading_nowhere == ("Earl Grey",)


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_links_of_shipped_pages_resolve(client: Client, shipped: None, step: int):
    load_reference()

    links = RulingLink.objects.filter(ruling__document__kind=DocumentKind.REFERENCE)
    addresses = sorted({link.url for link in links.select_related("card", "ruling__document")})
    assert addresses
    for url in addresses[::step]:
        assert client.get(url, follow=True).status_code == 200, url


def test_loading_again_changes_nothing(small):
    load_reference([page_of()])

    second_load = load_reference([page_of()])

    assert (second_load.created, second_load.changed, second_load.new_versions) == (0, 0, 0)
    assert RulingVersion.objects.filter(ruling__document__slug="tea-and-cake").count() == 3


def test_changed_text_is_a_new_version_from_the_day_of_the_page(small):
    load_reference([page_of()])

    text = PAGE.replace("The host pours.", "Anybody pours.").replace("2026-11-21", "2027-01-05")
    loaded = load_reference([page_of(text)])

    newest, first = RulingVersion.objects.filter(ruling__code="tea-and-cake-1")
    assert (loaded.new_versions, newest.number) == (1, 2)
    assert (newest.in_force_from, first.in_force_from) == (date(2027, 1, 5), date(2026, 11, 21))
    assert first.text.startswith("The host pours.")
    # Another source is a new version, too.
    text = text.replace("kitchen door", "kitchen table")
    assert load_reference([page_of(text)]).new_versions == 1


def test_database_refuses_to_change_a_section(small):
    load_reference([page_of()])
    version = RulingVersion.objects.filter(ruling__code="tea-and-cake-1")

    with pytest.raises(IntegrityError), transaction.atomic():
        version.update(text="Nobody pours.")


def test_manual_edit_stays_until_the_file_changes(small):
    load_reference([page_of()])
    ruling = Ruling.objects.get(code="tea-and-cake-1")
    writer = User.objects.create_user("hand")
    RulingVersion.objects.create(
        ruling=ruling, number=2, text="By hand.", written_by=writer, reason="Clearer."
    )

    assert load_reference([page_of()]).new_versions == 0
    loaded = load_reference([page_of(PAGE.replace("The host pours.", "Anybody pours."))])

    assert loaded.new_versions == 1
    assert RulingVersion.objects.filter(ruling=ruling).first().number == 3


def test_dropped_section_is_withdrawn_and_keeps_its_address(small):
    load_reference([page_of()])
    page = page_of()

    load_reference([replace(page, sections=page.sections[1:], date=date(2027, 1, 5))])

    withdrawn = Ruling.objects.get(short_code="S-9001")
    assert (withdrawn.withdrawn_on, withdrawn.number) == (date(2027, 1, 5), 3)
    load_reference([page])
    withdrawn.refresh_from_db()
    assert (withdrawn.withdrawn_on, withdrawn.number) == (None, 1)


def test_sections_in_another_order_keep_their_codes(small):
    load_reference([page_of()])
    page = page_of()
    section_numbers = [section.place for section in page.sections]
    turned = [
        replace(section, place=number)
        for section, number in zip(reversed(page.sections), section_numbers, strict=True)
    ]

    loaded = load_reference([replace(page, sections=tuple(turned))])

    rulings = RulingDocument.objects.get(slug="tea-and-cake").rulings.all()
    assert [ruling.short_code for ruling in rulings] == ["S-9003", "S-9002", "S-9001"]
    assert [ruling.place for ruling in rulings] == section_numbers
    assert loaded.new_versions == 0


def test_renamed_page_stays_the_same_document(small):
    load_reference([page_of()])

    load_reference([page_of(PAGE.replace("title: Tea and cake", "title: Tea, and cake"))])

    assert RulingDocument.objects.get(slug="tea-and-cake").title == "Tea, and cake"
    assert set(
        Ruling.objects.filter(document__slug="tea-and-cake").values_list("subject", flat=True)
    ) == {"Tea, and cake"}


def test_queries_do_not_grow_with_the_sections(small):
    counts = set()
    for sections in (2, 12):
        load_reference([page_with(sections)])
        counts.add(queries_of(load_reference, [page_with(sections)]))

    assert len(counts) == 1


def test_shipped_pages_are_loaded_and_searchable(shipped):
    loaded = load_reference()

    assert loaded.pages == len(shipped_pages())
    assert loaded.leading_nowhere == ()
    assert codes_found("unlimited actions")[0] == "S-0340"
    assert codes_found("loser agenda points disagree")[0] == "S-0210"
    assert "S-1302" in codes_found("merchants turn")
    assert load_reference().new_versions == 0
    codes_named = {
        code
        for page in shipped_pages()
        for section in page.sections
        for code in reference.codes_in(section.text)
    }
    stored = set(
        Ruling.objects.filter(short_code__in=codes_named).values_list("short_code", flat=True)
    )
    assert codes_named == stored
