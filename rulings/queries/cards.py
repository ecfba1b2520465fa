"""Rulings that concern a card."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q, QuerySet

from decks import games
from decks.models import Card, Side
from rulings.models import LinkKind, Ruling, RulingKind, RulingLink
from rulings.queries.reading import behind, published, rulings_in_full

ERRATA = (RulingKind.ERRATA, RulingKind.UNOFFICIAL_ERRATA)


@dataclass(frozen=True)
class Inherited:
    """Rulings on another subject that apply to the card too.

    Either a cross-reference of the card points to the subject, or the card has the keyword of the
    subject. `keyword` is then a name such as "Virus programs", otherwise "".
    """

    name: str
    slug: str
    url: str
    keyword: str
    rulings: list[Ruling]


@dataclass(frozen=True)
class CardRulings:
    """All rulings that concern a card, each once, the closest first.

    `errata` and `own` are on the card itself. `inherited` come through its cross-references or
    keywords. `followed` are targets of links in its other rulings. `mentioning` rulings name the
    card or were given about it. `referring` rulings link to it.
    """

    errata: list[Ruling]
    own: list[Ruling]
    inherited: list[Inherited]
    followed: list[Ruling]
    mentioning: list[Ruling]
    referring: list[Ruling]

    def __len__(self) -> int:
        groups = (self.errata, self.own, self.followed, self.mentioning, self.referring)
        return sum(map(len, groups)) + sum(len(one.rulings) for one in self.inherited)


def on_card(card: Card) -> CardRulings:
    """Collect the rulings that concern a card, in a fixed number of queries."""
    links = _links_to(card)
    about = Q(card=card) | Q(pk__in=links.filter(kind=LinkKind.ABOUT).values("ruling"))
    on_it = list(rulings_in_full().filter(about))
    seen = {ruling.pk for ruling in on_it}
    sent_to = _sent_to(on_it)
    keywords = {family.subject_slug: family.name for family in families_of(card)}
    reached = _unseen(behind(sent_to, card.game, keywords), seen)
    inherited = _inherited(on_it, reached, keywords)
    handed_down = {ruling.pk for one in inherited for ruling in one.rulings}
    sent = [ruling for ruling in reached if any(_leads_to(link, ruling) for link in sent_to)]
    naming = Q(pk__in=links.filter(kind=LinkKind.MENTIONS).values("ruling"))
    spoken = Q(versions__citations__about_card=card)
    mentioning = _unseen(rulings_in_full().filter(naming | spoken).distinct(), seen)
    sending = links.filter(kind=LinkKind.SEE_ALSO).values("ruling")
    return CardRulings(
        errata=[ruling for ruling in on_it if ruling.kind in ERRATA],
        own=[ruling for ruling in on_it if ruling.kind not in ERRATA],
        inherited=inherited,
        followed=[ruling for ruling in sent if ruling.pk not in handed_down],
        mentioning=mentioning,
        referring=_unseen(rulings_in_full().filter(pk__in=sending), seen),
    )


def _links_to(card: Card) -> QuerySet[RulingLink]:
    slugs = published().filter(card=card).values("subject_slug")
    by_subject = Q(subject_slug__in=slugs, ruling__document__game=card.game)
    return RulingLink.objects.filter(Q(card=card) | by_subject)


def _sent_to(rulings: Iterable[Ruling]) -> list[RulingLink]:
    links = (link for ruling in rulings for link in ruling.links.all())
    return [link for link in links if link.kind == LinkKind.SEE_ALSO]


def _inherited(
    on_it: Iterable[Ruling], reached: Sequence[Ruling], keywords: Mapping[str, str]
) -> list[Inherited]:
    """Group the inherited rulings by subject. Errata apply only to their own card."""
    references = _sent_to(one for one in on_it if one.kind == RulingKind.CROSS_REFERENCE)
    groups: dict[str, list[Ruling]] = {}
    for ruling in reached:
        is_meant = ruling.subject_slug in keywords or any(
            _leads_to(link, ruling) for link in references
        )
        if is_meant and ruling.kind == RulingKind.RULING:
            groups.setdefault(ruling.subject_slug, []).append(ruling)
    return [
        Inherited(of_it[0].subject, slug, of_it[0].subject_url, keywords.get(slug, ""), of_it)
        for slug, of_it in groups.items()
    ]


def _leads_to(link: RulingLink, ruling: Ruling) -> bool:
    of_card = link.card_id is not None and link.card_id == ruling.card_id
    return of_card or (bool(link.subject_slug) and link.subject_slug == ruling.subject_slug)


def _unseen(rulings: QuerySet[Ruling], seen: set[int]) -> list[Ruling]:
    fresh = [ruling for ruling in rulings if ruling.pk not in seen]
    seen.update(ruling.pk for ruling in fresh)
    return fresh


@dataclass(frozen=True)
class Family:
    """Runner cards of 1996 with a keyword, and the subject with the rulings on them."""

    name: str
    subject_slug: str
    subtype: str
    types: frozenset[str]

    def holds(self, card: Card) -> bool:
        """True if the card is in the family; Virus cards of the Corp are not Virus programs."""
        if (card.game, card.side) != (games.DEFAULT.id, Side.RUNNER) or card.type not in self.types:
            return False
        return self.subtype in [subtype.strip() for subtype in card.subtypes.split(" - ")]


ANY = frozenset({"program", "hardware", "resource", "prep"})
PROGRAM_ONLY = frozenset({"program"})
FAMILIES = (
    Family("Virus programs", "boardwalk", "Virus", PROGRAM_ONLY),
    Family("Daemons", "afreet", "Daemon", PROGRAM_ONLY),
    Family("Noisy cards", "hammer", "Noisy", ANY),
    Family("Stealth cards", "cloak", "Stealth", ANY),
    Family("base links", "access-through-alpha", "Base Link", ANY),
)


def families_of(card: Card) -> tuple[Family, ...]:
    """Return the families of a card, whose rulings it inherits."""
    return tuple(family for family in FAMILIES if family.holds(card))


class Relation(StrEnum):
    OWN = "own"
    INHERITED = "inherited"
    FOLLOWED = "followed"
    MENTIONS = "mentions"
    REFERS = "refers"


def relations_to(card: Card) -> Iterator[tuple[int, Relation]]:
    """Yield (ruling pk, relation) in the order of the card's page, each ruling once."""
    shown = on_card(card)
    inherited = [ruling for one in shown.inherited for ruling in one.rulings]
    groups: tuple[tuple[Relation, Iterable[Ruling]], ...] = (
        (Relation.OWN, [*shown.errata, *shown.own]),
        (Relation.INHERITED, inherited),
        (Relation.FOLLOWED, shown.followed),
        (Relation.MENTIONS, shown.mentioning),
        (Relation.REFERS, shown.referring),
    )
    for relation, rulings in groups:
        for ruling in rulings:
            yield ruling.pk, relation
