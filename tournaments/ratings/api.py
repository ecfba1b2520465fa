"""Ratings in the API: the list of a game, and the history of a player."""

import django_filters
from django.db.models import QuerySet
from django.utils.decorators import method_decorator
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import get_or_404, not_found
from core.api_viewsets import endpoint
from core.rate_limits import rate_limited
from decks.games import GAMES
from tournaments.models import Rating
from tournaments.ratings import pages, queries
from tournaments.ratings.serializers import RankedSerializer, RatingHistorySerializer
from tournaments.web.viewsets import SiteViewSet


class RatingFilter(django_filters.FilterSet):
    search = django_filters.CharFilter(
        max_length=queries.LONGEST_NAME,
        method="filter_search",
        help_text="Part of the name. Case, accents and punctuation are ignored.",
    )

    def filter_search(self, rows: QuerySet[Rating], _name: str, name: str) -> QuerySet[Rating]:
        return queries.filter_by_name(rows, name)


class RatingViewSet(SiteViewSet):
    """Ratings of the players of a game."""

    tag = "ratings"
    queryset = Rating.objects.all()

    @endpoint("ratings_list", "Ratings", RankedSerializer(many=True), filters=RatingFilter)
    @method_decorator(rate_limited("search"))
    def list(self, request: Request, game: str) -> Response:
        """Rated players of a game, strongest first. Places refer to the unfiltered list."""
        _refuse_unknown_game(game)
        page = self.paginate_queryset(self.filter_queryset(queries.listed_ratings(game)))
        lines = pages.ranked_lines(page or (), queries.listed_values(game))
        return self.get_paginated_response(RankedSerializer(lines, many=True).data)

    @endpoint("ratings_read", "One player's rating over time", RatingHistorySerializer)
    def retrieve(self, request: Request, game: str, pk: int) -> Response:
        """The current rating and the rating after each day of play. `id` is the player's id."""
        _refuse_unknown_game(game)
        history = pages.rating_history(
            get_or_404(queries.players_with_visible_rating(), "Player", pk=pk), game
        )
        if history is None:
            raise not_found("Rating of player", pk)
        return Response(RatingHistorySerializer(history).data)


def _refuse_unknown_game(game: str) -> None:
    if game not in GAMES:
        raise not_found("Game", game)
