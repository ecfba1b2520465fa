"""Import and export of files: house rulings and NetrunnerDB's rulings."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy

from core.errors import Refusal
from core.rate_limits import exclusive_work
from core.text import LONGEST_COMPARED, comparison_key
from decks.models import Card
from decks.titles import TitleIndex
from players.models import User
from rulings import importer, queries
from rulings.models import DocumentKind, LinkKind, Ruling, RulingDocument, RulingSection
from rulings.parsing.digest import fingerprint
from rulings.parsing.house import normalised_paragraphs, read_house
from rulings.parsing.matching import EditionRuling, StoredRuling, match_codes
from rulings.parsing.netrunnerdb import read_netrunnerdb
from rulings.parsing.original import LARGEST_FILE, decode_file
from rulings.parsing.records import (
    DamagedDocument,
    DigestRuling,
    FaultyFile,
    FileDocument,
    FileFault,
    FileKind,
    FileRuling,
    RulingSource,
    detect_file_kind,
)

LONGEST_SLUG = 80  # letters of a subject in an address
SECTION_OF_SIDE = {"corp": RulingSection.CORP, "runner": RulingSection.RUNNER}


@dataclass(frozen=True)
class ResolvedRuling:
    """A ruling of a file with resolved names; `supersedes` are codes of rulings."""

    filed: FileRuling
    subject: str
    subject_slug: str
    section: str
    supersedes: tuple[str, ...]

    @property
    def key(self) -> str:
        return comparison_key(self.subject)


@dataclass
class NameResolver:
    """Cards, topics and rulings named in a file, including rulings of the same file."""

    document: RulingDocument
    filed: FileDocument
    faults: list[FileFault] = field(default_factory=list)
    unknown_cards: dict[str, None] = field(default_factory=dict)
    _titles: TitleIndex | None = None

    def __post_init__(self) -> None:
        game = self.document.game
        self.slugs = topic_slugs(game)
        for ruling in self.filed.rulings:
            if ruling.sort == "topic":
                slug = plain_slug(ruling.subject) or f"topic-{fingerprint(ruling.subject)[:8]}"
                self.slugs.setdefault(comparison_key(ruling.subject), slug)
        rows = Card.objects.filter(game=game).values_list("pk", "card_id", "title", "side", "slug")
        self.cards = {pk: (title, side, slug) for pk, _, title, side, slug in rows}
        self.by_card_id = {card_id: pk for pk, card_id, _, _, _ in rows if card_id}
        self.names = importer.names_in_game(game, self.slugs)
        self.known = self._known_codes()

    def resolve(self, *, skips_unknown: bool) -> Iterator[ResolvedRuling]:
        """Yield the rulings with a known subject; record the others as faults or unknown cards."""
        for ruling in self.filed.rulings:
            if ruling.sort == "topic":
                card = None
            elif ruling.sort == "card_id":
                card = self.by_card_id.get(ruling.subject)
            else:
                card = self.names.card_id(ruling.subject)
            key = comparison_key(ruling.subject)
            if card is not None:
                title, side, slug = self.cards[card]
                slug = self.slugs.get(comparison_key(title), slug)
                yield self._with_names(ruling, title, slug, SECTION_OF_SIDE[side])
            elif skips_unknown:
                self.unknown_cards[ruling.subject] = None
            elif ruling.sort != "card" and key in self.slugs:
                yield self._with_names(
                    ruling, ruling.subject, self.slugs[key], RulingSection.GENERAL
                )
            else:
                self._fault(ruling, self._unknown_subject(ruling))

    def check_ids(self) -> None:
        ids = {ruling.id: ruling for ruling in self.filed.rulings if ruling.id}
        taken = Ruling.objects.filter(code__in=ids).exclude(document_id=self.document.pk)
        for code, title in taken.values_list("code", "document__title"):
            self._fault(ids[code], f"the id {code} belongs to a ruling in {title}. Choose another")

    def _with_names(
        self, ruling: FileRuling, subject: str, slug: str, section: str
    ) -> ResolvedRuling:
        for name in ruling.cards:
            if self.names.card_id(name) is None:
                self._fault(ruling, f'there is no card "{name}". {self._nearest(name)}')
        for name in ruling.topics:
            if comparison_key(name) not in self.slugs:
                reason = f'there is no topic "{name}". Begin one with "## Topic: {name}"'
                self._fault(ruling, reason)
        codes = []
        for typed in ruling.supersedes:
            if code := self.known.get(typed.lower()):
                codes.append(code)
            else:
                self._fault(ruling, f"there is no ruling {typed}. Look its code up on its page")
        if ruling.id and ruling.id in codes:
            self._fault(ruling, "it supersedes itself. Remove its id from supersedes")
        return ResolvedRuling(
            ruling, subject, slug[:LONGEST_SLUG], section, tuple(dict.fromkeys(codes))
        )

    def _known_codes(self) -> Mapping[str, str]:
        if not any(ruling.supersedes for ruling in self.filed.rulings):
            return {}
        rows = Ruling.objects.filter(document__game=self.document.game)
        known = {ruling.id: ruling.id for ruling in self.filed.rulings if ruling.id}
        for code, short_code in rows.values_list("code", "short_code"):
            known[code] = known[short_code.lower()] = code
        return known

    def _unknown_subject(self, ruling: FileRuling) -> str:
        if not self.cards:
            return "no card of this game is known. Import the cards first"
        if ruling.sort == "card":
            return f'there is no card "{ruling.subject}". {self._nearest(ruling.subject)}'
        return (
            f'"{ruling.subject}" is neither a card nor a known topic. '
            f'{self._nearest(ruling.subject)} For a new topic write "Topic: {ruling.subject}"'
        )

    def _nearest(self, name: str) -> str:
        if self._titles is None:
            self._titles = TitleIndex(title for title, _, _ in self.cards.values())
        near = [f'"{title}"' for title in self._titles.nearest(name)]
        return (
            gettext("Nearest titles: %(near)s.") % {"near": ", ".join(near)}
            if near
            else gettext("No title is similar.")
        )

    def _fault(self, ruling: FileRuling, reason: str) -> None:
        self.faults.append(FileFault(ruling.line, reason))


def topic_slugs(game: str) -> dict[str, str]:
    """Return the slugs of all subjects with rulings in a game, by comparison key."""
    rulings = Ruling.objects.filter(document__game=game)
    rulings = rulings.exclude(document__kind=DocumentKind.REFERENCE).order_by("pk")
    return dict(rulings.values_list("subject_key", "subject_slug"))


def new_codes(
    document: RulingDocument, entries: Sequence[ResolvedRuling], taken: Iterable[str]
) -> list[str]:
    """Return a code for each new ruling: document, subject, and an unused number.

    `taken` are codes that are about to be written.
    """
    first = document.slug[:30].strip("-")
    written = Ruling.objects.filter(code__startswith=f"{first}-").values_list("code", flat=True)
    highest: dict[str, int] = {}
    for code in [*written, *filter(None, taken)]:
        stem, _, number = code.rpartition("-")
        highest[stem] = max(highest.get(stem, 0), int(number))
    codes = []
    for entry in entries:
        stem = f"{first}-{entry.subject_slug[:40].strip('-')}"
        highest[stem] = highest.get(stem, 0) + 1
        codes.append(f"{stem}-{highest[stem]}")
    return codes


def plain_slug(text: str) -> str:
    """Return lower-case letters and digits with single hyphens, or "".

    >>> plain_slug("Dice_roll - again")
    'dice-roll-again'
    """
    return re.sub(r"[-_]+", "-", slugify(text[:LONGEST_COMPARED])).strip("-")


# Editions of a document.

CREATED, REWRITTEN, RETURNED, WITHDRAWN = "created", "new versions", "back again", "withdrawn"
CHANGE_GROUPS = CREATED, REWRITTEN, RETURNED, WITHDRAWN
DOCUMENT_KINDS = {
    FileKind.HOUSE: DocumentKind.HOUSE,
    FileKind.NETRUNNERDB: DocumentKind.NETRUNNERDB,
}
FUTURE_DAY = "the date {} is in the future. Import the file on or after that day"


class OlderEdition(Refusal):
    pass


class AnotherDocument(Refusal):
    """The id of the file belongs to a document of another kind or game."""


@dataclass(frozen=True)
class ImportChange:
    what: str
    code: str
    short_code: str
    subject: str
    text: str


@dataclass(frozen=True)
class RulingsImportReport:
    kind: FileKind
    document: str
    counts: dict[str, int]
    # Each ruling appears once, ordered by kind of change and number.
    changes: list[ImportChange] = field(default_factory=list)
    unknown_cards: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.changes and not self.counts.get("wordings added")


def import_edition(
    filed: FileDocument, kind: FileKind, by: User | None, *, preview: bool
) -> RulingsImportReport:
    """Import an edition. Raises FaultyFile with all faults, OlderEdition or AnotherDocument.

    Unknown cards are faults in a house file. In other files, rulings on unknown cards are skipped
    and the names reported. `preview` writes nothing.
    """
    if preview:
        return _read_edition(filed, kind, by).report()
    with transaction.atomic():
        # One import at a time: all documents share the series of short codes.
        list(RulingDocument.objects.select_for_update().order_by("pk"))
        edition = _read_edition(filed, kind, by)
        edition.write()
        return edition.report()


def _read_edition(filed: FileDocument, kind: FileKind, by: User | None) -> "_Edition":
    document, since = _document_and_day(filed, DOCUMENT_KINDS[kind])
    resolver = NameResolver(document, filed)
    resolver.faults += _future_days(filed)
    resolver.check_ids()
    entries = list(resolver.resolve(skips_unknown=kind is not FileKind.HOUSE))
    if resolver.faults:
        raise FaultyFile(resolver.faults)
    return _Edition(kind, document, entries, since, by, tuple(resolver.unknown_cards))


def _document_and_day(filed: FileDocument, kind: DocumentKind) -> tuple[RulingDocument, date]:
    """Return the unsaved document and the day on which this edition's changes take effect."""
    _refuse_other_document(filed, kind)
    today = timezone.localdate()
    fields = {"title": filed.title, "edition": filed.edition, "published_on": filed.published_on}
    document = RulingDocument.objects.filter(slug=filed.slug).first()
    if document is None:
        new = RulingDocument(slug=filed.slug, game=filed.game, kind=kind, **fields)
        return new, filed.published_on
    before = document.published_on
    if filed.published_on < before:
        raise OlderEdition(
            gettext(
                "This file is dated %(published_on)s, but the edition of %(before)s has "
                "already been imported. Enter the day on which these rulings were put together."
            )
            % {"published_on": filed.published_on, "before": before}
        )
    importer.set_fields(document, fields)
    stated = kind == DocumentKind.HOUSE and filed.published_on > before
    return document, filed.published_on if stated else today


def _refuse_other_document(filed: FileDocument, kind: DocumentKind) -> None:
    same_id = RulingDocument.objects.filter(slug=filed.slug)
    if taken := same_id.exclude(kind=kind, game=filed.game).first():
        raise AnotherDocument(
            gettext(
                'The id "%(slug)s" belongs to "%(taken)s". Give this document another title, '
                "or add a line with another id."
            )
            % {"slug": filed.slug, "taken": taken.title}
        )
    named = RulingDocument.objects.filter(
        game=filed.game, title=filed.title, edition=filed.edition
    ).exclude(slug=filed.slug)
    if other := named.first():
        raise AnotherDocument(
            gettext(
                '"%(other)s" already exists with the id "%(slug)s". Add a line with this id, '
                "or give the document another title."
            )
            % {"other": other, "slug": other.slug}
        )


def _future_days(filed: FileDocument) -> list[FileFault]:
    today = timezone.localdate()
    faults = [
        FileFault(ruling.line, FUTURE_DAY.format(ruling.date))
        for ruling in filed.rulings
        if ruling.date and ruling.date > today
    ]
    if filed.published_on > today:
        faults.append(FileFault(1, FUTURE_DAY.format(filed.published_on)))
    return faults


@dataclass
class _Edition:
    """An edition compared with the stored rulings; only `write` changes them."""

    kind: FileKind
    document: RulingDocument
    entries: list[ResolvedRuling]
    since: date
    by: User | None
    unknown_cards: tuple[str, ...]

    def __post_init__(self) -> None:
        rulings = Ruling.objects.filter(document_id=self.document.pk)
        self.known = {ruling.code: ruling for ruling in rulings}
        self.versions = importer.versions_of(self.document)
        self.digest = self._digest()
        self._refuse_circles()
        self.again = [
            code for code in self.digest if code in self.known and self.known[code].withdrawn_on
        ]
        self.gone = [
            ruling
            for code, ruling in self.known.items()
            if code not in self.digest and ruling.withdrawn_on is None
        ]

    def report(self) -> RulingsImportReport:
        created = [row for code, row in self.digest.items() if code not in self.known]
        returned = [self.digest[code] for code in self.again]
        rewritten = [
            row
            for code, row in self.digest.items()
            if code in self.known
            and code not in self.again
            and not importer.is_known_version(row, self.versions.get(self.known[code].pk, []))
        ]
        groups = {CREATED: created, REWRITTEN: rewritten, RETURNED: returned}
        changes = []
        for what, rows in groups.items():
            for row in sorted(rows, key=lambda row: row.number):
                known = self.known.get(row.code)
                short_code = known.short_code if known else row.short_code
                changes.append(ImportChange(what, row.code, short_code, row.subject, row.text))
        unchanged = len(self.digest) - len(changes)
        for ruling in sorted(self.gone, key=lambda ruling: ruling.number):
            text = next((version.text for version in self.versions.get(ruling.pk, [])), "")
            changes.append(
                ImportChange(WITHDRAWN, ruling.code, ruling.short_code, ruling.subject, text)
            )
        counted = Counter(change.what for change in changes)
        counts = {what: counted[what] for what in CHANGE_GROUPS} | {"unchanged": unchanged}
        return RulingsImportReport(
            self.kind, str(self.document), counts, changes, self.unknown_cards
        )

    def write(self) -> None:
        self.document.save()
        digest = list(self.digest.values())
        slugs = {entry.key: entry.subject_slug for entry in self.entries}
        names = importer.names_in_game(self.document.game, topic_slugs(self.document.game) | slugs)
        rulings, _, _ = importer.write_rulings(self.document, digest, names)
        self.document.rulings.filter(code__in=self.again).update(withdrawn_on=None)
        day = max(self.since, self.document.published_on)
        self.document.rulings.filter(pk__in=[ruling.pk for ruling in self.gone]).update(
            withdrawn_on=day
        )
        reason = f"{importer.IMPORT_REASON_PREFIX}{self.document}"[:200]
        writing = importer.VersionMetadata(reason, self.by, self.since, frozenset(self.again))
        importer.write_versions(self.document, digest, rulings, writing)
        importer.write_links(digest, rulings, names)
        self._write_superseded(rulings)
        importer.update_search_entries_after_import(self.document)

    def _write_superseded(self, rulings: Mapping[str, Ruling]) -> None:
        superseded = self._superseded()
        named = {code for codes in superseded.values() for code in codes}
        keys = dict(Ruling.objects.filter(code__in=named).values_list("code", "pk"))
        wanted = {
            rulings[code].pk: [keys[other] for other in others]
            for code, others in superseded.items()
        }
        importer.write_superseding(self.document.game, wanted, replace=True)

    def _superseded(self) -> dict[str, tuple[str, ...]]:
        return {
            code: entry.supersedes for code, entry in zip(self.digest, self.entries, strict=True)
        }

    def _refuse_circles(self) -> None:
        superseded = self._superseded()
        others = importer.superseding_codes(self.document.game)
        pairs = {(code, other) for code, other in others if code not in superseded}
        pairs |= {(code, other) for code, codes in superseded.items() for other in codes}
        circle = importer.find_circle(pairs)
        lines = [
            entry.filed.line
            for code, entry in zip(self.digest, self.entries, strict=True)
            if code in circle
        ]
        if lines:
            reason = "it supersedes itself through other rulings. Remove one from supersedes"
            raise FaultyFile(FileFault(line, reason) for line in lines)

    def _digest(self) -> dict[str, DigestRuling]:
        """Return the entries as digest rows by code, with existing or new codes."""
        codes = match_codes(
            [EditionRuling(entry.key, entry.filed.text, entry.filed.id) for entry in self.entries],
            [
                # Either the newest or the last imported text may match.
                StoredRuling(
                    ruling.code, ruling.subject_key, version.text, ruling.withdrawn_on is not None
                )
                for ruling in self.known.values()
                for version in importer.comparable_versions(self.versions.get(ruling.pk, []))
            ],
        )
        unnamed = [entry for entry, code in zip(self.entries, codes, strict=True) if not code]
        fresh = iter(new_codes(self.document, unnamed, taken=codes))
        codes = [code or next(fresh) for code in codes]
        new = [code for code in codes if code not in self.known]
        short_codes = dict(zip(new, queries.next_short_codes(len(new)), strict=True))
        last = max((ruling.number for ruling in self.known.values()), default=0)
        numbers = {code: last + place for place, code in enumerate(new, start=1)}
        return {
            code: self._digest_row(entry, code, short_codes.get(code, ""), numbers.get(code, 0))
            for entry, code in zip(self.entries, codes, strict=True)
        }

    def _digest_row(
        self, entry: ResolvedRuling, code: str, short_code: str, number: int
    ) -> DigestRuling:
        filed = entry.filed
        return DigestRuling(
            code=code,
            number=number or self.known[code].number,
            section=entry.section,
            subject=entry.subject,
            kind=filed.kind,
            reverses=bool(entry.supersedes),
            text=filed.text,
            sources=self._sources(entry, code),
            see_also=(),
            mentions=(),
            about=(*filed.cards, *filed.topics),
            slug=entry.subject_slug,
            short_code=short_code,
        )

    def _sources(self, entry: ResolvedRuling, code: str) -> tuple[RulingSource, ...]:
        """Return the citations of the file, plus manual additions to an unchanged text.

        NetrunnerDB changes the dates of unchanged texts; a new date alone must not create a
        version.
        """
        filed = entry.filed
        source = RulingSource(filed.authority, filed.via, filed.venue, filed.date)
        stated = (source,) if filed.authority else ()
        newest = self.versions.get(self.known[code].pk) if code in self.known else None
        if newest is None or normalised_paragraphs(newest[0].text) != filed.text:
            return stated
        before = queries.version_sources(newest[0])
        if self.document.kind == DocumentKind.NETRUNNERDB:
            is_same = tuple(replace(source, date=filed.date) for source in before) == stated
        else:
            is_same = before[: len(stated)] == stated and bool(stated)
        return before if is_same else stated


# Files of any kind.

LARGEST_JSON = 8 * LARGEST_FILE  # bytes
ADVICE_BY_KIND = {
    FileKind.LIST: "Use the list v1.62 exactly as it was published: complete, once, and in its "
    "order.",
    FileKind.HOUSE: "Fix these lines; docs/reference/rulings-files.md describes the format.",
    FileKind.NETRUNNERDB: "Fetch all rulings again.",
}
UNKNOWN_FILE = gettext_lazy(
    "This is not a rulings file. Choose one of three kinds: Netrunner Rulings "
    "v1.62, house rulings (Markdown that begins with ---, or JSON lines), or "
    "NetrunnerDB's rulings (JSON)."
)


class FileRefused(Refusal):
    code = "rulings_file_refused"

    def __init__(self, message: str, reasons: Iterable[str] = (), advice: str = "") -> None:
        super().__init__(message)
        self.reasons = list(reasons)
        self.advice = advice

    def __str__(self) -> str:
        return "\n".join(filter(None, [*self.args, *self.reasons, self.advice]))


def import_file(
    data: bytes, *, by: User | None = None, preview: bool = False
) -> RulingsImportReport:
    """Import or preview a file of any kind; all or nothing.

    Raises FileRefused with reasons, lines and advice, and Busy during another import.
    """
    if len(data) > LARGEST_JSON:
        raise FileRefused(
            gettext("The file is larger than %(largest_json)s bytes. Choose a smaller file.")
            % {"largest_json": format(LARGEST_JSON, ",")}
        )
    kind = detect_file_kind(data)
    if kind is None:
        raise FileRefused(str(UNKNOWN_FILE))
    with exclusive_work("import"):
        try:
            return _import_by_kind(data, kind, by, preview=preview)
        except DamagedDocument as damaged:
            raise _file_refused(kind, [str(damaged)]) from damaged
        except FaultyFile as faulty:
            raise _file_refused(kind, faulty.lines()) from faulty
        except Refusal as refusal:
            raise FileRefused(str(refusal)) from refusal


def _import_by_kind(
    data: bytes, kind: FileKind, by: User | None, *, preview: bool
) -> RulingsImportReport:
    if kind is FileKind.LIST:
        return _report_list(importer.import_original(data, preview=preview))
    document = _read_house_file(data) if kind is FileKind.HOUSE else read_netrunnerdb(data)
    return import_edition(document, kind, by, preview=preview)


def _read_house_file(data: bytes) -> FileDocument:
    try:
        return read_house(decode_file(data))
    except FaultyFile as faulty:
        if faulty.readable is None:
            raise
        # Report unknown names together with faults of the syntax.
        readable = faulty.readable
        resolver = NameResolver(RulingDocument(game=readable.game, slug=readable.slug), readable)
        list(resolver.resolve(skips_unknown=False))
        raise FaultyFile([*faulty.faults, *resolver.faults]) from faulty


def _file_refused(kind: FileKind, reasons: list[str]) -> FileRefused:
    return FileRefused(f"This was read as {kind.value}.", reasons, ADVICE_BY_KIND[kind])


def _report_list(imported: importer.OriginalImport) -> RulingsImportReport:
    counts = {
        "rulings": imported.rulings,
        "subjects": imported.subjects,
        "marked as errata": imported.marked_errata,
        "wordings added": imported.added,
        "created": imported.created,
        "new versions": imported.new_versions,
    }
    return RulingsImportReport(FileKind.LIST, str(imported.document), counts)


# Export.


def export_document(document: RulingDocument) -> FileDocument:
    rulings = document.rulings.filter(withdrawn_on=None).order_by("number")
    in_full = rulings.prefetch_related("versions__citations", "links", "supersedes")
    places: dict[str, int] = {}
    for ruling in in_full:
        places.setdefault(ruling.subject_key, len(places))
    by_subject = sorted(in_full, key=lambda ruling: places[ruling.subject_key])
    return FileDocument(
        title=document.title,
        slug=document.slug,
        published_on=document.published_on,
        game=document.game,
        edition=document.edition,
        rulings=tuple(_export_ruling(ruling) for ruling in by_subject),
    )


def _export_ruling(ruling: Ruling) -> FileRuling:
    version = ruling.current
    citations = list(version.citations.all()) if version else []
    source = citations[0] if citations else None
    about = [link for link in ruling.links.all() if link.kind == LinkKind.ABOUT]
    return FileRuling(
        subject=ruling.subject,
        sort="topic" if ruling.section == RulingSection.GENERAL else "card",
        text=normalised_paragraphs(version.text) if version else "",
        kind=ruling.kind,
        authority=source.authority if source else "",
        via=source.via if source else "",
        venue=source.venue if source else "",
        date=source.date if source else None,
        id=ruling.code,
        supersedes=tuple(superseded.code for superseded in ruling.supersedes.all()),
        cards=tuple(link.name for link in about if link.card_id is not None),
        topics=tuple(link.name for link in about if link.card_id is None),
    )
