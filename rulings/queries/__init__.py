"""What pages and notes ask about rulings."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from django.db.models import Count, Min, Q, QuerySet

from core.text import comparison_key
from decks.games import GameSystem
from decks.models import Card
from matches.models import Match
from rulings.models import LinkKind, MatchNote, Ruling, RulingKind, RulingLink, RulingVersion

MOST_NAMES = 12
# A code as it is typed or pasted: alone, with a version, or as the address of its page.
TYPED_CODE = re.compile(
    r"(?:\S*/)?(?P<code>[a-z0-9]+(?:-[a-z0-9]+)*-[0-9]+)(?:[\s/]+v(?P<version>[0-9]{1,4}))?/?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Subject:
    """A subject of the list with the number of its rulings."""

    section: str
    name: str
    slug: str
    rulings: int
    card_slug: str


@dataclass(frozen=True)
class CardRulings:
    """All that is said about a card, each ruling once, the nearest first."""

    own: list[Ruling]
    followed: list[Ruling]
    mentioning: list[Ruling]
    referring: list[Ruling]

    def __len__(self) -> int:
        return sum(map(len, (self.own, self.followed, self.mentioning, self.referring)))


def rulings_in_full() -> QuerySet[Ruling]:
    """Rulings with all that their pages print, in a fixed number of queries."""
    return Ruling.objects.select_related("card", "document").prefetch_related(
        "versions__citations__about_card", "links__card"
    )


def subjects(kind: str = "") -> list[Subject]:
    """Subjects in the order of the list; of one kind of ruling only, when given."""
    rulings = Ruling.objects.filter(kind=kind) if kind else Ruling.objects.all()
    rows = (
        rulings.order_by()
        .values_list("section", "subject", "subject_slug", "card__slug")
        .annotate(rulings=Count("pk"), first=Min("number"))
        .order_by("first")
    )
    return [
        Subject(section, name, slug, count, card_slug or "")
        for section, name, slug, card_slug, count, _ in rows
    ]


def counts_by_kind() -> dict[str, int]:
    """How many rulings there are of each kind that occurs."""
    rows = Ruling.objects.order_by().values_list("kind").annotate(count=Count("pk"))
    counts = dict(rows)
    return {kind: counts[kind] for kind in RulingKind.values if kind in counts}


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


def on_subject(slug: str) -> list[Ruling]:
    """The rulings of a subject in the order of the list."""
    return list(rulings_in_full().filter(subject_slug=slug))


def sending_to(slug: str) -> list[Ruling]:
    """The rulings elsewhere that send the reader to this subject."""
    sending = RulingLink.objects.filter(kind=LinkKind.SEE_ALSO, subject_slug=slug)
    return list(rulings_in_full().filter(pk__in=sending.values("ruling")))


def referring_to(ruling: Ruling) -> list[Ruling]:
    """Other rulings that name or send to the subject of this one."""
    here = Q(links__subject_slug=ruling.subject_slug)
    if ruling.card_id is not None:
        here |= Q(links__card=ruling.card_id)
    others = Ruling.objects.filter(here).exclude(subject_slug=ruling.subject_slug)
    return list(others.distinct().prefetch_related("versions"))


def neighbours(ruling: Ruling) -> tuple[Ruling | None, Ruling | None]:
    """The rulings before and after it in their document."""
    beside = Ruling.objects.filter(
        document=ruling.document_id, number__in=(ruling.number - 1, ruling.number + 1)
    )
    by_number = {other.number: other for other in beside}
    return by_number.get(ruling.number - 1), by_number.get(ruling.number + 1)


def find_by_code(code: str) -> Ruling | None:
    """The ruling of a code, as typed or pasted: "Lockjaw-1", or the address of its page."""
    if found := TYPED_CODE.fullmatch(code.strip()):
        return Ruling.objects.filter(code=found["code"].lower()).first()
    return None


def version_by_code(code: str) -> RulingVersion | None:
    """The version a code means: the one it names ("lockjaw-1 v2"), else the newest."""
    found = TYPED_CODE.fullmatch(code.strip())
    if found is None:
        return None
    versions = RulingVersion.objects.filter(ruling__code=found["code"].lower())
    if found["version"]:
        versions = versions.filter(number=int(found["version"]))
    return versions.select_related("ruling").order_by("-number").first()


def nearest_codes(code: str) -> list[str]:
    """At most three codes that look like this one."""
    codes = Ruling.objects.order_by("number").values_list("code", flat=True)
    return get_close_matches(code.strip().lower()[:80], list(codes), n=3, cutoff=0.5)


def cards_named(typed: str) -> list[Card]:
    """Cards whose title or another spelling holds the text, those that begin with it first."""
    if not (key := comparison_key(typed).strip(' "*')):
        return []
    named = Q(title_key__contains=key) | Q(aliases__alias_key__contains=key)
    cards = Card.objects.filter(named, game=GameSystem.ONR).distinct()[: 4 * MOST_NAMES]
    ranked = sorted(cards, key=lambda card: (not card.title_key.startswith(key), card.title_key))
    return ranked[:MOST_NAMES]


def topics_named(typed: str) -> list[Subject]:
    """Subjects of the list that are no card and hold the text."""
    key = comparison_key(typed).strip(' "*')
    topics = (subject for subject in subjects() if not subject.card_slug)
    return [topic for topic in topics if key and key in comparison_key(topic.name)][:MOST_NAMES]


def in_order(ids: Iterable[int]) -> list[Ruling]:
    """The rulings of these keys in the order of the keys."""
    wanted = list(ids)
    rulings = rulings_in_full().in_bulk(wanted)
    return [rulings[pk] for pk in wanted if pk in rulings]


def notes_of(match: Match) -> QuerySet[MatchNote]:
    """The notes of a match, oldest first, with authors and cited versions."""
    notes = MatchNote.objects.filter(match=match).select_related("author", "cited__ruling")
    return notes.prefetch_related("cited__citations").order_by("pk")


def times_cited(ruling: Ruling) -> int:
    """How many notes cite any version of the ruling."""
    return MatchNote.objects.filter(cited__ruling=ruling).count()


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
