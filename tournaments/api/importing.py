"""Events made of files, over the API."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.decorators import method_decorator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_writes import WriteView
from core.limits import for_strangers
from tournaments.api import changing
from tournaments.interchange import FileRefused
from tournaments.serializers.imports import FILE, ImportedSerializer
from tournaments.services import importing
from tournaments.services.importing import MOST_BYTES, Imported

REFUSED = status.HTTP_400_BAD_REQUEST


class FileParser(BaseParser):
    """The body as it came: whoever reads files names what is wrong by its path."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        return {"file": stream.read(MOST_BYTES + 1)}


class ImportView(WriteView):
    """Tournament files of any program."""

    parser_classes = (FileParser,)
    own_parameters = ("preview",)

    @extend_schema(
        operation_id="imports_create",
        summary="Import an event",
        parameters=[
            OpenApiParameter(
                "preview",
                OpenApiTypes.BOOL,
                description="true: only say what it would make. Nothing is written.",
            )
        ],
        request=FILE,
        responses={200: ImportedSerializer, 201: ImportedSerializer},
    )
    @method_decorator(for_strangers("expensive"))
    def post(self, request: Request) -> Response:
        """Make an event of a tournament file, which is the body: yours, and unlisted.

        It is refused whole, with the JSON path, where it is broken.
        """
        owner, preview = changing.account(self, request), self.is_asked_for("preview")
        imported = importing.import_file(_body(request), owner=owner, preview=preview)
        answer = {**imported.answer, "url": _url(request, imported)}
        code = status.HTTP_200_OK if preview else status.HTTP_201_CREATED
        return Response(ImportedSerializer(answer).data, status=code)

    def is_kept(self, request: Request) -> bool:
        """A preview holds up no writer."""
        return not self.is_asked_for("preview")

    def handle_exception(self, exc: Exception) -> Response:
        """A file that is refused is answered here, so that its key may be used for another."""
        if not isinstance(exc, FileRefused):
            return super().handle_exception(exc)
        errors = {exc.path: [str(exc)]}
        body = {"code": "file_refused", "detail": str(exc), "errors": errors}
        return Response(body, status=REFUSED)


def _body(request: Request) -> bytes:
    data = request.data.get("file", b"") if isinstance(request.data, dict) else b""
    return bytes(data)


def _url(request: Request, imported: Imported) -> str | None:
    if imported.tournament is None:
        return None
    return request.build_absolute_uri(reverse("tournaments:event", args=[imported.tournament.slug]))
