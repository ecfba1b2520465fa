"""Cards, formats and deck checks in the API."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.decorators import method_decorator
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import get_or_404
from core.api_requests import validated_body
from core.api_viewsets import READ, ApiViewSet, endpoint, no_permission_needed
from core.filters import ChoiceFilter
from core.rate_limits import rate_limited
from decks import games, queries, services
from decks.formats.writers import ExportForm
from decks.models import Card, CardFaction, CardSet, Format, Side
from decks.serializers import (
    CardSerializer,
    DeckCheckSerializer,
    ExportedDeckSerializer,
    FormatSerializer,
    VerdictSerializer,
)

LONGEST_TYPED = 200


def _type_choices() -> list[tuple[str, str]]:
    types = Card.objects.order_by("type").values_list("type", flat=True).distinct()
    return [(type_, type_) for type_ in types]


def _faction_choices() -> list[tuple[str, str]]:
    ids = CardFaction.objects.order_by("faction_id").values_list("faction_id", flat=True)
    return [(faction, faction) for faction in ids.distinct()]


def _set_choices() -> list[tuple[str, str]]:
    names = Card.objects.exclude(set_name="").order_by("set_name")
    ids = CardSet.objects.order_by("set_id").values_list("set_id", flat=True)
    both = [*names.values_list("set_name", flat=True).distinct(), *ids]
    return [(name, name) for name in dict.fromkeys(both)]


class CardFilter(django_filters.FilterSet):
    """Filters of the list of cards."""

    search = django_filters.CharFilter(
        max_length=LONGEST_TYPED,
        help_text="Words of the title or an alternative spelling. Case and accents are ignored.",
    )
    game = ChoiceFilter(choices=games.choices(), help_text="The game. The default is onr.")
    side = ChoiceFilter(choices=Side.choices)
    type = ChoiceFilter(choices=_type_choices, help_text="Such as agenda, ice or program.")
    faction = ChoiceFilter(
        choices=_faction_choices, help_text="The id of a faction, such as shaper."
    )
    set = ChoiceFilter(
        choices=_set_choices,
        field_name="set_name",
        help_text="The name of a set, such as v1.0, or its id, such as system_gateway.",
    )

    legal = django_filters.CharFilter(
        max_length=40, help_text="Legal today in this format of the game, by its id."
    )

    def filter_queryset(self, queryset: QuerySet[Card]) -> QuerySet[Card]:
        filters: dict[str, Any] = self.form.cleaned_data
        game = filters["game"] or games.DEFAULT.id
        cards = queries.find_cards(
            filters["search"],
            game=game,
            side=filters["side"],
            type_=filters["type"],
            faction=filters["faction"],
            set_=filters["set"],
            among=_legal_card_ids(game, filters["legal"]) if filters["legal"] else None,
        )
        return queries.with_printings(cards)


def _legal_card_ids(game: str, format_id: str) -> frozenset[int]:
    """Return the ids of the cards legal today. Raises ValidationError for an unknown format."""
    cards = services.legal_card_ids(game, format_id, timezone.localdate())
    if cards is None:
        known = ", ".join(id_ for id_, _ in queries.format_choices(game)) or "none"
        raise ValidationError({"legal": [f"Formats of {game}: {known}."]})
    return cards


class CardViewSet(ApiViewSet):
    """Cards of every game."""

    tag = "cards"
    queryset = Card.objects.all()

    @endpoint("cards_list", "Cards", CardSerializer(many=True), filters=CardFilter)
    @method_decorator(rate_limited("search"))
    def list(self, request: Request) -> Response:
        """Cards by title. In a search, titles that begin with the words come first."""
        return self.list_response(self.filter_queryset(self.get_queryset()), CardSerializer)

    @endpoint("cards_of_game_read", "One card", CardSerializer)
    def retrieve(self, request: Request, game: str, slug: str) -> Response:
        """A card, by its game and the slug of its title."""
        cards = queries.with_printings(self.get_queryset())
        card = get_or_404(cards, "Card", game=game, slug=slug)
        return Response(CardSerializer(card, context=self.get_serializer_context()).data)


class FormatFilter(django_filters.FilterSet):
    """Filters of the list of formats."""

    game = ChoiceFilter(choices=games.choices(), help_text="The game. The default is every game.")


class FormatViewSet(ApiViewSet):
    """Formats with their card pools and ban lists."""

    tag = "cards"
    queryset = Format.objects.all()

    @endpoint("formats_list", "Formats", FormatSerializer(many=True), filters=FormatFilter)
    def list(self, request: Request) -> Response:
        """Formats with their snapshots: the card pool and ban list in force from each date."""
        return self.list_response(
            self.filter_queryset(queries.formats_with_snapshots()), FormatSerializer
        )


# Decklists to check or to convert.


LONGEST_TITLE = 120
# Reasons why a decklist gets no verdict.
CHECK_REFUSALS = (
    *(services.NoCards, services.NothingRead, services.SideUnclear),
    *(services.UnknownFormat, services.RuleOfAnotherGame),
)


def _check_arguments(body: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `check_deck` apart from the list and the game."""
    return {
        "rules": services.requested_rules(body["game"], body),
        **{name: body.get(name) for name in ("side", "date", "identity")},
    }


class DeckExportSerializer(DeckCheckSerializer):
    """A decklist to convert."""

    form = serializers.ChoiceField([form.value for form in ExportForm])
    title = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_TITLE,
        help_text="The default is its own name.",
    )


class DeckListViewSet(ApiViewSet):
    """Checks and converts a decklist from anyone, without storing it.

    An illegal deck is a normal answer. A 409 means that the list was not checked at all, for
    example because the format does not exist.
    """

    tag = "decks"
    headers_of_writes = ()
    takes_bound_tokens = True

    @endpoint(
        "decks_check",
        "Check a decklist",
        VerdictSerializer,
        body=DeckCheckSerializer,
        permission=no_permission_needed,
        scope=READ,
        refusals=CHECK_REFUSALS,
    )
    @method_decorator(rate_limited("expensive"))
    def check(self, request: Request) -> Response:
        """Check a decklist without storing it. The answer is that of `check_deck --json`."""
        body = validated_body(DeckCheckSerializer, request)
        verdict = services.check_deck(body["text"], game=body["game"], **_check_arguments(body))
        return Response(verdict.as_document())

    @endpoint(
        "decks_export",
        "Convert a decklist",
        ExportedDeckSerializer,
        body=DeckExportSerializer,
        permission=no_permission_needed,
        scope=READ,
        refusals=(*CHECK_REFUSALS, services.FormNotOffered, services.CardsNotKnown),
    )
    @method_decorator(rate_limited("expensive"))
    def export(self, request: Request) -> Response:
        """Write a decklist in another file format. The answer contains the file as text."""
        body = validated_body(DeckExportSerializer, request)
        file = services.export_deck(
            body["text"],
            game=body["game"],
            form=body["form"],
            title=body.get("title", ""),
            **_check_arguments(body),
        )
        return Response(ExportedDeckSerializer(file).data)

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        # Answers to a POST are never cached.
        del response["Cache-Control"]
        return response
