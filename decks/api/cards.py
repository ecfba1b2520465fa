"""Cards and formats to read."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.decorators import method_decorator
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import extend_schema_view
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView, RetrieveAPIView

from core.api_views import ReadView
from core.filters import ChoiceFilter
from core.openapi import operation
from core.rate_limits import rate_limited
from decks import games, queries, services
from decks.models import Card, CardFaction, CardSet, Format, Side
from decks.serializers import CardSerializer, FormatSerializer

LONGEST_SEARCH = 200


def _types() -> list[tuple[str, str]]:
    types = Card.objects.order_by("type").values_list("type", flat=True).distinct()
    return [(type_, type_) for type_ in types]


def _factions() -> list[tuple[str, str]]:
    ids = CardFaction.objects.order_by("faction_id").values_list("faction_id", flat=True)
    return [(faction, faction) for faction in ids.distinct()]


def _sets() -> list[tuple[str, str]]:
    names = Card.objects.exclude(set_name="").order_by("set_name")
    ids = CardSet.objects.order_by("set_id").values_list("set_id", flat=True)
    both = [*names.values_list("set_name", flat=True).distinct(), *ids]
    return [(name, name) for name in dict.fromkeys(both)]


class CardFilter(django_filters.FilterSet):
    """What a list of cards can be narrowed by."""

    search = django_filters.CharFilter(
        max_length=LONGEST_SEARCH,
        help_text="Words of the title or of another spelling; case, accents and marks are ignored.",
    )
    game = ChoiceFilter(choices=games.choices(), help_text="The game; onr unless told.")
    side = ChoiceFilter(choices=Side.choices)
    type = ChoiceFilter(choices=_types, help_text="Such as agenda, ice or program.")
    faction = ChoiceFilter(choices=_factions, help_text="The id of a faction, such as shaper.")
    set = ChoiceFilter(
        choices=_sets,
        field_name="set_name",
        help_text="The name of a set, such as v1.0, or its id, such as system_gateway.",
    )

    legal = django_filters.CharFilter(
        max_length=40, help_text="Legal today in this format of the game, by its id."
    )

    def filter_queryset(self, queryset: QuerySet[Card]) -> QuerySet[Card]:
        asked: dict[str, Any] = self.form.cleaned_data
        game = asked["game"] or games.DEFAULT.id
        found = queries.cards_matching(
            asked["search"],
            game=game,
            side=asked["side"],
            type_=asked["type"],
            faction=asked["faction"],
            set_=asked["set"],
            among=_legal(game, asked["legal"]) if asked["legal"] else None,
        )
        return queries.in_full(found)


def _legal(game: str, format_id: str) -> frozenset[int]:
    """The keys of the cards that are legal today. Raises ValidationError without the format."""
    found = services.legal_cards(game, format_id, timezone.localdate())
    if found is None:
        known = ", ".join(id_ for id_, _ in queries.format_choices(game)) or "none"
        raise ValidationError({"legal": [f"Formats of {game}: {known}."]})
    return found


@method_decorator(rate_limited("search"), "get")
@extend_schema_view(get=operation("cards_list", "Cards"))
class CardList(ReadView, ListAPIView[Card]):
    """Cards by title; those that begin with the words of a search come first."""

    queryset = Card.objects.all()
    serializer_class = CardSerializer
    filter_backends = [DjangoFilterBackend]
    filterset_class = CardFilter


class _OneCard(ReadView, RetrieveAPIView[Card]):
    queryset = Card.objects.all()
    serializer_class = CardSerializer
    lookup_field = "slug"
    pagination_class = None

    def get_object(self) -> Card:
        game = self.kwargs.get("game", games.DEFAULT.id)
        cards = queries.in_full(self.get_queryset())
        found: Card = get_object_or_404(cards, game=game, slug=self.kwargs["slug"])
        return found


@extend_schema_view(get=operation("cards_of_game_read", "One card"))
class CardDetail(_OneCard):
    """The facts of one card, by its game and the slug of its title."""


@extend_schema_view(get=operation("cards_read", "One card of Netrunner (1996)"))
class OnrCardDetail(_OneCard):
    """The facts of one card of `onr`, by the slug of its title; as `/cards/onr/{slug}/`."""


class FormatFilter(django_filters.FilterSet):
    """What a list of formats can be narrowed by."""

    game = ChoiceFilter(choices=games.choices(), help_text="The game; every game unless told.")


@extend_schema_view(get=operation("formats_list", "Formats"))
class FormatList(ReadView, ListAPIView[Format]):
    """Formats, each with what it allowed from which day on: a card pool and a ban list."""

    queryset = Format.objects.all()
    serializer_class = FormatSerializer
    filter_backends = [DjangoFilterBackend]
    filterset_class = FormatFilter

    def get_queryset(self) -> QuerySet[Format]:
        return queries.formats_in_full()
