"""Write versions with their citations and the original wording."""

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
# Prefix of the reason of an imported version; versions from the lists have an empty reason.
IMPORTED = "Imported: "


@dataclass(frozen=True)
class Writing:
    """Metadata for the versions of an import.

    A version takes effect on the day of its latest citation. If the previous version started then
    or later, it takes effect on `since`, but not before the previous version. `again` are codes of
    withdrawn rulings that are back: they get a version even if the text is unchanged.
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
    """Add a version for each ruling whose text or citations changed in this import.

    The entry is compared with the newest version and the newest imported version. A manual edit
    therefore stays until the source itself changes.
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
    spoken = Citation.objects.filter(version__ruling__document=document).exclude(about="")
    changed = []
    for citation in spoken:
        if citation.about_card_id != (card_id := names.card_id(citation.about)):
            citation.about_card_id = card_id
            changed.append(citation)
    Citation.objects.bulk_update(changed, ["about_card"], batch_size=BATCH)


def write_originals(document: RulingDocument, texts: Mapping[str, str]) -> int:
    """Fill in missing original wordings and return the number of rulings concerned.

    A manual version with other citations is a different decision and gets no original wording.
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
    """Return versions without original wording that are imported or have imported citations."""
    cited = [sources_of(one) for one in versions if is_imported(one)]
    return [
        one
        for one in versions
        if not one.original_text and (is_imported(one) or sources_of(one) in cited)
    ]


def versions_of(document: RulingDocument) -> dict[int, list[RulingVersion]]:
    """Return the versions of each ruling, newest first, with their citations."""
    versions: dict[int, list[RulingVersion]] = {}
    rows = RulingVersion.objects.filter(ruling__document_id=document.pk).order_by("-number")
    for version in rows.prefetch_related("citations"):
        versions.setdefault(version.ruling_id, []).append(version)
    return versions


def compared_with(before: Sequence[RulingVersion]) -> list[RulingVersion]:
    """Return the newest version and the newest imported version, without duplicates."""
    imported = filter(is_imported, before)
    return list(dict.fromkeys([*before[:1], *islice(imported, 1)]))


def is_imported(version: RulingVersion) -> bool:
    """True for imported versions; manual edits always have another reason."""
    return not version.reason or version.reason.startswith(IMPORTED)


def by_hand(document: RulingDocument) -> set[int]:
    """Primary keys of the rulings with a manual edit as their newest version."""
    rows = RulingVersion.objects.filter(ruling__document=document).order_by("number")
    newest = {one.ruling_id: one for one in rows.only("ruling", "reason")}
    return {ruling for ruling, version in newest.items() if not is_imported(version)}


def is_known(entry: DigestRuling, before: Sequence[RulingVersion]) -> bool:
    """True if a version, imported or manual, already has this text and these citations."""
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
