"""Writes versions with their citations, and the original wording beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from players.models import User
from rulings.importer.links import Names
from rulings.models import Citation, Ruling, RulingDocument, RulingVersion
from rulings.parsing.house_fields import paragraphs
from rulings.parsing.records import DigestRuling, Source

BATCH = 100  # rows in one statement
IMPORTED = "Imported: "
"""How the reason of a version begins that came from a file; that of the lists is empty."""


@dataclass(frozen=True)
class Writing:
    """How versions of this import are marked.

    A version of a ruling that has one already is in force from the day of its latest citation;
    where that is no later than the version before says, from `since`. `again` are codes of
    rulings that were withdrawn and are back: they get a version even with the same words.
    """

    reason: str = ""
    by: User | None = None
    since: date | None = None
    again: frozenset[str] = frozenset()


def write_versions(
    document: RulingDocument,
    digest: Sequence[DigestRuling],
    rulings: Mapping[str, Ruling],
    writing: Writing | None = None,
) -> list[RulingVersion]:
    """A new version for each ruling whose text or citations this import has changed.

    What it brings is compared with the newest version, and with the newest of those that imports
    wrote: a version written by hand stays until the source itself says something else.
    """
    writing = writing or Writing()
    written = versions_of(document)
    new = []
    for entry in digest:
        before = written.get(rulings[entry.code].pk, [])
        if entry.code in writing.again or not is_known(entry, before):
            new.append((_version(document, rulings[entry.code], before, entry, writing), entry))
    RulingVersion.objects.bulk_create(version for version, _ in new)
    Citation.objects.bulk_create(
        _citation(version, position, source)
        for version, entry in new
        for position, source in enumerate(entry.sources, start=1)
    )
    return [version for version, _ in new]


def write_cards_spoken_about(document: RulingDocument, names: Names) -> None:
    """Find the card behind the `about` of each citation."""
    spoken = Citation.objects.filter(version__ruling__document=document).exclude(about="")
    changed = []
    for citation in spoken:
        if citation.about_card_id != (card_id := names.card_id(citation.about)):
            citation.about_card_id = card_id
            changed.append(citation)
    Citation.objects.bulk_update(changed, ["about_card"], batch_size=BATCH)


def write_originals(document: RulingDocument, texts: Mapping[str, str]) -> int:
    """Fill in the original wording where it is missing; answers how many rulings gained one.

    A version that was written by hand from other sources is another decision, and has none.
    """
    codes = dict(document.rulings.filter(code__in=texts).values_list("pk", "code"))
    bare = [
        version
        for ruling, versions in versions_of(document).items()
        if ruling in codes
        for version in without_original(versions)
    ]
    for version in bare:
        version.original_text = texts[codes[version.ruling_id]]
    RulingVersion.objects.bulk_update(bare, ["original_text"], batch_size=BATCH)
    return len({version.ruling_id for version in bare})


def without_original(versions: Sequence[RulingVersion]) -> list[RulingVersion]:
    """Those an import wrote, and those by hand that cite the same, while they lack the original."""
    cited = [sources_of(one) for one in versions if is_imported(one)]
    return [
        one
        for one in versions
        if not one.original_text and (is_imported(one) or sources_of(one) in cited)
    ]


def versions_of(document: RulingDocument) -> dict[int, list[RulingVersion]]:
    """The versions of each ruling of the document, newest first, with their citations."""
    versions: dict[int, list[RulingVersion]] = {}
    rows = RulingVersion.objects.filter(ruling__document_id=document.pk).order_by("-number")
    for version in rows.prefetch_related("citations"):
        versions.setdefault(version.ruling_id, []).append(version)
    return versions


def compared_with(before: Sequence[RulingVersion]) -> list[RulingVersion]:
    """Of the versions of a ruling, newest first: the newest, and the newest an import wrote."""
    imported = filter(is_imported, before)
    return list(dict.fromkeys([*before[:1], *islice(imported, 1)]))


def is_imported(version: RulingVersion) -> bool:
    """Whether a file brought it; what is written by hand always has another reason."""
    return not version.reason or version.reason.startswith(IMPORTED)


def by_hand(document: RulingDocument) -> set[int]:
    """The rulings whose newest version somebody wrote by hand, by primary key."""
    rows = RulingVersion.objects.filter(ruling__document=document).order_by("number")
    newest = {one.ruling_id: one for one in rows.only("ruling", "reason")}
    return {ruling for ruling, version in newest.items() if not is_imported(version)}


def is_known(entry: DigestRuling, before: Sequence[RulingVersion]) -> bool:
    """Whether these versions, newest first, say it already, by an import or by hand."""
    return any(
        entry.text in (one.text, paragraphs(one.text)) and sources_of(one) == entry.sources
        for one in compared_with(before)
    )


def _version(
    document: RulingDocument,
    ruling: Ruling,
    before: Sequence[RulingVersion],
    entry: DigestRuling,
    writing: Writing,
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


def sources_of(version: RulingVersion) -> tuple[Source, ...]:
    """Its citations as the readers give them."""
    return tuple(
        Source(citation.authority, citation.via, citation.venue, citation.date, citation.about)
        for citation in version.citations.all()
    )


def _citation(version: RulingVersion, position: int, source: Source) -> Citation:
    return Citation(
        version=version,
        position=position,
        authority=source.authority,
        via=source.via,
        venue=source.venue,
        date=source.date,
        about=source.about,
    )
