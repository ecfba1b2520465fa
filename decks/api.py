"""Cards to read."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView, RetrieveAPIView

from core.api_views import ReadView
from core.filters import ChoiceFilter
from decks import queries
from decks.games import GameSystem
from decks.models import Card, Side
from decks.serializers import CardSerializer

LONGEST_SEARCH = 200


def _types() -> list[tuple[str, str]]:
    types = Card.objects.order_by("type").values_list("type", flat=True).distinct()
    return [(type_, type_) for type_ in types]


def _sets() -> list[tuple[str, str]]:
    names = Card.objects.exclude(set_name="").order_by("set_name")
    return [(name, name) for name in names.values_list("set_name", flat=True).distinct()]


class CardFilter(django_filters.FilterSet):
    """What a list of cards can be narrowed by."""

    search = django_filters.CharFilter(
        max_length=LONGEST_SEARCH,
        help_text="Words of the title or of another spelling; case, accents and marks are ignored.",
    )
    game = ChoiceFilter(choices=GameSystem.choices, help_text="The game; onr unless told.")
    side = ChoiceFilter(choices=Side.choices)
    type = ChoiceFilter(choices=_types, help_text="Such as agenda, ice or program.")
    set = ChoiceFilter(choices=_sets, field_name="set_name", help_text="Such as v1.0.")

    def filter_queryset(self, queryset: QuerySet[Card]) -> QuerySet[Card]:
        asked: dict[str, Any] = self.form.cleaned_data
        return queries.cards_matching(
            asked["search"],
            game=asked["game"] or GameSystem.ONR,
            side=asked["side"],
            type_=asked["type"],
            set_name=asked["set"],
        ).prefetch_related("aliases")


@extend_schema_view(get=extend_schema(operation_id="cards_list", summary="Cards"))
class CardList(ReadView, ListAPIView[Card]):
    """Cards by title; those that begin with the words of a search come first."""

    queryset = Card.objects.all()
    serializer_class = CardSerializer
    filterset_class = CardFilter


@extend_schema_view(get=extend_schema(operation_id="cards_read", summary="One card"))
class CardDetail(ReadView, RetrieveAPIView[Card]):
    """The facts of one card, by the slug of its title."""

    queryset = Card.objects.filter(game=GameSystem.ONR).prefetch_related("aliases")
    serializer_class = CardSerializer
    lookup_field = "slug"
    filter_backends = ()
    pagination_class = None

    def get_object(self) -> Card:
        found: Card = get_object_or_404(self.get_queryset(), slug=self.kwargs["slug"])
        return found
