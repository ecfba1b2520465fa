"""Import rulings files: house rulings or NetrunnerDB's rulings.

The file is an edition of its document. Changed rulings get a new version; missing rulings are
withdrawn but not deleted. A code is never reused for another ruling.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from players.models import User
from rulings import queries
from rulings.importer import index, links, resolving, rows, superseding, wordings
from rulings.importer.resolving import Resolved, Resolver
from rulings.models import DocumentKind, Ruling, RulingDocument
from rulings.parsing.faults import Fault, Faulty
from rulings.parsing.filed import FiledDocument
from rulings.parsing.house_fields import paragraphs
from rulings.parsing.matching import Known, Wanted, codes_of
from rulings.parsing.records import DigestRuling, Source

CREATED, REWRITTEN, RETURNED, WITHDRAWN = "created", "new versions", "back again", "withdrawn"
WHAT = CREATED, REWRITTEN, RETURNED, WITHDRAWN
FORGOTTEN = "the file has a day to come: {}. Write the day from which it holds, once it is there"


class OlderEdition(Refusal):
    pass


class AnotherDocument(Refusal):
    """The id of the file belongs to a document of another kind or game."""


@dataclass(frozen=True)
class Change:
    """A ruling that an import writes; `what` is one of WHAT."""

    what: str
    code: str
    short_code: str
    subject: str
    text: str


@dataclass(frozen=True)
class Filed:
    """Changes of an import; each ruling appears once, ordered by kind of change and number."""

    document: RulingDocument
    changes: list[Change]
    unchanged: int
    unknown_cards: tuple[str, ...]


def import_filed(
    filed: FiledDocument, kind: DocumentKind, by: User | None = None, *, preview: bool = False
) -> Filed:
    """Import an edition. Raises Faulty with all faults, OlderEdition or AnotherDocument.

    Unknown cards are faults in a house file. In other files, rulings on unknown cards are skipped
    and the names reported. `preview` writes nothing.
    """
    if preview:
        return _edition(filed, kind, by).filed()
    with transaction.atomic():
        # One import at a time: all documents share the series of short codes.
        list(RulingDocument.objects.select_for_update().order_by("pk"))
        edition = _edition(filed, kind, by)
        edition.write()
        return edition.filed()


def _edition(filed: FiledDocument, kind: DocumentKind, by: User | None) -> "_Edition":
    document, since = _document(filed, kind)
    resolver = Resolver(document, filed)
    resolver.faults += _future(filed)
    resolver.check_ids()
    entries = list(resolver.resolved(skips_unknown=kind != DocumentKind.HOUSE))
    if resolver.faults:
        raise Faulty(resolver.faults)
    return _Edition(document, entries, since, by, tuple(resolver.unknown_cards))


def faults_of_names(filed: FiledDocument) -> list[Fault]:
    """Return the unknown names in a house file and ignore faults in its other lines."""
    resolver = Resolver(RulingDocument(game=filed.game, slug=filed.slug), filed)
    list(resolver.resolved(skips_unknown=False))
    return resolver.faults


def _document(filed: FiledDocument, kind: DocumentKind) -> tuple[RulingDocument, date]:
    """Return the unsaved document and the day on which this edition's changes take effect."""
    _refuse_another(filed, kind)
    today = timezone.localdate()
    fields = {"title": filed.title, "edition": filed.edition, "published_on": filed.published_on}
    document = RulingDocument.objects.filter(slug=filed.slug).first()
    if document is None:
        new = RulingDocument(slug=filed.slug, game=filed.game, kind=kind, **fields)
        return new, filed.published_on
    before = document.published_on
    if filed.published_on < before:
        raise OlderEdition(
            f"The file is of {filed.published_on}, that of {before} is imported already. Write "
            "the day on which the rulings of this file were put together."
        )
    rows.set_fields(document, fields)
    stated = kind == DocumentKind.HOUSE and filed.published_on > before
    return document, filed.published_on if stated else today


def _refuse_another(filed: FiledDocument, kind: DocumentKind) -> None:
    same_id = RulingDocument.objects.filter(slug=filed.slug)
    if taken := same_id.exclude(kind=kind, game=filed.game).first():
        raise AnotherDocument(
            f'The id "{filed.slug}" is that of "{taken.title}". Give this document another '
            "title, or write a line with another id."
        )
    named = RulingDocument.objects.filter(
        game=filed.game, title=filed.title, edition=filed.edition
    ).exclude(slug=filed.slug)
    if other := named.first():
        raise AnotherDocument(
            f'"{other}" is there already, with the id "{other.slug}". Write a line with this id, '
            "or give the document another title."
        )


def _future(filed: FiledDocument) -> list[Fault]:
    today = timezone.localdate()
    faults = [
        Fault(ruling.line, FORGOTTEN.format(ruling.date))
        for ruling in filed.rulings
        if ruling.date and ruling.date > today
    ]
    if filed.published_on > today:
        faults.append(Fault(1, FORGOTTEN.format(filed.published_on)))
    return faults


class _Edition:
    """An edition compared with the stored rulings; the constructor writes nothing."""

    def __init__(
        self,
        document: RulingDocument,
        entries: list[Resolved],
        since: date,
        by: User | None,
        unknown_cards: tuple[str, ...],
    ) -> None:
        self.document = document
        self.entries = entries
        self.since = since
        self.by = by
        self.unknown_cards = unknown_cards
        rulings = Ruling.objects.filter(document_id=document.pk)
        self.known = {ruling.code: ruling for ruling in rulings}
        self.versions = wordings.versions_of(document)
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

    def filed(self) -> Filed:
        created = [row for code, row in self.digest.items() if code not in self.known]
        returned = [self.digest[code] for code in self.again]
        rewritten = [
            row
            for code, row in self.digest.items()
            if code in self.known
            and code not in self.again
            and not wordings.is_known(row, self.versions.get(self.known[code].pk, []))
        ]
        groups = {CREATED: created, REWRITTEN: rewritten, RETURNED: returned}
        changes = [
            self._change(what, row)
            for what, rows_ in groups.items()
            for row in sorted(rows_, key=lambda row: row.number)
        ]
        withdrawn = sorted(self.gone, key=lambda ruling: ruling.number)
        return Filed(
            document=self.document,
            changes=changes + [self._withdrawal(ruling) for ruling in withdrawn],
            unchanged=len(self.digest) - len(changes),
            unknown_cards=self.unknown_cards,
        )

    def _change(self, what: str, row: DigestRuling) -> Change:
        known = self.known.get(row.code)
        short_code = known.short_code if known else row.short_code
        return Change(what, row.code, short_code, row.subject, row.text)

    def _withdrawal(self, ruling: Ruling) -> Change:
        text = next((one.text for one in self.versions.get(ruling.pk, [])), "")
        return Change(WITHDRAWN, ruling.code, ruling.short_code, ruling.subject, text)

    def write(self) -> None:
        self.document.save()
        digest = list(self.digest.values())
        slugs = {entry.key: entry.subject_slug for entry in self.entries}
        names = links.everything_named(
            self.document.game, resolving.topics_of(self.document.game) | slugs
        )
        rulings, _, _ = rows.write_rulings(self.document, digest, names)
        self.document.rulings.filter(code__in=self.again).update(withdrawn_on=None)
        day = max(self.since, self.document.published_on)
        self.document.rulings.filter(pk__in=[one.pk for one in self.gone]).update(withdrawn_on=day)
        reason = f"{wordings.IMPORTED}{self.document}"[:200]
        writing = wordings.Writing(reason, self.by, self.since, frozenset(self.again))
        wordings.write_versions(self.document, digest, rulings, writing)
        links.write_links(digest, rulings, names)
        self._write_superseded(rulings)
        index.update_after_import(self.document)

    def _write_superseded(self, rulings: Mapping[str, Ruling]) -> None:
        superseded = self._superseded()
        named = {code for codes in superseded.values() for code in codes}
        keys = dict(Ruling.objects.filter(code__in=named).values_list("code", "pk"))
        wanted = {
            rulings[code].pk: [keys[other] for other in others]
            for code, others in superseded.items()
        }
        superseding.write(self.document.game, wanted, replace=True)

    def _superseded(self) -> dict[str, tuple[str, ...]]:
        return {
            code: entry.supersedes for code, entry in zip(self.digest, self.entries, strict=True)
        }

    def _refuse_circles(self) -> None:
        superseded = self._superseded()
        others = superseding.codes_of(self.document.game)
        pairs = {(code, other) for code, other in others if code not in superseded}
        pairs |= {(code, other) for code, codes in superseded.items() for other in codes}
        circle = superseding.in_a_circle(pairs)
        lines = [
            entry.filed.line
            for code, entry in zip(self.digest, self.entries, strict=True)
            if code in circle
        ]
        if lines:
            reason = "it stands, through others, in its own place. Take one of supersedes out"
            raise Faulty(Fault(line, reason) for line in lines)

    def _digest(self) -> dict[str, DigestRuling]:
        """Return the entries as digest rows by code, with existing or new codes."""
        codes = codes_of(
            [Wanted(entry.key, entry.filed.text, entry.filed.id) for entry in self.entries],
            [known for ruling in self.known.values() for known in self._as_known(ruling)],
        )
        unnamed = [entry for entry, code in zip(self.entries, codes, strict=True) if not code]
        fresh = iter(resolving.fresh_codes(self.document, unnamed, taken=codes))
        codes = [code or next(fresh) for code in codes]
        new = [code for code in codes if code not in self.known]
        short_codes = dict(zip(new, queries.fresh_short_codes(len(new)), strict=True))
        last = max((ruling.number for ruling in self.known.values()), default=0)
        numbers = {code: last + place for place, code in enumerate(new, start=1)}
        return {
            code: self._row(entry, code, short_codes.get(code, ""), numbers.get(code, 0))
            for entry, code in zip(self.entries, codes, strict=True)
        }

    def _as_known(self, ruling: Ruling) -> Iterator[Known]:
        """Yield the newest and the last imported text, either of which may match."""
        for version in wordings.compared_with(self.versions.get(ruling.pk, [])):
            is_withdrawn = ruling.withdrawn_on is not None
            yield Known(ruling.code, ruling.subject_key, version.text, is_withdrawn)

    def _row(self, entry: Resolved, code: str, short_code: str, number: int) -> DigestRuling:
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

    def _sources(self, entry: Resolved, code: str) -> tuple[Source, ...]:
        """Return the citations of the file, plus manual additions to an unchanged text.

        NetrunnerDB changes the dates of unchanged texts; a new date alone must not create a
        version.
        """
        filed = entry.filed
        source = Source(filed.authority, filed.via, filed.venue, filed.date)
        stated = (source,) if filed.authority else ()
        newest = self.versions.get(self.known[code].pk) if code in self.known else None
        if newest is None or paragraphs(newest[0].text) != filed.text:
            return stated
        before = wordings.sources_of(newest[0])
        if self.document.kind == DocumentKind.NETRUNNERDB:
            is_same = tuple(replace(one, date=filed.date) for one in before) == stated
        else:
            is_same = before[: len(stated)] == stated and bool(stated)
        return before if is_same else stated
