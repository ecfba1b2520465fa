"""What lists of rulings can be narrowed by."""

from typing import Any

import django_filters
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import ValidationError

from core.filters import ChoiceFilter, DayFilter
from core.text import comparison_key
from decks import games
from decks.models import Card
from decks.services import nearest_cards
from rulings import queries
from rulings.models import (
    Citation,
    DocumentKind,
    LinkKind,
    Ruling,
    RulingDocument,
    RulingKind,
    RulingLink,
    RulingVersion,
    Section,
)
from rulings.words import LONGEST_TYPED

Rulings = QuerySet[Ruling]


@extend_schema_field(OpenApiTypes.BOOL)
class YesFilter(ChoiceFilter):
    """`true` or `false`, for what the filter set does itself."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=[("true", "yes"), ("false", "no")], **kwargs)

    def filter(self, qs: QuerySet[Any], value: str) -> QuerySet[Any]:
        return qs


def _document_choices() -> list[tuple[str, str]]:
    return [(slug, slug) for slug in RulingDocument.objects.values_list("slug", flat=True)]


class ScopeFilter(django_filters.FilterSet):
    """Which game, document and day; what is withdrawn or local is only listed when asked for."""

    game = ChoiceFilter(choices=games.choices(), field_name="document__game")
    document = ChoiceFilter(
        choices=_document_choices, field_name="document__slug", help_text="The slug of a document."
    )
    as_of = DayFilter(method="in_force", help_text="Only what was in force on this day.")
    all = YesFilter(
        help_text="`true`: also rulings that were withdrawn; with `search`, "
        "all that are no longer in force."
    )
    local = YesFilter(help_text="`true`: also rulings of head judges, which hold at their events.")

    def in_force(self, rulings: Rulings, name: str, value: Any) -> Rulings:
        """What was in force that day, with the words it had then."""
        return queries.in_force_on(rulings, value)

    def filter_queryset(self, queryset: Any) -> Any:
        asked = self.form.cleaned_data
        rulings = super().filter_queryset(queryset)
        if asked["all"] != "true" and not asked["as_of"]:
            gone = Q(withdrawn_on__isnull=False, withdrawn_on__lte=timezone.localdate())
            rulings = rulings.exclude(gone)
        if asked["local"] != "true" and not asked["document"]:
            rulings = rulings.exclude(document__kind=DocumentKind.LOCAL)
        return rulings


class RulingFilter(ScopeFilter):
    """What a list of rulings can be narrowed by."""

    search = django_filters.CharFilter(
        method="keep_all",
        max_length=LONGEST_TYPED,
        help_text='Words, or a code; "words in quotes" stand together, vir* is the start of a '
        "word. The best matches come first, as on the search page: rulings in force only, unless "
        "`all` or `as_of` says otherwise.",
    )
    section = ChoiceFilter(choices=Section.choices)
    kind = ChoiceFilter(choices=RulingKind.choices)
    subject = django_filters.CharFilter(
        method="on_subject", max_length=120, help_text="A subject of a list, or its slug."
    )
    card = django_filters.CharFilter(
        method="on_card",
        max_length=140,
        help_text="A card the ruling is about: its slug, title or another spelling. "
        "Of Netrunner, unless `game` says otherwise.",
    )
    related = YesFilter(
        help_text="`true`: with `card`, also the rulings it inherits, those that name it and "
        "those that lead to it, in the order of the page of the card."
    )
    authority = django_filters.CharFilter(
        method="cited", max_length=80, help_text="A part of the name of who said it."
    )

    @classmethod
    def get_filters(cls) -> Any:
        """`from` is no name Python takes for an attribute."""
        days = {
            "from": DayFilter(method="cited", help_text="Said on this day or later."),
            "to": DayFilter(method="cited", help_text="Said on this day or earlier."),
        }
        return {**super().get_filters(), **days}

    def keep_all(self, rulings: Rulings, name: str, value: str) -> Rulings:
        """The search ranks, so it is made where the page is cut: RulingViewSet.list."""
        return rulings

    def filter_queryset(self, queryset: Any) -> Any:
        asked = self.form.cleaned_data
        rulings = super().filter_queryset(queryset)
        if asked["search"] and asked["all"] != "true" and not asked["as_of"]:
            rulings = queries.in_force_on(rulings, timezone.localdate())
        return rulings

    def on_subject(self, rulings: Rulings, name: str, value: str) -> Rulings:
        """By the words of the subject or by its slug."""
        return rulings.filter(Q(subject_slug=value) | Q(subject_key=comparison_key(value)))

    def on_card(self, rulings: Rulings, name: str, value: str) -> Rulings:
        """Rulings about the card; with `related` those are chosen where the page is cut."""
        card = self.asked_card()
        if card is None or self.form.cleaned_data["related"] == "true":
            return rulings
        about = RulingLink.objects.filter(kind=LinkKind.ABOUT, card=card).values("ruling")
        return rulings.filter(Q(card=card) | Q(pk__in=about))

    def cited(self, rulings: Rulings, name: str, value: Any) -> Rulings:
        """By one source of the newest words: who said it, and from when to when."""
        asked = self.form.cleaned_data
        newest = RulingVersion.objects.filter(ruling=OuterRef(OuterRef("pk"))).order_by("-number")
        sources = Citation.objects.filter(version=Subquery(newest.values("pk")[:1]))
        if who := asked["authority"]:
            sources = sources.filter(Q(authority__icontains=who) | Q(via__icontains=who))
        if asked["from"]:
            sources = sources.filter(date__gte=asked["from"])
        if asked["to"]:
            sources = sources.filter(date__lte=asked["to"])
        return rulings.filter(Exists(sources))

    def asked_card(self) -> Card | None:
        """The card of `?card=`; a 400 names the nearest titles where there is none."""
        asked = self.form.cleaned_data
        if not (typed := asked["card"]):
            return None
        game = asked["game"] or games.DEFAULT.id
        key = comparison_key(typed)
        named = Q(slug=typed.lower()) | Q(title_key=key) | Q(aliases__alias_key=key)
        card = Card.objects.filter(named, game=game).order_by("pk").first()
        if card is None:
            nearest = ", ".join(near.title for near in nearest_cards(game, typed))
            hint = f"Did you mean {nearest}?" if nearest else "Look it up at /api/v1/cards/."
            raise ValidationError({"card": [f"There is no such card of {game}. {hint}"]})
        return card
