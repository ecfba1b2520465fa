"""What is said on a card."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from decks.models import Card
from rulings.models import LinkKind, Ruling, RulingLink
from rulings.queries.reading import rulings_in_full


@dataclass(frozen=True)
class CardRulings:
    """All that is said about a card, each ruling once, the nearest first."""

    own: list[Ruling]
    followed: list[Ruling]
    mentioning: list[Ruling]
    referring: list[Ruling]

    def __len__(self) -> int:
        return sum(map(len, (self.own, self.followed, self.mentioning, self.referring)))


def on_card(card: Card) -> CardRulings:
    """Its own rulings, those they send the reader to, those that name it, those that send here."""
    links = _links_to(card)
    own = list(rulings_in_full().filter(card=card))
    sent_to = [
        link for ruling in own for link in ruling.links.all() if link.kind == LinkKind.SEE_ALSO
    ]
    seen = {ruling.pk for ruling in own}
    followed = _unseen(_behind(sent_to), seen)
    naming = Q(pk__in=links.filter(kind=LinkKind.MENTIONS).values("ruling"))
    spoken = Q(versions__citations__about_card=card)
    mentioning = _unseen(rulings_in_full().filter(naming | spoken).distinct(), seen)
    sending = links.filter(kind=LinkKind.SEE_ALSO).values("ruling")
    referring = _unseen(rulings_in_full().filter(pk__in=sending), seen)
    return CardRulings(own, followed, mentioning, referring)


def _links_to(card: Card) -> QuerySet[RulingLink]:
    """Links that name the card itself, or the subject that stands for it."""
    slugs = Ruling.objects.filter(card=card).values("subject_slug")
    return RulingLink.objects.filter(Q(card=card) | Q(subject_slug__in=slugs))


def _behind(links: Iterable[RulingLink]) -> QuerySet[Ruling]:
    slugs, cards = set(), set()
    for link in links:
        slugs.add(link.subject_slug)
        cards.add(link.card_id)
    return rulings_in_full().filter(Q(subject_slug__in=slugs - {""}) | Q(card__in=cards - {None}))


def _unseen(rulings: QuerySet[Ruling], seen: set[int]) -> list[Ruling]:
    fresh = [ruling for ruling in rulings if ruling.pk not in seen]
    seen.update(ruling.pk for ruling in fresh)
    return fresh
