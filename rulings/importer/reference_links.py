"""Writes the links of a section of the rules: to cards, and to subjects and pages it names."""

from collections.abc import Iterator, Mapping

from rulings import reference
from rulings.importer import links
from rulings.importer.links import LinkRow, Names
from rulings.models import LinkKind, Ruling, RulingLink


def write_links(
    page: reference.Page,
    rulings: Mapping[reference.Section, Ruling],
    owners: Mapping[str, reference.Page],
) -> tuple[str, ...]:
    """Replace the links that differ; answers the cards that nobody knows.

    `owners` are the pages by the short codes of their sections.
    """
    cards = links.names_of([], page.game)
    named = _rulings_named(rulings, page.game)
    written = _written(rulings)
    wanted = {
        ruling.pk: sorted(_links_of(section, page, cards, named, owners))
        for section, ruling in rulings.items()
    }
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


def _links_of(
    section: reference.Section,
    page: reference.Page,
    cards: Names,
    named: Mapping[str, Ruling],
    owners: Mapping[str, reference.Page],
) -> Iterator[LinkRow]:
    for position, name in enumerate(section.cards, start=1):
        yield LinkKind.MENTIONS.value, position, name, "", cards.card_id(name)
    subjects: dict[str, tuple[str, int | None]] = {}
    for code in reference.codes_in(section.text):
        owner = owners.get(code)
        # A link stays within its game; the code in the text leads everywhere.
        if owner and owner.game == page.game:
            subjects[owner.slug] = (owner.title, None)
        elif ruling := named.get(code):
            subjects[ruling.subject_slug] = (ruling.subject, ruling.card_id)
    subjects.pop(page.slug, None)
    for position, (slug, (name, card_id)) in enumerate(subjects.items(), start=1):
        yield LinkKind.SEE_ALSO.value, position, name, slug, card_id


def _rulings_named(rulings: Mapping[reference.Section, Ruling], game: str) -> dict[str, Ruling]:
    codes = {code for section in rulings for code in reference.codes_in(section.text)}
    found = Ruling.objects.filter(short_code__in=codes, document__game=game)
    return {one.short_code: one for one in found}


def _written(rulings: Mapping[reference.Section, Ruling]) -> dict[int, list[LinkRow]]:
    written: dict[int, list[LinkRow]] = {}
    of_page = RulingLink.objects.filter(ruling__in=[ruling.pk for ruling in rulings.values()])
    for link in of_page.order_by("ruling", "kind", "position"):
        row = (link.kind, link.position, link.name, link.subject_slug, link.card_id)
        written.setdefault(link.ruling_id, []).append(row)
    return written
