"""Events made of files, over the API."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_writes import WriteView
from players.models import User
from tournaments.interchange import FileRefused
from tournaments.serializers.imports import FILE, ImportedSerializer
from tournaments.services import importing
from tournaments.services.importing import MOST_BYTES, Imported

YES_OR_NO = {"": False, "false": False, "true": True}


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


class FileNotUsable(APIException):
    """The file is broken; `errors` names the path."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "file_refused"


class ImportView(WriteView):
    """Tournament files of any program."""

    parser_classes = (FileParser,)

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
    def post(self, request: Request) -> Response:
        """Make an event of a tournament file, which is the body: yours, and unlisted.

        It is refused whole, with the JSON path, where it is broken.
        """
        if not isinstance(request.user, User):
            self.refuse(request)
        preview = self._is_preview(request)
        try:
            imported = importing.import_file(_body(request), owner=_user(request), preview=preview)
        except FileRefused as refusal:
            return _refused(refusal)
        answer = {**imported.answer, "url": _url(request, imported)}
        code = status.HTTP_200_OK if preview else status.HTTP_201_CREATED
        return Response(ImportedSerializer(answer).data, status=code)

    own_parameters = ("preview",)

    def _is_preview(self, request: Request) -> bool:
        typed = request.query_params.get("preview", "").lower()
        if typed not in YES_OR_NO:
            raise ValidationError({"preview": ["Give true or false."]})
        return YES_OR_NO[typed]


def _user(request: Request) -> User:
    assert isinstance(request.user, User)
    return request.user


def _body(request: Request) -> bytes:
    data = request.data.get("file", b"") if isinstance(request.data, dict) else b""
    return bytes(data)


def _url(request: Request, imported: Imported) -> str | None:
    if imported.tournament is None:
        return None
    return request.build_absolute_uri(reverse("tournaments:event", args=[imported.tournament.slug]))


def _refused(refusal: FileRefused) -> Response:
    body = {
        "code": FileNotUsable.default_code,
        "detail": str(refusal),
        "errors": {refusal.path: [str(refusal)]},
    }
    return Response(body, status=FileNotUsable.status_code)
