"""What can be read of cards and formats by programs."""

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
    FormatSerializer,
    VerdictSerializer,
)

# Cards and formats to read.


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
    """What a list of cards can be narrowed by."""

    search = django_filters.CharFilter(
        max_length=LONGEST_TYPED,
        help_text="Words of the title or of another spelling; case, accents and marks are ignored.",
    )
    game = ChoiceFilter(choices=games.choices(), help_text="The game; onr unless given.")
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
        sought: dict[str, Any] = self.form.cleaned_data
        game = sought["game"] or games.DEFAULT.id
        found = queries.find_cards(
            sought["search"],
            game=game,
            side=sought["side"],
            type_=sought["type"],
            faction=sought["faction"],
            set_=sought["set"],
            among=_legal_card_ids(game, sought["legal"]) if sought["legal"] else None,
        )
        return queries.with_printings(found)


def _legal_card_ids(game: str, format_id: str) -> frozenset[int]:
    """The keys of the cards that are legal today. Raises ValidationError without the format."""
    found = services.legal_card_ids(game, format_id, timezone.localdate())
    if found is None:
        known = ", ".join(id_ for id_, _ in queries.format_choices(game)) or "none"
        raise ValidationError({"legal": [f"Formats of {game}: {known}."]})
    return found


class CardViewSet(ApiViewSet):
    """Cards of every game."""

    tag = "cards"
    queryset = Card.objects.all()

    @endpoint("cards_list", "Cards", CardSerializer(many=True), filters=CardFilter)
    @method_decorator(rate_limited("search"))
    def list(self, request: Request) -> Response:
        """Cards by title; those that begin with the words of a search come first."""
        return self.listed(self.filter_queryset(self.get_queryset()), CardSerializer)

    @endpoint("cards_of_game_read", "One card", CardSerializer)
    def retrieve(self, request: Request, game: str, slug: str) -> Response:
        """The facts of one card, by its game and the slug of its title."""
        cards = queries.with_printings(self.get_queryset())
        card = get_or_404(cards, "Card", game=game, slug=slug)
        return Response(CardSerializer(card, context=self.get_serializer_context()).data)


class FormatFilter(django_filters.FilterSet):
    """What a list of formats can be narrowed by."""

    game = ChoiceFilter(choices=games.choices(), help_text="The game; every game unless given.")


class FormatViewSet(ApiViewSet):
    """What may be played, by format."""

    tag = "cards"
    queryset = Format.objects.all()

    @endpoint("formats_list", "Formats", FormatSerializer(many=True), filters=FormatFilter)
    def list(self, request: Request) -> Response:
        """Formats, each with what it allowed from which day on: a card pool and a ban list."""
        return self.listed(self.filter_queryset(queries.formats_with_snapshots()), FormatSerializer)


# Lists to be judged, or to be written in another form.


LONGEST_TITLE = 120
CHECK_REFUSALS = (
    *(services.NoCards, services.NothingRead, services.SideUnclear),
    *(services.UnknownFormat, services.RuleOfAnotherGame),
)
"""Why a list is not judged at all."""


def _check_arguments(asked: dict[str, Any]) -> dict[str, Any]:
    """By what the list is judged; what was not said is left to the game."""
    return {
        "rules": services.requested_rules(asked["game"], asked),
        **{name: asked.get(name) for name in ("side", "date", "identity")},
    }


class DeckExportSerializer(DeckCheckSerializer):
    """A list to be written in another form."""

    form = serializers.ChoiceField([form.value for form in ExportForm])
    title = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_TITLE, help_text="Else its own name."
    )


class ExportedDeckSerializer(serializers.Serializer[Any]):
    """A deck as a file for another program."""

    filename = serializers.CharField()
    content_type = serializers.CharField()
    text = serializers.CharField()


class DeckListViewSet(ApiViewSet):
    """A list that somebody sends, whoever they are, judged or written in another form.

    Nothing is kept. A list that is not legal is an answer like any other; a 409 says why a list
    was not judged at all, such as a format that does not exist.
    """

    tag = "decks"
    headers_of_writes = ()
    takes_bound_tokens = True

    @endpoint(
        "decks_check",
        "Check a deck list",
        VerdictSerializer,
        body=DeckCheckSerializer,
        who=no_permission_needed,
        scope=READ,
        refusals=CHECK_REFUSALS,
    )
    @method_decorator(rate_limited("expensive"))
    def check(self, request: Request) -> Response:
        """The document of `check_deck --json`."""
        asked = validated_body(DeckCheckSerializer, request)
        verdict = services.check_deck(asked["text"], game=asked["game"], **_check_arguments(asked))
        return Response(verdict.as_document())

    @endpoint(
        "decks_export",
        "Write a deck list in another form",
        ExportedDeckSerializer,
        body=DeckExportSerializer,
        who=no_permission_needed,
        scope=READ,
        refusals=(*CHECK_REFUSALS, services.FormNotOffered, services.CardsNotKnown),
    )
    @method_decorator(rate_limited("expensive"))
    def export(self, request: Request) -> Response:
        """The file, as text."""
        asked = validated_body(DeckExportSerializer, request)
        file = services.export_deck(
            asked["text"],
            game=asked["game"],
            form=asked["form"],
            title=asked.get("title", ""),
            **_check_arguments(asked),
        )
        return Response(ExportedDeckSerializer(file).data)

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        # Whatever answers a POST is kept by nothing.
        del response["Cache-Control"]
        return response
