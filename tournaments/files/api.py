"""Imports and exports of tournament files in the API."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.decorators import method_decorator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from core.addresses import shared_url
from core.api_errors import not_found
from core.api_viewsets import endpoint, no_permission_needed
from core.files import attachment_response
from core.rate_limits import Busy, rate_limited
from tournaments.event import permissions as event_permissions
from tournaments.event import snapshots
from tournaments.files import exports, services
from tournaments.files.exports import ExportRequest
from tournaments.files.records import TournamentFileRefused
from tournaments.files.serializers import FILE, EventFileSerializer, ImportedSerializer
from tournaments.files.services import MAX_UPLOAD_BYTES
from tournaments.web.viewsets import EventViewSet, SiteViewSet, has_account

REFUSED_STATUS = status.HTTP_400_BAD_REQUEST


class FileParser(BaseParser):
    """Leave the body unparsed: the importer reports errors by JSON path."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        return {"file": stream.read(MAX_UPLOAD_BYTES + 1)}


class ImportViewSet(SiteViewSet):
    """Imports of tournament files."""

    tag = "exports and imports"
    parser_classes = (FileParser,)

    @endpoint(
        "imports_create",
        "Import an event",
        ImportedSerializer,
        body=FILE,
        status=(200, 201),
        parameters=[
            OpenApiParameter(
                "preview",
                OpenApiTypes.BOOL,
                description="`true`: show the effect without storing anything.",
            ),
            OpenApiParameter(
                "first_round_byes",
                OpenApiTypes.BOOL,
                description=(
                    "`true`: add byes in round 1 that the stated points include but the file does "
                    "not list."
                ),
            ),
        ],
        permission=has_account,
        refusals=(Busy,),
    )
    @method_decorator(rate_limited("expensive"))
    def create(self, request: Request) -> Response:
        """Import the tournament file in the body as an unlisted event that you own.

        A broken file is refused as a whole, with the JSON path of each error.
        """
        preview = self.has_flag("preview")
        data = request.data.get("file", b"") if isinstance(request.data, dict) else b""
        imported = services.import_file(
            bytes(data),
            owner=self.organiser(),
            preview=preview,
            first_round_byes=self.has_flag("first_round_byes"),
        )
        url = None
        if imported.tournament is not None:
            url = shared_url(request, imported.tournament.get_absolute_url())
        answer = {**imported.answer, "url": url}
        code = status.HTTP_200_OK if preview else status.HTTP_201_CREATED
        return Response(ImportedSerializer(answer).data, status=code)

    def stores_answer(self, request: Request) -> bool:
        """Do not store previews, so that they lock nothing."""
        return not self.has_flag("preview")

    def handle_exception(self, exc: Exception) -> Response:
        """Answer for a refused file here, so that its idempotency key stays free."""
        if not isinstance(exc, TournamentFileRefused):
            return super().handle_exception(exc)
        errors = {exc.path: [str(exc)]}
        body = {"code": "file_refused", "detail": str(exc), "errors": errors}
        return Response(body, status=REFUSED_STATUS)


class FileNegotiation(BaseContentNegotiation):
    """Ignore Accept: a file has its own media type, and errors are JSON."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return next(iter(parsers))

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class ExportViewSet(EventViewSet):
    """Exports of the event."""

    tag = "exports and imports"

    @endpoint(
        "events_exports",
        "Exports of an event",
        EventFileSerializer(many=True),
        permission=no_permission_needed,
    )
    def list(self, request: Request, **kwargs: Any) -> Response:
        """Export formats available to you, with their addresses."""
        formats = exports.formats_for(self.actor, self.tournament)
        return self.list_response(formats, EventFileSerializer, tournament=self.tournament)

    @extend_schema(
        parameters=[OpenApiParameter("form", str, "path", enum=[*exports.FORMATS])],
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "*/*"): OpenApiTypes.BINARY,
        },
    )
    @endpoint(
        "events_export",
        "One export of an event",
        parameters=[
            OpenApiParameter(
                "private",
                OpenApiTypes.BOOL,
                description="Include data that only organisers can see. Only for `datafort`.",
            ),
        ],
        permission=no_permission_needed,
        refusals=(exports.NothingToExport, snapshots.StandingsOutdated),
    )
    @method_decorator(rate_limited("expensive"))
    def retrieve(self, request: Request, **kwargs: Any) -> HttpResponse:
        """A file in its own media type. 409 if the event has no file of this format.

        While standings are being recomputed, files with standings answer 409 `standings_outdated`.
        """
        format_ = exports.FORMATS.get(kwargs["form"])
        if format_ is None:
            raise not_found("Format", kwargs["form"])
        self.require(format_.may)
        private = self.has_flag("private")
        if private:
            self.require(event_permissions.can_run)
        page = shared_url(request, self.tournament.get_absolute_url())
        export = ExportRequest(self.tournament, self.actor, page, private)
        name = format_.file_name(self.tournament)
        return attachment_response(exports.build_file(format_, export), name, format_.media_type)
