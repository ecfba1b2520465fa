"""Import the pages of the rules reference: a document per page, a ruling per section.

Idempotent. Codes are permanent: a changed text becomes a new version. A section removed from its
page is withdrawn and stays at its address.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.db import transaction

from core.text import comparison_key
from rulings import importer, queries, reference
from rulings.importer import LinkValues, set_fields
from rulings.models import (
    Citation,
    DocumentKind,
    LinkKind,
    Ruling,
    RulingDocument,
    RulingKind,
    RulingVersion,
)
from rulings.models import RulingSection as ListSection
from rulings.reference import ReferencePage, ReferenceSection

PAGES_FOLDER = Path(__file__).parent / "data" / "reference"


@dataclass(frozen=True)
class ReferenceImport:
    pages: int
    sections: int
    created: int
    changed: int
    new_versions: int
    # Unknown card names.
    leading_nowhere: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"Rules reference: {self.sections} sections on {self.pages} pages; "
            f"created: {self.created}, changed: {self.changed}, "
            f"new versions: {self.new_versions}."
        )


@cache
def shipped_pages() -> tuple[ReferencePage, ...]:
    pages = (reference.read_page(file.read_text("utf-8")) for file in PAGES_FOLDER.glob("*.md"))
    return tuple(sorted(pages, key=lambda page: page.first))


@transaction.atomic
def load_reference(pages: Sequence[ReferencePage] | None = None) -> ReferenceImport:
    """Update the tables from the pages (default: the shipped pages).

    Manual edits on the site stay until the file changes. Load the lists first, so that references
    in sections can be resolved.
    """
    pages = shipped_pages() if pages is None else pages
    owners = {section.short_code: page for page in pages for section in page.sections}
    created = changed = new_versions = 0
    nowhere: set[str] = set()
    for page in pages:
        writer = _PageWriter(page, owners)
        new, updated = writer.write_rulings()
        created, changed = created + new, changed + updated
        new_versions += writer.write_versions()
        nowhere.update(writer.write_links())
        importer.update_search_entries_after_import(writer.document)
    return ReferenceImport(
        len(pages), len(owners), created, changed, new_versions, tuple(sorted(nowhere))
    )


class _PageWriter:
    def __init__(self, page: ReferencePage, owners: Mapping[str, ReferencePage]) -> None:
        self.page = page
        self.owners = owners
        self.document = _lock_page_document(page)
        self.known = {ruling.code: ruling for ruling in self.document.rulings.all()}
        self.sections = {page.code_of(section): section for section in page.sections}

    def write_rulings(self) -> tuple[int, int]:
        # Removed sections come after those of the page.
        removed = [code for code in self.known if code not in self.sections]
        codes = enumerate([*self.sections, *removed], start=1)
        fields = {code: self._fields(number, code) for number, code in codes}
        short_codes = {code: section.short_code for code, section in self.sections.items()}
        self.known, created, changed = importer.store_rulings(
            self.document, self.known, fields, short_codes
        )
        return created, changed

    def _fields(self, number: int, code: str) -> dict[str, Any]:
        section, before = self.sections.get(code), self.known.get(code)
        gone = None if section else (before and before.withdrawn_on) or self.page.date
        # A removed section retains its place and heading.
        latest = section or before
        assert latest is not None
        return {
            "number": number,
            "subject": self.page.title,
            "subject_key": comparison_key(self.page.title),
            "subject_slug": self.page.slug,
            "section": ListSection.GENERAL,
            "kind": RulingKind.REFERENCE,
            "place": latest.place,
            "heading": latest.heading,
            "withdrawn_on": gone,
        }

    def write_versions(self) -> int:
        """Compare with the newest imported version, so that manual edits stay."""
        written = importer.versions_of(self.document)
        new: list[tuple[RulingVersion, ReferenceSection]] = []
        for code, section in self.sections.items():
            ruling = self.known[code]
            versions = written.get(ruling.pk, [])
            imported = next(filter(importer.is_imported, versions), None)
            if imported is None or (imported.text, queries.version_sources(imported)) != (
                section.text,
                section.sources,
            ):
                number = versions[0].number + 1 if versions else 1
                version = RulingVersion(
                    ruling=ruling, number=number, text=section.text, in_force_from=self.page.date
                )
                new.append((version, section))
        RulingVersion.objects.bulk_create(version for version, _ in new)
        Citation.objects.bulk_create(
            citation
            for version, section in new
            for citation in importer.new_citations(version, section.sources)
        )
        return len(new)

    def write_links(self) -> tuple[str, ...]:
        """Link the cards named in sections, and the subjects and pages of cited codes."""
        names = importer.names_in_game(self.page.game, {})
        codes = {
            code for section in self.page.sections for code in reference.codes_in(section.text)
        }
        rulings = Ruling.objects.filter(short_code__in=codes, document__game=self.page.game)
        cited = {ruling.short_code: ruling for ruling in rulings}
        links: dict[int, list[LinkValues]] = {}
        for code, section in self.sections.items():
            links[self.known[code].pk] = [
                *(
                    (LinkKind.MENTIONS.value, position, name, "", names.card_id(name))
                    for position, name in enumerate(section.cards, start=1)
                ),
                *self._see_also_links(section, cited),
            ]
        return importer.replace_links(links)

    def _see_also_links(
        self, section: ReferenceSection, cited: Mapping[str, Ruling]
    ) -> Iterator[LinkValues]:
        subjects: dict[str, tuple[str, int | None]] = {}
        for code in reference.codes_in(section.text):
            owner = self.owners.get(code)
            # Links stay within a game; a code in the text may refer to any game.
            if owner and owner.game == self.page.game:
                subjects[owner.slug] = (owner.title, None)
            elif ruling := cited.get(code):
                subjects[ruling.subject_slug] = (ruling.subject, ruling.card_id)
        subjects.pop(self.page.slug, None)
        for position, (slug, (name, card_id)) in enumerate(subjects.items(), start=1):
            yield LinkKind.SEE_ALSO.value, position, name, slug, card_id


def _lock_page_document(page: ReferencePage) -> RulingDocument:
    # The lock serialises concurrent imports.
    fields = {"title": page.title, "edition": page.edition, "published_on": page.date}
    document, _ = RulingDocument.objects.select_for_update().get_or_create(
        slug=page.slug,
        defaults={"game": page.game, "kind": DocumentKind.REFERENCE, **fields},
    )
    if set_fields(document, fields):
        document.save(update_fields=list(fields))
    return document
