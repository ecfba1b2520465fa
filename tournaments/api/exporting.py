"""An event as files: the list of them, and each."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.decorators import method_decorator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response

from core.downloads import attached
from core.limits import for_strangers
from core.openapi import operation
from tournaments import permissions
from tournaments.api.access import actor_of
from tournaments.api.shapes import ManyView, OneView
from tournaments.serializers.exporting import EventFileSerializer
from tournaments.services import exporting
from tournaments.services.exporting import Asked


class AnyFile(BaseContentNegotiation):
    """A file is what it is, whatever a program accepts; a refusal is JSON."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return next(iter(parsers))

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class ExportList(ManyView):
    """Every file the asking person may have of the event."""

    @operation("events_exports", "Files of an event", EventFileSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The formats in a fixed order, with their addresses."""
        formats = exporting.formats_for(actor_of(request), self.tournament)
        return self.listed(formats, EventFileSerializer, tournament=self.tournament)


class ExportFile(OneView):
    content_negotiation_class = AnyFile
    own_parameters = ("private",)

    @extend_schema(
        operation_id="events_export",
        summary="One file of an event",
        parameters=[
            OpenApiParameter("form", str, "path", enum=list(exporting.FORMATS)),
            OpenApiParameter(
                "private",
                OpenApiTypes.BOOL,
                description="What only organisers see as well; of `datafort` alone.",
            ),
        ],
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "*/*"): OpenApiTypes.BINARY,
        },
    )
    @method_decorator(for_strangers("expensive"))
    def get(self, request: Request, slug: str, form: str) -> HttpResponse:
        """The file in its own media type; 409 where the event has none of this kind."""
        format_ = exporting.FORMATS.get(form)
        if format_ is None:
            raise Http404
        self.require(format_.may)
        private = self.is_asked_for("private")
        if private:
            self.require(permissions.can_run)
        page = request.build_absolute_uri(self.tournament.get_absolute_url())
        asked = Asked(self.tournament, self.actor, page, private)
        name = format_.file_name(self.tournament)
        return attached(exporting.made(format_, asked), name, format_.media_type)
