"""Update the search entries to the newest versions."""

from core import table_statistics
from rulings.models import LinkKind, Ruling, RulingDocument, SearchEntry
from rulings.words import folded_words, squeezed_words

FIELDS = ("heading", "body", "source")


def update(document: RulingDocument) -> int:
    """Write the entries that differ and return their number.

    The database updates the full-text index automatically.
    """
    written = {
        entry.ruling_id: entry for entry in SearchEntry.objects.filter(ruling__document=document)
    }
    rulings = document.rulings.select_related("card").prefetch_related(
        "versions__citations", "links"
    )
    wanted = [entry_of(ruling) for ruling in rulings]
    stale = [entry for entry in wanted if not _same(entry, written.get(entry.ruling_id))]
    SearchEntry.objects.bulk_create(
        stale, update_conflicts=True, unique_fields=["ruling"], update_fields=FIELDS
    )
    return len(stale)


def update_after_import(document: RulingDocument) -> int:
    """Refresh table statistics first; with outdated statistics the query could take seconds."""
    table_statistics.renew("rulings")
    return update(document)


def entry_of(ruling: Ruling) -> SearchEntry:
    """Build the entry of a ruling: subjects and codes; our text; original wording and citations."""
    about = [link.name for link in ruling.links.all() if link.kind == LinkKind.ABOUT]
    title = ruling.card.title if ruling.card else ""
    titles = [ruling.subject, ruling.heading, title, ruling.short_code, *about]
    heading = [word for title in titles for word in folded_words(title) + squeezed_words(title)]
    version = ruling.current
    citations = version.citations.all() if version else []
    names = [f"{one.authority} {one.via} {one.venue} {one.date or ''}" for one in citations]
    return SearchEntry(
        ruling=ruling,
        heading=" ".join(heading + folded_words(ruling.code)),
        body=" ".join(folded_words(version.text)) if version else "",
        source=" ".join(folded_words(" ".join([version.original_text if version else "", *names]))),
    )


def _same(entry: SearchEntry, other: SearchEntry | None) -> bool:
    return other is not None and all(
        getattr(entry, field) == getattr(other, field) for field in FIELDS
    )
