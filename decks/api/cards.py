"""Cards and formats to read."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.decorators import method_decorator
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import found_or_404
from core.api_viewsets import ApiViewSet, endpoint
from core.filters import ChoiceFilter
from core.rate_limits import rate_limited
from decks import games, queries, services
from decks.models import Card, CardFaction, CardSet, Format, Side
from decks.serializers import CardSerializer, FormatSerializer

LONGEST_TYPED = 200


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
        max_length=LONGEST_TYPED,
        help_text="Words of the title or of another spelling; case, accents and marks are ignored.",
    )
    game = ChoiceFilter(choices=games.choices(), help_text="The game; onr unless given.")
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
        sought: dict[str, Any] = self.form.cleaned_data
        game = sought["game"] or games.DEFAULT.id
        found = queries.cards_matching(
            sought["search"],
            game=game,
            side=sought["side"],
            type_=sought["type"],
            faction=sought["faction"],
            set_=sought["set"],
            among=_legal(game, sought["legal"]) if sought["legal"] else None,
        )
        return queries.in_full(found)


def _legal(game: str, format_id: str) -> frozenset[int]:
    """The keys of the cards that are legal today. Raises ValidationError without the format."""
    found = services.legal_cards(game, format_id, timezone.localdate())
    if found is None:
        known = ", ".join(id_ for id_, _ in queries.format_choices(game)) or "none"
        raise ValidationError({"legal": [f"Formats of {game}: {known}."]})
    return found


class CardViewSet(ApiViewSet):
    """Cards of every game."""

    queryset = Card.objects.all()

    @endpoint("cards_list", "Cards", CardSerializer(many=True), filters=CardFilter)
    @method_decorator(rate_limited("search"))
    def list(self, request: Request) -> Response:
        """Cards by title; those that begin with the words of a search come first."""
        return self.listed(self.filter_queryset(self.get_queryset()), CardSerializer)

    @endpoint("cards_of_game_read", "One card", CardSerializer)
    def retrieve(self, request: Request, game: str, slug: str) -> Response:
        """The facts of one card, by its game and the slug of its title."""
        cards = queries.in_full(self.get_queryset())
        card = found_or_404(cards, "Card", game=game, slug=slug)
        return Response(CardSerializer(card, context=self.get_serializer_context()).data)


class FormatFilter(django_filters.FilterSet):
    """What a list of formats can be narrowed by."""

    game = ChoiceFilter(choices=games.choices(), help_text="The game; every game unless given.")


class FormatViewSet(ApiViewSet):
    """What may be played, by format."""

    queryset = Format.objects.all()

    @endpoint("formats_list", "Formats", FormatSerializer(many=True), filters=FormatFilter)
    def list(self, request: Request) -> Response:
        """Formats, each with what it allowed from which day on: a card pool and a ban list."""
        return self.listed(self.filter_queryset(queries.formats_in_full()), FormatSerializer)
