"""Resolve names to cards or subjects, and write the links between rulings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.text import comparison_key
from decks.models import Card, CardAlias
from rulings.models import LinkKind, Ruling, RulingLink
from rulings.parsing.records import DigestRuling

LinkRow = tuple[str, int, str, str, int | None]


@dataclass(frozen=True)
class Names:
    """Cards and subjects by the comparison key of their names."""

    cards: Mapping[str, int]
    subjects: Mapping[str, str]

    def card_id(self, name: str) -> int | None:
        return self.cards.get(comparison_key(name))

    def subject_slug(self, name: str) -> str:
        """Slug of the subject with that name, or of the card with that name; "" for neither."""
        if slug := self.subjects.get(comparison_key(name)):
            return slug
        card_id = self.card_id(name)
        of_card = (slug for key, slug in self.subjects.items() if self.cards.get(key) == card_id)
        return next(of_card, "") if card_id else ""


def everything_named(game: str, subjects: Mapping[str, str]) -> Names:
    aliases = CardAlias.objects.filter(card__game=game).values_list("alias_key", "card_id")
    titles = Card.objects.filter(game=game).values_list("title_key", "pk")
    return Names(dict(aliases) | dict(titles), subjects)


def names_of(digest: Sequence[DigestRuling], game: str) -> Names:
    """Return all cards and subjects. A title takes precedence over another card's alias."""
    subjects = {comparison_key(entry.subject): entry.subject_slug for entry in digest}
    return everything_named(game, subjects)


def write_links(
    digest: Sequence[DigestRuling], rulings: Mapping[str, Ruling], names: Names
) -> tuple[str, ...]:
    """Replace the links that differ; return the names that cannot be resolved."""
    return replace({rulings[entry.code].pk: list(_links_of(entry, names)) for entry in digest})


def replace(wanted: Mapping[int, Sequence[LinkRow]]) -> tuple[str, ...]:
    """Replace the links that differ, by ruling pk; return the names that cannot be resolved."""
    written = _written(wanted)
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


def _links_of(entry: DigestRuling, names: Names) -> Iterator[LinkRow]:
    for kind, linked in (
        (LinkKind.ABOUT, entry.about),
        (LinkKind.MENTIONS, entry.mentions),
        (LinkKind.SEE_ALSO, entry.see_also),
    ):
        for position, name in enumerate(linked, start=1):
            yield kind.value, position, name, names.subject_slug(name), names.card_id(name)


def _written(rulings: Iterable[int]) -> dict[int, list[LinkRow]]:
    links = RulingLink.objects.filter(ruling__in=rulings)
    rows: dict[int, list[LinkRow]] = {}
    for link in links.order_by("ruling", "kind", "position"):
        row = (link.kind, link.position, link.name, link.subject_slug, link.card_id)
        rows.setdefault(link.ruling_id, []).append(row)
    return rows
