"""Rulings with the data for their pages."""

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
    """A subject of a list with the number of its rulings and their URL."""

    section: str
    name: str
    slug: str
    rulings: int
    game: str
    url: str


def published() -> QuerySet[Ruling]:
    """Return all rulings except local ones that this site has not adopted."""
    return Ruling.objects.filter(PUBLISHED)


def rulings_in_full(among: QuerySet[Ruling] | None = None) -> QuerySet[Ruling]:
    """Prefetch the data for pages of rulings in a fixed number of queries.

    Covers the published rulings by default.
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
    """Return the rulings of an index, which apply to every event.

    Sections of the rules have their own pages; local rulings are listed with their documents.
    """
    elsewhere = DocumentKind.REFERENCE, DocumentKind.LOCAL
    rulings = Ruling.objects.exclude(document__kind__in=elsewhere)
    rulings = rulings.filter(document__game=game) if game else rulings
    return rulings.filter(kind=kind) if kind else rulings


def subjects(among: QuerySet[Ruling]) -> list[Subject]:
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
    rows = among.order_by().values_list("kind")
    counts = dict(rows.annotate(count=Count("pk")))
    return {kind: counts[kind] for kind in RulingKind.values if kind in counts}


def counts_by_game() -> dict[str, int]:
    rows = listed().order_by().values_list("document__game")
    return dict(rows.annotate(count=Count("pk")))


def documents(game: str) -> list[RulingDocument]:
    """Return the documents of a game with `count` of rulings: lists first, local ones last."""
    found = RulingDocument.objects.filter(game=game).exclude(kind=DocumentKind.REFERENCE)
    counted = found.annotate(count=count_of_published()).filter(count__gt=0)
    kinds = list(DocumentKind.values)
    return sorted(counted.order_by("title"), key=lambda one: kinds.index(one.kind))


def count_of_published() -> Count:
    is_for_all = ~Q(kind=DocumentKind.LOCAL) | Q(rulings__adopted_at__isnull=False)
    return Count("rulings", filter=is_for_all)


def on_subject(slug: str, game: str) -> list[Ruling]:
    """Return the rulings on a subject in list order."""
    about = RulingLink.objects.filter(kind=LinkKind.ABOUT, subject_slug=slug)
    named = Q(subject_slug=slug) | Q(pk__in=about.values("ruling"))
    return list(rulings_in_full().filter(named, document__game=game))


def sending_to(slug: str, game: str) -> list[Ruling]:
    """Return the rulings on other subjects that link to this subject."""
    sending = RulingLink.objects.filter(kind=LinkKind.SEE_ALSO, subject_slug=slug)
    rulings = rulings_in_full().filter(document__game=game)
    return list(rulings.filter(pk__in=sending.values("ruling")))


def led_to(ruling: Ruling) -> list[Ruling]:
    """Return the targets of a ruling's cross-references in list order."""
    links = [link for link in ruling.links.all() if link.kind == LinkKind.SEE_ALSO]
    return list(behind(links, ruling.document.game).exclude(pk=ruling.pk)) if links else []


def behind(
    links: Iterable[RulingLink], game: str, subjects: Iterable[str] = ()
) -> QuerySet[Ruling]:
    """Return the rulings on the cards and subjects of the links, and on further subjects."""
    slugs, cards = set(subjects), set()
    for link in links:
        slugs.add(link.subject_slug)
        cards.add(link.card_id)
    named = Q(subject_slug__in=slugs - {""}) | Q(card__in=cards - {None})
    return rulings_in_full().filter(named, document__game=game)


def referring_to(ruling: Ruling) -> list[Ruling]:
    """Return the rulings on other subjects that name or link to this subject."""
    here = Q(links__subject_slug=ruling.subject_slug)
    if ruling.card_id is not None:
        here |= Q(links__card=ruling.card_id)
    others = published().filter(here, document__game=ruling.document.game)
    others = others.exclude(subject_slug=ruling.subject_slug)
    return list(others.distinct().prefetch_related("versions"))


def neighbours(ruling: Ruling) -> tuple[Ruling | None, Ruling | None]:
    beside = published().filter(
        document=ruling.document_id, number__in=(ruling.number - 1, ruling.number + 1)
    )
    by_number = {other.number: other for other in beside}
    return by_number.get(ruling.number - 1), by_number.get(ruling.number + 1)


def in_order(ids: Iterable[int]) -> list[Ruling]:
    wanted = list(ids)
    rulings = rulings_in_full().in_bulk(wanted)
    return [rulings[pk] for pk in wanted if pk in rulings]


def sources_of(version: RulingVersion) -> list[Source]:
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
    """Return a string that changes with any ruling, version, link, document or card; two queries.

    It covers committed changes only; concurrent transactions count as two changes.
    """
    newest = RulingStamp.objects.order_by("-pk").annotate(count=Window(Count("pk")))
    ruled = newest.values_list("count", "pk", "value").first()
    cards = Catalogue.objects.order_by("pk").values_list("stamp", flat=True)
    return " ".join(map(str, (*(ruled or ()), *cards)))
