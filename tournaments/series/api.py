"""Series in the API."""

from django.utils.decorators import method_decorator
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import get_or_404, not_found
from core.api_viewsets import endpoint
from core.rate_limits import rate_limited
from tournaments.event.permissions import actor_of
from tournaments.models import Series
from tournaments.series import pages, permissions, queries
from tournaments.series.serializers import (
    QualifiedSerializer,
    SeasonLineSerializer,
    SeriesEventSerializer,
    SeriesSerializer,
)
from tournaments.statistics.serializers import PlayStatisticsSerializer
from tournaments.web.viewsets import SiteViewSet


class SeriesListViewSet(SiteViewSet):
    """Public series."""

    tag = "series"

    @endpoint("series_list", "Public series", SeriesSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Public series, newest first."""
        rows = permissions.public_series().order_by("-pk")
        return self.list_response(rows, SeriesSerializer, targets=queries.shown_targets(rows))


class SeriesViewSet(SiteViewSet):
    """A series, for its readers."""

    tag = "series"
    series: Series

    def load_objects(self, request: Request) -> None:
        slug = self.kwargs["series"]
        self.series, self.actor = (
            get_or_404(Series.objects.all(), "Series", slug=slug),
            actor_of(request),
        )
        if not permissions.can_see(self.actor, self.series):
            raise not_found("Series", slug)

    def cache_control(self) -> dict[str, bool]:
        return {"private": True}

    @endpoint("series_read", "One series", SeriesSerializer)
    def retrieve(self, request: Request, series: str) -> Response:
        """A series with the rules of its table."""
        context = {**self.get_serializer_context(), "targets": queries.shown_targets([self.series])}
        return Response(SeriesSerializer(self.series, context=context).data)

    @endpoint("series_table", "Table of a series", SeasonLineSerializer(many=True))
    @method_decorator(rate_limited("search"))
    def table(self, request: Request, series: str) -> Response:
        """The table, best first, with the points of every finished event."""
        table = pages.series_table(self.series)
        names = queries.shown_players(self.series, [line.player for line in table.lines])
        slugs = {event.pk: event.slug for event in table.events}
        return self.list_response(table.lines, SeasonLineSerializer, slugs=slugs, players=names)

    @endpoint("series_statistics", "Statistics of a series", PlayStatisticsSerializer)
    @method_decorator(rate_limited("expensive"))
    def statistics(self, request: Request, series: str) -> Response:
        """Statistics of the finished events in the most common game. Only public decks count."""
        return Response(PlayStatisticsSerializer(pages.season_statistics(self.series)).data)

    @endpoint("series_qualified", "Qualified players", QualifiedSerializer(many=True))
    @method_decorator(rate_limited("search"))
    def qualified(self, request: Request, series: str) -> Response:
        """Players who have qualified, in the order of qualification, each with the reason."""
        page = pages.qualified_page(self.series)
        return self.list_response(page.lines if page else [], QualifiedSerializer)

    @endpoint("series_events", "Events of a series", SeriesEventSerializer(many=True))
    def events(self, request: Request, series: str) -> Response:
        """The events of the series that its readers can see, in order of date."""
        return self.list_response(queries.shown_events(self.series), SeriesEventSerializer)
