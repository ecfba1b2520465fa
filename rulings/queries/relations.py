"""What rulings have to do with a card, as one list."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from decks.models import Card
from rulings.models import Ruling
from rulings.queries.cards import on_card


class Relation(StrEnum):
    """Why a ruling is told on a card."""

    OWN = "own"
    INHERITED = "inherited"
    FOLLOWED = "followed"
    MENTIONS = "mentions"
    REFERS = "refers"


def relations_to(card: Card) -> Iterator[tuple[int, Relation]]:
    """(key of a ruling, why) in the order of the page of the card, each ruling once."""
    told = on_card(card)
    inherited = [ruling for one in told.inherited for ruling in one.rulings]
    groups: tuple[tuple[Relation, Iterable[Ruling]], ...] = (
        (Relation.OWN, [*told.errata, *told.own]),
        (Relation.INHERITED, inherited),
        (Relation.FOLLOWED, told.followed),
        (Relation.MENTIONS, told.mentioning),
        (Relation.REFERS, told.referring),
    )
    for relation, rulings in groups:
        for ruling in rulings:
            yield ruling.pk, relation
