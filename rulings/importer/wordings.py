"""Writes versions with their citations, and the original wording beside them."""

from collections.abc import Mapping, Sequence

from rulings.importer.links import Names
from rulings.models import Citation, Ruling, RulingDocument, RulingVersion
from rulings.parsing.records import DigestRuling, Source

BATCH = 100  # rows in one statement


def write_versions(
    document: RulingDocument, digest: Sequence[DigestRuling], rulings: Mapping[str, Ruling]
) -> int:
    """A new version for each ruling whose text or citations differ from the newest one."""
    newest = _newest_versions(document)
    new = []
    for entry in digest:
        before = newest.get(rulings[entry.code].pk)
        if before is None or (before.text, _sources_of(before)) != (entry.text, entry.sources):
            new.append((_version(document, rulings[entry.code], before, entry), entry.sources))
    RulingVersion.objects.bulk_create(version for version, _ in new)
    Citation.objects.bulk_create(
        _citation(version, position, source)
        for version, sources in new
        for position, source in enumerate(sources, start=1)
    )
    return len(new)


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
    """Fill in the original wording where it is missing; answers how many rulings gained one."""
    bare = RulingVersion.objects.filter(
        ruling__document=document, ruling__code__in=texts, original_text=""
    )
    versions = list(bare.select_related("ruling"))
    for version in versions:
        version.original_text = texts[version.ruling.code]
    RulingVersion.objects.bulk_update(versions, ["original_text"], batch_size=BATCH)
    return len({version.ruling_id for version in versions})


def _newest_versions(document: RulingDocument) -> dict[int, RulingVersion]:
    versions = RulingVersion.objects.filter(ruling__document=document).order_by("number")
    return {version.ruling_id: version for version in versions.prefetch_related("citations")}


def _version(
    document: RulingDocument, ruling: Ruling, before: RulingVersion | None, entry: DigestRuling
) -> RulingVersion:
    dates = [source.date for source in entry.sources if source.date]
    return RulingVersion(
        ruling=ruling,
        number=before.number + 1 if before else 1,
        text=entry.text,
        original_text=before.original_text if before else "",
        in_force_from=max(dates, default=document.published_on),
    )


def _sources_of(version: RulingVersion) -> tuple[Source, ...]:
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
