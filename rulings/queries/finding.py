"""Filter rulings by criteria other than words: cards, authorities, dates, kinds."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

from rulings.models import Citation, DocumentKind, Ruling, RulingKind, RulingLink, RulingVersion
from rulings.queries.in_force import in_force_on
from rulings.queries.reading import published
from rulings.search import MOST_HITS

SHOWN_ON_A_PHONE = ("versions__citations", "superseded_by__versions", "superseded_by__document")


@dataclass(frozen=True)
class Narrowed:
    """Filters for rulings; empty values do not filter.

    `cards` are primary keys; a ruling must be about one of them or name it. The dates apply to the
    citations, or to the version if there are none. `ended` includes rulings no longer in force.
    `local` includes local rulings by head judges, which otherwise require `document`.
    """

    cards: Collection[int] = field(default_factory=tuple)
    authority: str = ""
    since: date | None = None
    until: date | None = None
    kind: str = ""
    game: str = ""
    document: str = ""
    ended: bool = False
    local: bool = False


def narrowed(asked: Narrowed, today: date, among: QuerySet[Ruling]) -> QuerySet[Ruling]:
    """Return the rulings that match the filters, without an order."""
    same = {
        "kind": asked.kind,
        "document__game": asked.game,
        "document__slug": asked.document,
    }
    rulings = among.filter(**{name: value for name, value in same.items() if value})
    if not asked.document and not asked.local:
        rulings = rulings.exclude(document__kind=DocumentKind.LOCAL)
    if not asked.ended:
        rulings = in_force_on(rulings, today)
    if asked.cards:
        rulings = rulings.filter(_on(asked.cards))
    if asked.authority or asked.since or asked.until:
        rulings = rulings.filter(_said(asked))
    return rulings


def listed_first(rulings: QuerySet[Ruling], cards: Collection[int]) -> list[int]:
    """Return ruling keys: errata of these cards, their other rulings, then by document."""
    own = Q(card__in=list(cards))
    place = Case(
        When(own & Q(kind=RulingKind.ERRATA), then=Value(0)),
        When(own, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    ordered = rulings.order_by(place, "document", "number") if cards else rulings
    return list(ordered.values_list("pk", flat=True)[:MOST_HITS])


def to_choose_from(ids: Iterable[int]) -> list[Ruling]:
    """Return the rulings in the order of the keys, with the data for a list."""
    shown = Ruling.objects.select_related("card", "document").prefetch_related(*SHOWN_ON_A_PHONE)
    wanted = list(ids)
    found = shown.in_bulk(wanted)
    return [found[pk] for pk in wanted if pk in found]


def authorities() -> list[str]:
    """Return all cited authorities in alphabetical order; one query."""
    said = Citation.objects.filter(version__ruling__in=published())
    names = said.order_by("authority").values_list("authority", flat=True)
    return list(names.distinct())


# Uncorrelated subqueries: a correlated subquery per ruling is slow on large tables.
def _on(cards: Collection[int]) -> Q:
    links = RulingLink.objects.filter(card__in=cards).values("ruling")
    said_on = Citation.objects.filter(about_card__in=cards).values("version__ruling")
    return Q(card__in=cards) | Q(pk__in=links) | Q(pk__in=said_on)


def _said(asked: Narrowed) -> Q:
    days = {"gte": asked.since, "lte": asked.until}
    limits = {name: day for name, day in days.items() if day}
    dated = Citation.objects.filter(**{f"date__{name}": day for name, day in limits.items()})
    if asked.authority:
        dated = dated.filter(authority__icontains=asked.authority)
        return Q(pk__in=dated.values("version__ruling"))
    begun = RulingVersion.objects.filter(
        **{f"in_force_from__{name}": day for name, day in limits.items()}
    ).exclude(ruling__in=Citation.objects.values("version__ruling"))
    return Q(pk__in=dated.values("version__ruling")) | Q(pk__in=begun.values("ruling"))
