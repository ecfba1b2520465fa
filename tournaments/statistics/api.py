"""Statistics of an event and of the site in the API."""

from typing import Any

import django_filters
from django.utils.decorators import method_decorator
from django_filters.utils import translate_validation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_viewsets import endpoint
from core.filters import ChoiceFilter, DayFilter
from core.rate_limits import rate_limited
from decks import games
from decks.queries import format_choices
from tournaments.statistics import queries, stored_counts
from tournaments.statistics.pages import statistics_of_event, statistics_of_scope
from tournaments.statistics.serializers import PlayStatisticsSerializer
from tournaments.web.viewsets import EventViewSet, SiteViewSet


def _format_choices() -> list[tuple[str, str]]:
    # The same format in two games is one choice.
    return list(dict(choice for game in games.GAMES for choice in format_choices(game)).items())


@extend_schema_field(OpenApiTypes.STR)
class StatisticsFormatFilter(ChoiceFilter):
    """Filter by format."""


class StatisticsFilter(django_filters.FilterSet):
    """Filters of the statistics of the site."""

    game = ChoiceFilter(
        choices=games.choices(), help_text="The game. The default is the game with the most events."
    )
    format = StatisticsFormatFilter(
        field_name="deck_rules__format_id", choices=_format_choices, help_text="The id of a format."
    )
    starts_on_after = DayFilter(
        field_name="starts_on", lookup_expr="gte", help_text="This day or later."
    )
    starts_on_before = DayFilter(
        field_name="starts_on", lookup_expr="lte", help_text="This day or earlier."
    )


class SiteStatisticsViewSet(SiteViewSet):
    """Statistics of all finished public events."""

    tag = "statistics"
    queryset = queries.finished_public_events()

    @endpoint(
        "statistics_read",
        "Statistics of the site",
        PlayStatisticsSerializer,
        filters=StatisticsFilter,
    )
    @method_decorator(rate_limited("expensive"))
    def retrieve(self, request: Request) -> Response:
        """Statistics of the finished public events of one game. Only public decks count."""
        filters = StatisticsFilter(request.query_params, self.get_queryset(), request=request)
        if not filters.is_valid():
            raise translate_validation(filters.errors)
        values, site = filters.form.cleaned_data, stored_counts.site_events()
        scope = stored_counts.scope_of_site(
            values["game"] or site.usual_game,
            values["format"],
            values["starts_on_after"],
            values["starts_on_before"],
            is_large=site.is_large,
        )
        return Response(PlayStatisticsSerializer(statistics_of_scope(scope)).data)


class EventStatisticsViewSet(EventViewSet):
    """Statistics of one event."""

    tag = "statistics"

    @endpoint("events_statistics", "Statistics of an event", PlayStatisticsSerializer, shared=True)
    def retrieve(self, request: Request, **kwargs: Any) -> Response:
        """Public statistics of an event. Until it is finished, small groups are left out."""
        return Response(PlayStatisticsSerializer(statistics_of_event(self.tournament)).data)
