"""Brings a file that others wrote into the tables: house rulings, or those of NetrunnerDB.

The file is an edition of its document. What it changes becomes a new version, what it has no
longer is withdrawn and stays; a code is never given to another ruling.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from core.errors import Refusal
from players.models import User
from rulings import queries
from rulings.importer import index, links, resolving, rows, superseding, wordings
from rulings.importer.resolving import Resolved, Resolver
from rulings.models import DocumentKind, Ruling, RulingDocument, RulingVersion
from rulings.parsing.faults import Fault, Faulty
from rulings.parsing.filed import FiledDocument
from rulings.parsing.house_fields import paragraphs
from rulings.parsing.matching import Known, Wanted, codes_of
from rulings.parsing.records import DigestRuling, Source

FORGOTTEN = "the file has a day to come: {}. Write the day from which it holds, once it is there"


class OlderEdition(Refusal):
    """A newer edition of the document has been imported."""


class AnotherDocument(Refusal):
    """The id of the file is taken by a document of another kind or game."""


@dataclass(frozen=True)
class Filed:
    """What a file changed, as rulings with their versions: each ruling is in one group."""

    document: RulingDocument
    created: list[Ruling]
    rewritten: list[Ruling]
    returned: list[Ruling]
    withdrawn: list[Ruling]
    unchanged: int
    unknown_cards: tuple[str, ...]


@transaction.atomic
def import_filed(filed: FiledDocument, kind: DocumentKind, by: User | None = None) -> Filed:
    """Write an edition. Raises Faulty with every fault, OlderEdition or AnotherDocument.

    Cards that nobody knows are faults of a house file; of other files their rulings are left out
    and their names told.
    """
    # One import at a time: the series of short codes is shared by all documents.
    list(RulingDocument.objects.select_for_update().order_by("pk"))
    document, since = _document(filed, kind)
    resolver = Resolver(document, filed)
    resolver.faults += _future(filed)
    resolver.check_ids()
    entries = list(resolver.resolved(skips_unknown=kind != DocumentKind.HOUSE))
    if resolver.faults:
        raise Faulty(resolver.faults)
    return _Edition(document, entries, since, by).written(tuple(resolver.unknown_cards))


def faults_of_names(filed: FiledDocument) -> list[Fault]:
    """The names of a house file that lead nowhere, without a look at its other lines."""
    resolver = Resolver(RulingDocument(game=filed.game, slug=filed.slug), filed)
    list(resolver.resolved(skips_unknown=False))
    return resolver.faults


def _document(filed: FiledDocument, kind: DocumentKind) -> tuple[RulingDocument, date]:
    """The row of the document, and the day from which this edition changes things."""
    _refuse_another(filed, kind)
    today = timezone.localdate()
    fields = {"title": filed.title, "edition": filed.edition, "published_on": filed.published_on}
    document, is_new = RulingDocument.objects.get_or_create(
        slug=filed.slug, defaults={"game": filed.game, "kind": kind, **fields}
    )
    before = document.published_on
    if filed.published_on < before:
        raise OlderEdition(
            f"The file is of {filed.published_on}, that of {before} is imported already. Write "
            "the day on which the rulings of this file were put together."
        )
    rows.set_fields(document, fields)
    document.save(update_fields=list(fields))
    stated = kind == DocumentKind.HOUSE and filed.published_on > before
    return document, filed.published_on if is_new or stated else today


def _refuse_another(filed: FiledDocument, kind: DocumentKind) -> None:
    """No document takes the id or the name of another one."""
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
    """Writes the rulings of one edition beside those of the edition before."""

    def __init__(
        self, document: RulingDocument, entries: list[Resolved], since: date, by: User | None
    ) -> None:
        self.document = document
        self.entries = entries
        self.since = since
        self.by = by
        self.known = {ruling.code: ruling for ruling in document.rulings.all()}
        self.versions = wordings.versions_of(document)

    def written(self, unknown_cards: tuple[str, ...]) -> Filed:
        """Everything the edition changes, written and told."""
        digest = self._digest()
        again = [code for code in digest if code in self.known and self.known[code].withdrawn_on]
        gone = [
            ruling
            for code, ruling in self.known.items()
            if code not in digest and ruling.withdrawn_on is None
        ]
        rulings, versions = self._write(list(digest.values()), again, gone)
        new = {version.ruling_id for version in versions}
        created = [ruling for code, ruling in rulings.items() if code not in self.known]
        apart = {ruling.pk for ruling in created} | {rulings[code].pk for code in again}
        return Filed(
            document=self.document,
            created=created,
            rewritten=[one for one in rulings.values() if one.pk in new - apart],
            returned=[rulings[code] for code in again],
            withdrawn=gone,
            unchanged=sum(one.pk not in new for one in rulings.values()),
            unknown_cards=unknown_cards,
        )

    def _write(
        self, digest: Sequence[DigestRuling], again: Sequence[str], gone: Sequence[Ruling]
    ) -> tuple[dict[str, Ruling], list[RulingVersion]]:
        slugs = {entry.key: entry.subject_slug for entry in self.entries}
        names = links.everything_named(
            self.document.game, resolving.topics_of(self.document.game) | slugs
        )
        rulings, _, _ = rows.write_rulings(self.document, digest, names)
        self.document.rulings.filter(code__in=again).update(withdrawn_on=None)
        day = max(self.since, self.document.published_on)
        self.document.rulings.filter(code__in=[one.code for one in gone]).update(withdrawn_on=day)
        reason = f"{wordings.IMPORTED}{self.document}"[:200]
        writing = wordings.Writing(reason, self.by, self.since, frozenset(again))
        versions = wordings.write_versions(self.document, digest, rulings, writing)
        links.write_links(digest, rulings, names)
        self._write_superseded(digest, rulings)
        index.update_after_import(self.document)
        return rulings, versions

    def _write_superseded(
        self, digest: Sequence[DigestRuling], rulings: Mapping[str, Ruling]
    ) -> None:
        named = {code for entry in self.entries for code in entry.supersedes}
        keys = dict(Ruling.objects.filter(code__in=named).values_list("code", "pk"))
        wanted = {
            rulings[row.code].pk: [keys[code] for code in entry.supersedes]
            for row, entry in zip(digest, self.entries, strict=True)
        }
        superseding.write(self.document.game, wanted, replace=True)
        circle = superseding.in_a_circle(superseding.pairs_of(self.document.game))
        lines = [
            entry.filed.line
            for row, entry in zip(digest, self.entries, strict=True)
            if rulings[row.code].pk in circle
        ]
        if lines:
            reason = "it stands, through others, in its own place. Take one of supersedes out"
            raise Faulty(Fault(line, reason) for line in lines)

    def _digest(self) -> dict[str, DigestRuling]:
        """The entries as the tables take them, by code, each with the code it keeps or gets."""
        codes = codes_of(
            [Wanted(entry.key, entry.filed.text, entry.filed.id) for entry in self.entries],
            [known for ruling in self.known.values() for known in self._as_known(ruling)],
        )
        unnamed = [entry for entry, code in zip(self.entries, codes, strict=True) if not code]
        fresh = iter(resolving.fresh_codes(self.document, unnamed, taken=codes))
        codes = [code or next(fresh) for code in codes]
        new = [code for code in codes if code not in self.known]
        short_codes = dict(zip(new, queries.fresh_short_codes("R", len(new)), strict=True))
        last = self.document.rulings.aggregate(last=Max("number"))["last"] or 0
        numbers = {code: last + place for place, code in enumerate(new, start=1)}
        return {
            code: self._row(entry, code, short_codes.get(code, ""), numbers.get(code, 0))
            for entry, code in zip(self.entries, codes, strict=True)
        }

    def _as_known(self, ruling: Ruling) -> Iterator[Known]:
        """It may be found by what the last import said, and by what was written by hand since."""
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
        """Who said it, together with what was added by hand to the same words.

        NetrunnerDB gives old words new days; those alone make no new version.
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
