"""Series and their tables in the API."""

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
    """The series of the site."""

    tag = "series"

    @endpoint("series_list", "Public series", SeriesSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Public series, the newest first."""
        rows = permissions.public_series().order_by("-pk")
        return self.listed(rows, SeriesSerializer, targets=queries.shown_targets(rows))


class SeriesViewSet(SiteViewSet):
    """One series: how it counts, its table and its events; for those who may read it."""

    tag = "series"
    series: Series

    def find(self, request: Request) -> None:
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
        """How the series counts."""
        context = {**self.get_serializer_context(), "targets": queries.shown_targets([self.series])}
        return Response(SeriesSerializer(self.series, context=context).data)

    @endpoint("series_table", "The table", SeasonLineSerializer(many=True))
    @method_decorator(rate_limited("search"))
    def table(self, request: Request, series: str) -> Response:
        """Everybody in the table, first to last, with what each finished event brought."""
        table = pages.series_table(self.series)
        names = queries.shown_players(self.series, [line.player for line in table.lines])
        slugs = {event.pk: event.slug for event in table.events}
        return self.listed(table.lines, SeasonLineSerializer, slugs=slugs, players=names)

    @endpoint("series_statistics", "Statistics of a series", PlayStatisticsSerializer)
    @method_decorator(rate_limited("expensive"))
    def statistics(self, request: Request, series: str) -> Response:
        """Of its finished events, of the game most of them are of; decks where all may see them."""
        return Response(PlayStatisticsSerializer(pages.season_statistics(self.series)).data)

    @endpoint("series_qualified", "Who qualified", QualifiedSerializer(many=True))
    @method_decorator(rate_limited("search"))
    def qualified(self, request: Request, series: str) -> Response:
        """Who qualified so far, and how, in the order in which they did."""
        page = pages.qualified_page(self.series)
        return self.listed(page.lines if page else [], QualifiedSerializer)

    @endpoint("series_events", "Events of a series", SeriesEventSerializer(many=True))
    def events(self, request: Request, series: str) -> Response:
        """The events that its readers may know of, first to last."""
        return self.listed(queries.shown_events(self.series), SeriesEventSerializer)
