"""Convert a document of house rulings for export, so that it imports unchanged."""

from rulings.models import LinkKind, Ruling, RulingDocument, Section
from rulings.parsing.filed import FiledDocument, FiledRuling
from rulings.parsing.house_fields import paragraphs


def filed_document(document: RulingDocument) -> FiledDocument:
    """Return the rulings in force, grouped by subject, with their codes as ids."""
    rulings = document.rulings.filter(withdrawn_on=None).order_by("number")
    in_full = rulings.prefetch_related("versions__citations", "links", "supersedes")
    places: dict[str, int] = {}
    for ruling in in_full:
        places.setdefault(ruling.subject_key, len(places))
    by_subject = sorted(in_full, key=lambda ruling: places[ruling.subject_key])
    return FiledDocument(
        title=document.title,
        slug=document.slug,
        published_on=document.published_on,
        game=document.game,
        edition=document.edition,
        rulings=tuple(_filed(ruling) for ruling in by_subject),
    )


def _filed(ruling: Ruling) -> FiledRuling:
    version = ruling.current
    citations = list(version.citations.all()) if version else []
    source = citations[0] if citations else None
    about = [link for link in ruling.links.all() if link.kind == LinkKind.ABOUT]
    return FiledRuling(
        subject=ruling.subject,
        sort="topic" if ruling.section == Section.GENERAL else "card",
        text=paragraphs(version.text) if version else "",
        kind=ruling.kind,
        authority=source.authority if source else "",
        via=source.via if source else "",
        venue=source.venue if source else "",
        date=source.date if source else None,
        id=ruling.code,
        supersedes=tuple(one.code for one in ruling.supersedes.all()),
        cards=tuple(link.name for link in about if link.card_id is not None),
        topics=tuple(link.name for link in about if link.card_id is None),
    )
