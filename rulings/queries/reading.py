"""Rulings as their pages print them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Min, Q, QuerySet

from rulings.models import LinkKind, Ruling, RulingKind, RulingLink


@dataclass(frozen=True)
class Subject:
    """A subject of the list with the number of its rulings."""

    section: str
    name: str
    slug: str
    rulings: int
    card_slug: str


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


def in_order(ids: Iterable[int]) -> list[Ruling]:
    """The rulings of these keys in the order of the keys."""
    wanted = list(ids)
    rulings = rulings_in_full().in_bulk(wanted)
    return [rulings[pk] for pk in wanted if pk in rulings]
