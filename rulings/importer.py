"""Import of the shipped digest and the original document. Both are idempotent."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import F, Model
from django.utils.text import slugify
from django.utils.translation import gettext

from core import database
from core.errors import Refusal
from core.text import comparison_key
from decks import games
from decks.models import Card, CardAlias
from players.models import User
from rulings import queries
from rulings.models import (
    Citation,
    LinkKind,
    Ruling,
    RulingDocument,
    RulingLink,
    RulingVersion,
    SearchEntry,
)
from rulings.parsing.digest import (
    DocumentFacts,
    Reversal,
    read_digest,
    read_document_facts,
    read_reversals,
)
from rulings.parsing.house import normalised_paragraphs
from rulings.parsing.original import read_notice, read_original
from rulings.parsing.records import DigestRuling, OriginalRuling, RulingSource
from rulings.words import folded_words, squeezed_words

DATA_FOLDER = Path(__file__).parent / "data"
BATCH_SIZE = 100  # rows in a statement
# Temporary offset for reordering.
NUMBER_OFFSET = 10_000


@dataclass(frozen=True)
class DigestImport:
    rulings: int
    subjects: int
    created: int
    changed: int
    new_versions: int
    # Names without a card or subject.
    leading_nowhere: tuple[str, ...]


@dataclass(frozen=True)
class OriginalImport:
    document: RulingDocument
    created: int
    new_versions: int
    rulings: int
    subjects: int
    marked_errata: int
    added: int


@cache
def shipped_digest() -> tuple[DigestRuling, ...]:
    return tuple(read_digest((DATA_FOLDER / "rulings_onr_digest.jsonl").read_text("utf-8")))


@cache
def shipped_facts() -> DocumentFacts:
    return read_document_facts((DATA_FOLDER / "rulings_onr_document.json").read_text("utf-8"))


@cache
def shipped_reversals() -> tuple[Reversal, ...]:
    text = (DATA_FOLDER / "rulings_onr_reversals.json").read_text("utf-8")
    return tuple(read_reversals(text))


@transaction.atomic
def load_digest(digest: Sequence[DigestRuling] | None = None) -> DigestImport:
    """Update the tables from the digest (default: the shipped digest).

    A changed text or citation of a known ruling creates a new version; existing versions are never
    changed. A version written by hand stays the newest until the digest itself changes. Rulings
    that were removed from the digest are not deleted. Cards are found by title and alias, so run
    this again after a card import. Raises NumberChanged.
    """
    digest = shipped_digest() if digest is None else digest
    document = _lock_list_document(shipped_facts())
    subjects = {comparison_key(entry.subject): entry.subject_slug for entry in digest}
    names = names_in_game(document.game, subjects)
    rulings, created, changed = write_rulings(document, digest, names)
    new_versions = len(write_versions(document, digest, rulings))
    _write_reversals(rulings)
    update_cited_cards(document, names)
    nowhere = write_links(digest, rulings, names)
    if created:
        update_search_entries_after_import(document)
    else:
        update_search_entries(document)
    slugs = {ruling.subject_slug for ruling in digest}
    return DigestImport(len(digest), len(slugs), created, changed, new_versions, nowhere)


def import_original(data: bytes, *, preview: bool = False) -> OriginalImport:
    """Add the original wording to every version that lacks it; `preview` only counts.

    The preamble and closing notice become the notice of the document; its terms require both next
    to the wording. Raises DamagedDocument before any write if the document differs from the one the
    digest restates.
    """
    originals = read_original(data, shipped_digest(), shipped_facts())
    document, created, new_versions, added = (
        _count_originals() if preview else _write_originals(originals, data)
    )
    return OriginalImport(
        document=document,
        created=created,
        new_versions=new_versions,
        rulings=len(originals),
        subjects=len({original.subject for original in originals}),
        marked_errata=sum(original.is_marked_errata for original in originals),
        added=added,
    )


# The document, and the numbers of new rulings, new versions and added wordings.
OriginalCounts = tuple[RulingDocument, int, int, int]


def _count_originals() -> OriginalCounts:
    facts, digest = shipped_facts(), shipped_digest()
    document = RulingDocument.objects.filter(**_document_key(facts)).first()
    document = document or RulingDocument(**_document_key(facts), **_document_fields(facts))
    known = {ruling.code: ruling for ruling in Ruling.objects.filter(document_id=document.pk)}
    for row in digest:
        check_number(known.get(row.code), row)
    versions = versions_of(document)
    before = {
        row.code: versions.get(known[row.code].pk, []) if row.code in known else []
        for row in digest
    }
    new = {row.code for row in digest if not is_known_version(row, before[row.code])}
    # A new version inherits the original wording from its predecessor.
    bare = [
        code
        for code, written in before.items()
        if versions_without_original(written)
        or (code in new and not (written and written[0].original_text))
    ]
    return document, len(before.keys() - known.keys()), len(new), len(bare)


@transaction.atomic
def _write_originals(originals: Sequence[OriginalRuling], data: bytes) -> OriginalCounts:
    loaded = load_digest()
    document = _lock_list_document(shipped_facts())
    added = write_originals(document, {original.code: original.text for original in originals})
    if not document.notice:
        document.notice = read_notice(data)
        document.save(update_fields=["notice"])
    update_search_entries(document)
    return document, loaded.created, loaded.new_versions, added


def _write_reversals(rulings: Mapping[str, Ruling]) -> None:
    # Manual additions stay.
    known = [reversal for reversal in shipped_reversals() if reversal.ruling in rulings]
    changed = []
    for reversal in known:
        ruling = rulings[reversal.ruling]
        if ruling.overturned != reversal.overturned:
            ruling.overturned = reversal.overturned
            changed.append(ruling)
    Ruling.objects.bulk_update(changed, ["overturned"])
    wanted = {
        rulings[reversal.ruling].pk: [
            rulings[code].pk for code in reversal.supersedes if code in rulings
        ]
        for reversal in known
    }
    write_superseding(games.ONR.id, wanted, replace=False)


def _lock_list_document(facts: DocumentFacts) -> RulingDocument:
    # Lock the row so that concurrent imports do not write the same version.
    documents = RulingDocument.objects.select_for_update()
    document, _ = documents.get_or_create(**_document_key(facts), defaults=_document_fields(facts))
    return document


def _document_key(facts: DocumentFacts) -> dict[str, Any]:
    return {"game": games.ONR.id, "title": facts.title, "edition": facts.edition}


def _document_fields(facts: DocumentFacts) -> dict[str, Any]:
    slug = slugify(f"{facts.title} {facts.edition}".replace(".", "-"))
    return {"slug": slug, "published_on": facts.published_on}


# Names and links.

LinkValues = tuple[str, int, str, str, int | None]


@dataclass(frozen=True)
class CardAndSubjectNames:
    """Cards and subjects by the comparison key of their names."""

    cards: Mapping[str, int]
    subjects: Mapping[str, str]

    def card_id(self, name: str) -> int | None:
        return self.cards.get(comparison_key(name))

    def subject_slug(self, name: str) -> str:
        """Return the slug of the subject or card with that name, or ""."""
        if slug := self.subjects.get(comparison_key(name)):
            return slug
        card_id = self.card_id(name)
        of_card = (slug for key, slug in self.subjects.items() if self.cards.get(key) == card_id)
        return next(of_card, "") if card_id else ""


def names_in_game(game: str, subjects: Mapping[str, str]) -> CardAndSubjectNames:
    aliases = CardAlias.objects.filter(card__game=game).values_list("alias_key", "card_id")
    titles = Card.objects.filter(game=game).values_list("title_key", "pk")
    return CardAndSubjectNames(dict(aliases) | dict(titles), subjects)


def write_links(
    digest: Sequence[DigestRuling], rulings: Mapping[str, Ruling], names: CardAndSubjectNames
) -> tuple[str, ...]:
    return replace_links(
        {rulings[entry.code].pk: list(_links_of_entry(entry, names)) for entry in digest}
    )


def replace_links(wanted: Mapping[int, Sequence[LinkValues]]) -> tuple[str, ...]:
    """Replace the links that differ, by ruling pk; return the names that cannot be resolved."""
    written: dict[int, list[LinkValues]] = {}
    links = RulingLink.objects.filter(ruling__in=wanted).order_by("ruling", "kind", "position")
    for link in links:
        row = (link.kind, link.position, link.name, link.subject_slug, link.card_id)
        written.setdefault(link.ruling_id, []).append(row)
    stale = [pk for pk, rows in wanted.items() if rows != written.get(pk, [])]
    RulingLink.objects.filter(ruling__in=stale).delete()
    RulingLink.objects.bulk_create(
        RulingLink(
            ruling_id=pk, kind=kind, position=position, name=name, subject_slug=slug, card_id=card
        )
        for pk in stale
        for kind, position, name, slug, card in wanted[pk]
    )
    rows = (row for rows in wanted.values() for row in rows)
    return tuple(sorted({name for _, _, name, slug, card in rows if not slug and card is None}))


def _links_of_entry(entry: DigestRuling, names: CardAndSubjectNames) -> Iterator[LinkValues]:
    for kind, linked in (
        (LinkKind.ABOUT, entry.about),
        (LinkKind.MENTIONS, entry.mentions),
        (LinkKind.SEE_ALSO, entry.see_also),
    ):
        for position, name in enumerate(linked, start=1):
            yield kind.value, position, name, names.subject_slug(name), names.card_id(name)


# Versions.

# Prefix of the reason of an imported version; versions from the lists have an empty reason.
IMPORT_REASON_PREFIX = "Imported: "


@dataclass(frozen=True)
class VersionMetadata:
    """A version takes effect on the day of its latest citation.

    If the previous version started then or later, it takes effect on `since`, but not before the
    previous version. `again` are codes of withdrawn rulings that are back: they get a version even
    if the text is unchanged.
    """

    reason: str = ""
    by: User | None = None
    since: date | None = None
    again: frozenset[str] = frozenset()


def write_versions(
    document: RulingDocument,
    digest: Sequence[DigestRuling],
    rulings: Mapping[str, Ruling],
    writing: VersionMetadata | None = None,
) -> list[RulingVersion]:
    """Add a version for each ruling whose text or citations changed in this import.

    The entry is compared with the newest version and the newest imported version. A manual edit
    therefore stays until the source itself changes.
    """
    writing = writing or VersionMetadata()
    written = versions_of(document)
    new = []
    for entry in digest:
        before = written.get(rulings[entry.code].pk, [])
        if entry.code in writing.again or not is_known_version(entry, before):
            new.append((_new_version(document, rulings[entry.code], before, entry, writing), entry))
    RulingVersion.objects.bulk_create(version for version, _ in new)
    Citation.objects.bulk_create(
        citation for version, entry in new for citation in new_citations(version, entry.sources)
    )
    return [version for version, _ in new]


def update_cited_cards(document: RulingDocument, names: CardAndSubjectNames) -> None:
    spoken = Citation.objects.filter(version__ruling__document=document).exclude(about="")
    changed = []
    for citation in spoken:
        if citation.about_card_id != (card_id := names.card_id(citation.about)):
            citation.about_card_id = card_id
            changed.append(citation)
    Citation.objects.bulk_update(changed, ["about_card"], batch_size=BATCH_SIZE)


def write_originals(document: RulingDocument, texts: Mapping[str, str]) -> int:
    """Fill in missing original wordings and return the number of rulings concerned.

    A manual version with other citations is a different decision and gets no original wording.
    """
    codes = dict(document.rulings.filter(code__in=texts).values_list("pk", "code"))
    bare = [
        version
        for ruling, versions in versions_of(document).items()
        if ruling in codes
        for version in versions_without_original(versions)
    ]
    for version in bare:
        version.original_text = texts[codes[version.ruling_id]]
    RulingVersion.objects.bulk_update(bare, ["original_text"], batch_size=BATCH_SIZE)
    return len({version.ruling_id for version in bare})


def versions_without_original(versions: Sequence[RulingVersion]) -> list[RulingVersion]:
    """Return versions without original wording that are imported or have imported citations."""
    cited = [queries.version_sources(version) for version in versions if is_imported(version)]
    return [
        version
        for version in versions
        if not version.original_text
        and (is_imported(version) or queries.version_sources(version) in cited)
    ]


def versions_of(document: RulingDocument) -> dict[int, list[RulingVersion]]:
    """Return the versions of each ruling, newest first, with their citations."""
    versions: dict[int, list[RulingVersion]] = {}
    rows = RulingVersion.objects.filter(ruling__document_id=document.pk).order_by("-number")
    for version in rows.prefetch_related("citations"):
        versions.setdefault(version.ruling_id, []).append(version)
    return versions


def comparable_versions(before: Sequence[RulingVersion]) -> list[RulingVersion]:
    # The newest version and the newest imported version, without duplicates.
    imported = filter(is_imported, before)
    return list(dict.fromkeys([*before[:1], *islice(imported, 1)]))


def is_imported(version: RulingVersion) -> bool:
    # Manual edits always have another reason.
    return not version.reason or version.reason.startswith(IMPORT_REASON_PREFIX)


def manually_edited_rulings(document: RulingDocument) -> set[int]:
    # Rulings with a manual edit as their newest version.
    rows = RulingVersion.objects.filter(ruling__document=document).order_by("number")
    newest = {version.ruling_id: version for version in rows.only("ruling", "reason")}
    return {ruling for ruling, version in newest.items() if not is_imported(version)}


def is_known_version(entry: DigestRuling, before: Sequence[RulingVersion]) -> bool:
    return any(
        entry.text in (version.text, normalised_paragraphs(version.text))
        and queries.version_sources(version) == entry.sources
        for version in comparable_versions(before)
    )


def _new_version(
    document: RulingDocument,
    ruling: Ruling,
    before: Sequence[RulingVersion],
    entry: DigestRuling,
    writing: VersionMetadata,
) -> RulingVersion:
    newest = next(iter(before), None)
    dates = [source.date for source in entry.sources if source.date]
    day = max(dates, default=writing.since or document.published_on)
    if newest and newest.in_force_from and writing.since and day <= newest.in_force_from:
        day = max(writing.since, newest.in_force_from)
    return RulingVersion(
        ruling=ruling,
        number=newest.number + 1 if newest else 1,
        text=entry.text,
        original_text=newest.original_text if newest else "",
        in_force_from=day,
        written_by=writing.by,
        reason=writing.reason,
    )


def new_citations(
    version: RulingVersion,
    sources: Iterable[RulingSource],
    cards: Mapping[str, Card | None] | None = None,
) -> Iterator[Citation]:
    """Build the citations of a new version; `cards` has the cards that sources are about."""
    for position, source in enumerate(sources, start=1):
        yield Citation(
            version=version,
            position=position,
            about_card=cards.get(source.about) if cards else None,
            **asdict(source),
        )


# Rulings.


class NumberChanged(Refusal):
    """The digest assigns a different number to a known ruling; numbers are permanent."""

    code = "ruling_number_changed"


def write_rulings(
    document: RulingDocument, digest: Sequence[DigestRuling], names: CardAndSubjectNames
) -> tuple[dict[str, Ruling], int, int]:
    """Return the rulings by code, and the numbers of new and of changed rulings.

    A ruling whose newest version is a manual edit keeps its kind.
    """
    known = {ruling.code: ruling for ruling in document.rulings.all()}
    fields = {entry.code: _ruling_fields(entry, names) for entry in digest}
    by_hand = manually_edited_rulings(document)
    for entry in digest:
        check_number(known.get(entry.code), entry)
    for ruling in known.values():
        if ruling.pk in by_hand and ruling.code in fields:
            fields[ruling.code]["kind"] = ruling.kind
    short_codes = {entry.code: entry.short_code or f"R-{entry.number:04d}" for entry in digest}
    return store_rulings(document, known, fields, short_codes)


def store_rulings(
    document: RulingDocument,
    known: Mapping[str, Ruling],
    fields: Mapping[str, dict[str, Any]],
    short_codes: Mapping[str, str],
) -> tuple[dict[str, Ruling], int, int]:
    """Write the fields of rulings by code. Returns the same as `write_rulings`."""
    new = {
        code: Ruling(document=document, code=code, short_code=short_codes[code], **values)
        for code, values in fields.items()
        if code not in known
    }
    numbers = {code: ruling.number for code, ruling in known.items()}
    changed = [
        known[code]
        for code, values in fields.items()
        if code in known and set_fields(known[code], values)
    ]
    if any(numbers[ruling.code] != ruling.number for ruling in changed):
        # Numbers are unique in a document, so free them all first.
        document.rulings.update(number=F("number") + NUMBER_OFFSET)
        changed = [known[code] for code in fields if code in known]
    if changed:
        Ruling.objects.bulk_update(changed, list(fields[changed[0].code]), batch_size=BATCH_SIZE)
    Ruling.objects.bulk_create(new.values())
    rulings = {**known, **new}
    return {code: rulings[code] for code in fields}, len(new), len(changed)


def _ruling_fields(entry: DigestRuling, names: CardAndSubjectNames) -> dict[str, Any]:
    return {
        "number": entry.number,
        "section": entry.section,
        "subject": entry.subject,
        "subject_key": comparison_key(entry.subject),
        "subject_slug": entry.subject_slug,
        "kind": entry.kind,
        "reverses": entry.reverses,
        "card_id": names.card_id(entry.subject) if entry.section != "general" else None,
    }


def check_number(ruling: Ruling | None, entry: DigestRuling) -> None:
    if ruling is not None and ruling.number != entry.number:
        raise NumberChanged(
            gettext("Ruling %(code)s is number %(ruling)s, but the digest says %(entry)s.")
            % {"code": entry.code, "ruling": ruling.number, "entry": entry.number}
        )


def set_fields(row: Model, fields: Mapping[str, object]) -> bool:
    before = {field: getattr(row, field) for field in fields}
    for field, value in fields.items():
        setattr(row, field, value)
    return before != fields


# Search entries.

SEARCH_ENTRY_FIELDS = ("heading", "body", "source")


def update_search_entries(document: RulingDocument) -> None:
    """Write the entries that differ; the database updates the full-text index."""
    rows = SearchEntry.objects.filter(ruling__document=document)
    written = {pk: texts for pk, *texts in rows.values_list("ruling", *SEARCH_ENTRY_FIELDS)}
    rulings = document.rulings.select_related("card").prefetch_related(
        "versions__citations", "links"
    )
    stale = [
        entry
        for entry in map(search_entry_of, rulings)
        if written.get(entry.ruling_id) != [getattr(entry, name) for name in SEARCH_ENTRY_FIELDS]
    ]
    SearchEntry.objects.bulk_create(
        stale, update_conflicts=True, unique_fields=["ruling"], update_fields=SEARCH_ENTRY_FIELDS
    )


def update_search_entries_after_import(document: RulingDocument) -> None:
    # With outdated statistics the query could take seconds.
    database.update_table_statistics("rulings")
    update_search_entries(document)


def search_entry_of(ruling: Ruling) -> SearchEntry:
    about = [link.name for link in ruling.links.all() if link.kind == LinkKind.ABOUT]
    title = ruling.card.title if ruling.card else ""
    titles = [ruling.subject, ruling.heading, title, ruling.short_code, *about]
    heading = [word for title in titles for word in folded_words(title) + squeezed_words(title)]
    version = ruling.current
    citations = version.citations.all() if version else []
    names = [
        f"{source.authority} {source.via} {source.venue} {source.date or ''}"
        for source in citations
    ]
    return SearchEntry(
        ruling=ruling,
        heading=" ".join(heading + folded_words(ruling.code)),
        body=" ".join(folded_words(version.text)) if version else "",
        source=" ".join(folded_words(" ".join([version.original_text if version else "", *names]))),
    )


# Superseding.


def superseding_codes(game: str) -> set[tuple[str, str]]:
    rows = Ruling.supersedes.through.objects.filter(from_ruling__document__game=game)
    return set(rows.values_list("from_ruling__code", "to_ruling__code"))


def write_superseding(game: str, wanted: Mapping[int, Iterable[int]], *, replace: bool) -> None:
    """Add the pairs; with `replace`, delete all other pairs of these rulings."""
    table = Ruling.supersedes.through
    stored = table.objects.filter(from_ruling__document__game=game)
    pairs = stored.values_list("from_ruling_id", "to_ruling_id")
    written = {pair for pair in pairs if pair[0] in wanted}
    requested = {(key, other) for key, others in wanted.items() for other in others}
    if replace and (removed := written - requested):
        rows = table.objects.filter(from_ruling__in={key for key, _ in removed})
        table.objects.filter(
            pk__in=[row.pk for row in rows if (row.from_ruling_id, row.to_ruling_id) in removed]
        ).delete()
    table.objects.bulk_create(
        table(from_ruling_id=key, to_ruling_id=other) for key, other in sorted(requested - written)
    )


def find_circle(pairs: Iterable[tuple[str, str]]) -> set[str]:
    below: dict[str, set[str]] = {}
    for code, other in pairs:
        below.setdefault(code, set()).add(other)

    def reachable(start: str) -> set[str]:
        found: set[str] = set()
        step = below[start]
        while step:
            found = found | step
            step = {other for code in step for other in below.get(code, ())} - found
        return found

    return {code for code in below if code in reachable(code)}
