"""Rulings as their pages print them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Min, Prefetch, Q, QuerySet, Window

from decks.models import Catalogue
from rulings.models import (
    DocumentKind,
    LinkKind,
    Ruling,
    RulingDocument,
    RulingKind,
    RulingLink,
    RulingStamp,
    RulingVersion,
    card_url,
    subject_url,
)
from rulings.parsing.records import Source

PUBLISHED = ~Q(document__kind=DocumentKind.LOCAL) | Q(adopted_at__isnull=False)


@dataclass(frozen=True)
class Subject:
    """A subject of a list with the number of its rulings; `url` has them all."""

    section: str
    name: str
    slug: str
    rulings: int
    game: str
    url: str


def published() -> QuerySet[Ruling]:
    """The rulings for everybody: all but local ones that this site has not adopted."""
    return Ruling.objects.filter(PUBLISHED)


def rulings_in_full(among: QuerySet[Ruling] | None = None) -> QuerySet[Ruling]:
    """Rulings with all that their pages print, in a fixed number of queries.

    The published ones, unless others are given.
    """
    superseding = Ruling.objects.select_related("document").prefetch_related("versions")
    rulings = published() if among is None else among
    return rulings.select_related("card", "document").prefetch_related(
        "versions__citations__about_card",
        "links__card",
        Prefetch("superseded_by", superseding),
        "supersedes",
    )


def listed(game: str = "", kind: str = "") -> QuerySet[Ruling]:
    """The rulings of an index: those that hold at every event.

    Sections of the rules have pages of their own; local rulings stand with their documents.
    """
    elsewhere = DocumentKind.REFERENCE, DocumentKind.LOCAL
    rulings = Ruling.objects.exclude(document__kind__in=elsewhere)
    rulings = rulings.filter(document__game=game) if game else rulings
    return rulings.filter(kind=kind) if kind else rulings


def subjects(among: QuerySet[Ruling]) -> list[Subject]:
    """The subjects of these rulings in the order of their lists."""
    rows = (
        among.order_by()
        .values("document__game", "section", "subject_slug")
        .annotate(
            rulings=Count("pk"),
            first=Min("number"),
            name=Min("subject"),
            # Two spellings of a card are one subject; a card without a page has no slug.
            on_card=Min("card__slug"),
        )
        .order_by("first", "subject_slug")
    )
    return [_subject(row) for row in rows]


def counts_by_kind(among: QuerySet[Ruling]) -> dict[str, int]:
    """How many of these rulings there are of each kind that occurs."""
    rows = among.order_by().values_list("kind")
    counts = dict(rows.annotate(count=Count("pk")))
    return {kind: counts[kind] for kind in RulingKind.values if kind in counts}


def counts_by_game() -> dict[str, int]:
    """How many rulings there are on each game that has any."""
    rows = listed().order_by().values_list("document__game")
    return dict(rows.annotate(count=Count("pk")))


def documents(game: str) -> list[RulingDocument]:
    """The documents of a game with their `count` of rulings, lists first, local ones last."""
    found = RulingDocument.objects.filter(game=game).exclude(kind=DocumentKind.REFERENCE)
    counted = found.annotate(count=count_of_published()).filter(count__gt=0)
    kinds = list(DocumentKind.values)
    return sorted(counted.order_by("title"), key=lambda one: kinds.index(one.kind))


def count_of_published() -> Count:
    """How many published rulings a document holds."""
    is_for_all = ~Q(kind=DocumentKind.LOCAL) | Q(rulings__adopted_at__isnull=False)
    return Count("rulings", filter=is_for_all)


def on_subject(slug: str, game: str) -> list[Ruling]:
    """The rulings of a subject in the order of their lists."""
    about = RulingLink.objects.filter(kind=LinkKind.ABOUT, subject_slug=slug)
    named = Q(subject_slug=slug) | Q(pk__in=about.values("ruling"))
    return list(rulings_in_full().filter(named, document__game=game))


def sending_to(slug: str, game: str) -> list[Ruling]:
    """The rulings elsewhere that send the reader to this subject."""
    sending = RulingLink.objects.filter(kind=LinkKind.SEE_ALSO, subject_slug=slug)
    rulings = rulings_in_full().filter(document__game=game)
    return list(rulings.filter(pk__in=sending.values("ruling")))


def led_to(ruling: Ruling) -> list[Ruling]:
    """The rulings that a cross-reference sends its reader to, in the order of their lists."""
    links = [link for link in ruling.links.all() if link.kind == LinkKind.SEE_ALSO]
    return list(behind(links, ruling.document.game).exclude(pk=ruling.pk)) if links else []


def behind(
    links: Iterable[RulingLink], game: str, subjects: Iterable[str] = ()
) -> QuerySet[Ruling]:
    """The rulings on the cards and subjects these links name, and on further subjects."""
    slugs, cards = set(subjects), set()
    for link in links:
        slugs.add(link.subject_slug)
        cards.add(link.card_id)
    named = Q(subject_slug__in=slugs - {""}) | Q(card__in=cards - {None})
    return rulings_in_full().filter(named, document__game=game)


def referring_to(ruling: Ruling) -> list[Ruling]:
    """Other rulings that name or send to the subject of this one."""
    here = Q(links__subject_slug=ruling.subject_slug)
    if ruling.card_id is not None:
        here |= Q(links__card=ruling.card_id)
    others = published().filter(here, document__game=ruling.document.game)
    others = others.exclude(subject_slug=ruling.subject_slug)
    return list(others.distinct().prefetch_related("versions"))


def neighbours(ruling: Ruling) -> tuple[Ruling | None, Ruling | None]:
    """The rulings before and after it in their document."""
    beside = published().filter(
        document=ruling.document_id, number__in=(ruling.number - 1, ruling.number + 1)
    )
    by_number = {other.number: other for other in beside}
    return by_number.get(ruling.number - 1), by_number.get(ruling.number + 1)


def in_order(ids: Iterable[int]) -> list[Ruling]:
    """The rulings of these keys in the order of the keys."""
    wanted = list(ids)
    rulings = rulings_in_full().in_bulk(wanted)
    return [rulings[pk] for pk in wanted if pk in rulings]


def sources_of(version: RulingVersion) -> list[Source]:
    """Who said it, as records that can be compared."""
    return [
        Source(one.authority, one.via, one.venue, one.date, one.about)
        for one in version.citations.all()
    ]


def _subject(row: Mapping[str, Any]) -> Subject:
    game, slug, on_card = row["document__game"], row["subject_slug"], row["on_card"] or ""
    return Subject(
        section=row["section"],
        name=row["name"],
        slug=slug,
        rulings=row["rulings"],
        game=game,
        url=card_url(game, on_card) if on_card else subject_url(game, slug),
    )


def stamp() -> str:
    """Another text after any change of a ruling, version, link, document or card; two queries.

    Committed changes only: what two transactions write at once are two changes.
    """
    newest = RulingStamp.objects.order_by("-pk").annotate(count=Window(Count("pk")))
    ruled = newest.values_list("count", "pk", "value").first()
    cards = Catalogue.objects.order_by("pk").values_list("stamp", flat=True)
    return " ".join(map(str, (*(ruled or ()), *cards)))
