"""Import the pages of the rules reference: a document per page, a ruling per section.

Idempotent. Codes are permanent: a changed text becomes a new version. A section removed from its
page is withdrawn and stays at its address.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.db import transaction
from django.db.models import F

from core.text import comparison_key
from decks import games
from rulings import importer, reference
from rulings.importer import CardAndSubjectNames, LinkValues, set_fields
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

PAGES_FOLDER = Path(__file__).parent / "data" / "reference"
# Temporary offset for reordering, because numbers are unique within a page.
NUMBER_OFFSET = 10_000
BATCH = 100  # rows in one statement


@dataclass(frozen=True)
class ReferenceImport:
    """`leading_nowhere` are unknown card names."""

    pages: int
    sections: int
    created: int = 0
    changed: int = 0
    new_versions: int = 0
    leading_nowhere: tuple[str, ...] = ()

    def __str__(self) -> str:
        return (
            f"Rules reference: {self.sections} sections on {self.pages} pages; "
            f"created: {self.created}, changed: {self.changed}, "
            f"new versions: {self.new_versions}."
        )


@cache
def shipped_pages() -> tuple[reference.ReferencePage, ...]:
    """Load the shipped pages, ordered by the number of their codes."""
    files = sorted(PAGES_FOLDER.glob("*.md"))
    pages = [
        reference.read_page(file.read_text("utf-8"), file.stem, list(games.GAMES)) for file in files
    ]
    reference.check_pages(pages)
    return tuple(sorted(pages, key=lambda page: page.first))


@transaction.atomic
def load_reference(pages: Sequence[reference.ReferencePage] | None = None) -> ReferenceImport:
    """Update the tables from the pages (default: the shipped pages).

    Manual edits on the site stay until the file changes. Load the lists first, so that references
    in sections can be resolved.
    """
    pages = shipped_pages() if pages is None else pages
    reference.check_pages(pages)
    owners = {section.short_code: page for page in pages for section in page.sections}
    loaded = [_PageImport(page, owners).write() for page in pages]
    nowhere = {name for page in loaded for name in page.leading_nowhere}
    return ReferenceImport(
        pages=len(pages),
        sections=sum(page.sections for page in loaded),
        created=sum(page.created for page in loaded),
        changed=sum(page.changed for page in loaded),
        new_versions=sum(page.new_versions for page in loaded),
        leading_nowhere=tuple(sorted(nowhere)),
    )


class _PageImport:
    def __init__(
        self, page: reference.ReferencePage, owners: Mapping[str, reference.ReferencePage]
    ) -> None:
        self.page = page
        self.owners = owners
        self.document = _lock_page_document(page)
        self.known = {ruling.code: ruling for ruling in self.document.rulings.all()}
        self.sections = {page.code_of(section): section for section in page.sections}

    def write(self) -> ReferenceImport:
        created, changed = self._write_rulings()
        new_versions = self._write_versions()
        rulings = {section: self.known[code] for code, section in self.sections.items()}
        nowhere = self._write_links(rulings)
        importer.update_search_entries_after_import(self.document)
        return ReferenceImport(
            1, len(self.sections), created, changed, new_versions, leading_nowhere=nowhere
        )

    def _write_rulings(self) -> tuple[int, int]:
        # Removed sections come after those of the page.
        removed = [code for code in self.known if code not in self.sections]
        codes = enumerate([*self.sections, *removed], start=1)
        wanted = {code: self._fields(number, code) for number, code in codes}
        new = [
            Ruling(
                document=self.document,
                code=code,
                short_code=self.sections[code].short_code,
                **fields,
            )
            for code, fields in wanted.items()
            if code not in self.known
        ]
        numbers = {code: ruling.number for code, ruling in self.known.items()}
        changed = [
            ruling for code, ruling in self.known.items() if set_fields(ruling, wanted[code])
        ]
        if any(numbers[ruling.code] != ruling.number for ruling in changed):
            self.document.rulings.update(number=F("number") + NUMBER_OFFSET)
            changed = list(self.known.values())
        if changed:
            fields = list(wanted[changed[0].code])
            Ruling.objects.bulk_update(changed, fields, batch_size=BATCH)
        Ruling.objects.bulk_create(new)
        self.known |= {ruling.code: ruling for ruling in new}
        return len(new), len(changed)

    def _fields(self, number: int, code: str) -> dict[str, object]:
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

    def _write_versions(self) -> int:
        newest, ours = self._newest_versions()
        new: list[tuple[RulingVersion, reference.ReferenceSection]] = []
        for code, section in self.sections.items():
            ruling = self.known[code]
            before = ours.get(ruling.pk)
            if before and (before.text, _stored_sources(before)) == (section.text, section.sources):
                continue
            number = newest.get(ruling.pk, 0) + 1
            version = RulingVersion(
                ruling=ruling, number=number, text=section.text, in_force_from=self.page.date
            )
            new.append((version, section))
        RulingVersion.objects.bulk_create(version for version, _ in new)
        Citation.objects.bulk_create(
            Citation(
                version=version,
                position=position,
                authority=source.document,
                venue=source.place,
                date=source.date,
            )
            for version, section in new
            for position, source in enumerate(section.sources, start=1)
        )
        return len(new)

    def _write_links(self, rulings: Mapping[reference.ReferenceSection, Ruling]) -> tuple[str, ...]:
        # To the cards named in sections, and to the subjects and pages of cited codes.
        cards = importer.names_in_digest([], self.page.game)
        codes = {code for section in rulings for code in reference.codes_in(section.text)}
        found = Ruling.objects.filter(short_code__in=codes, document__game=self.page.game)
        named = {ruling.short_code: ruling for ruling in found}
        return importer.replace_links(
            {
                ruling.pk: list(self._links_of(section, cards, named))
                for section, ruling in rulings.items()
            }
        )

    def _links_of(
        self,
        section: reference.ReferenceSection,
        cards: CardAndSubjectNames,
        named: Mapping[str, Ruling],
    ) -> Iterator[LinkValues]:
        for position, name in enumerate(section.cards, start=1):
            yield LinkKind.MENTIONS.value, position, name, "", cards.card_id(name)
        subjects: dict[str, tuple[str, int | None]] = {}
        for code in reference.codes_in(section.text):
            owner = self.owners.get(code)
            # Links stay within a game; a code in the text may refer to any game.
            if owner and owner.game == self.page.game:
                subjects[owner.slug] = (owner.title, None)
            elif ruling := named.get(code):
                subjects[ruling.subject_slug] = (ruling.subject, ruling.card_id)
        subjects.pop(self.page.slug, None)
        for position, (slug, (name, card_id)) in enumerate(subjects.items(), start=1):
            yield LinkKind.SEE_ALSO.value, position, name, slug, card_id

    def _newest_versions(self) -> tuple[dict[int, int], dict[int, RulingVersion]]:
        # By ruling, the highest version number and the newest imported version.
        newest: dict[int, int] = {}
        ours: dict[int, RulingVersion] = {}
        versions = RulingVersion.objects.filter(ruling__document=self.document)
        for version in versions.order_by("number").prefetch_related("citations"):
            newest[version.ruling_id] = version.number
            # Manual edits always have a reason.
            if version.written_by_id is None and not version.reason:
                ours[version.ruling_id] = version
        return newest, ours


def _lock_page_document(page: reference.ReferencePage) -> RulingDocument:
    # The lock serialises concurrent imports.
    fields = {"title": page.title, "edition": page.edition, "published_on": page.date}
    document, _ = RulingDocument.objects.select_for_update().get_or_create(
        slug=page.slug,
        defaults={"game": page.game, "kind": DocumentKind.REFERENCE, **fields},
    )
    if set_fields(document, fields):
        document.save(update_fields=list(fields))
    return document


def _stored_sources(version: RulingVersion) -> tuple[reference.SourceLine, ...]:
    return tuple(
        reference.SourceLine(citation.authority, citation.venue, citation.date)
        for citation in version.citations.all()
    )
