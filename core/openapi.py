"""The OpenAPI schema of the API, in which every operation lists its errors."""

import json
from functools import cache
from hashlib import sha256
from typing import Any

import yaml
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import condition, require_safe
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from core.rate_limits import rate_limited

YAML_TYPE, JSON_TYPE = "application/vnd.oai.openapi", "application/vnd.oai.openapi+json"


ETAG_PARAMETER = OpenApiParameter(
    "ETag",
    location=OpenApiParameter.HEADER,
    response=[200],
    description="The version of this answer, for If-None-Match here or If-Match of a write.",
)


class ProblemSerializer(serializers.Serializer[Any]):
    """An error."""

    code = serializers.CharField(help_text="A code for programs. Its meaning never changes.")
    detail = serializers.CharField(help_text="A sentence for people.")
    errors = serializers.DictField(  # type: ignore[assignment]
        help_text="Errors by parameter or field, with the allowed values."
    )


class ApiSchema(AutoSchema):
    """Add the error format, the headers, and the 304 response to each operation."""

    def get_tags(self) -> list[str]:
        return [self.view.tag]  # type: ignore[attr-defined] # of every viewset of ours

    def get_auth(self) -> list[dict[str, Any]]:
        """Return the accepted logins; an empty one where no login is needed."""
        auths: list[dict[str, Any]] = super().get_auth()
        endpoint = getattr(self.view, "endpoint", None)
        needs_login = endpoint is not None and not endpoint.is_open
        return [auth for auth in auths if auth or not needs_login]

    def get_override_parameters(self) -> list[Any]:
        headers = (
            [ETAG_PARAMETER]
            if self.method == "GET"
            else getattr(self.view, "headers_of_writes", ())
        )
        return [*super().get_override_parameters(), *headers]

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        problem = self.resolve_serializer(ProblemSerializer, "response")
        if self.method == "GET":
            unchanged = "Unchanged since the ETag sent in If-None-Match."
            operation["responses"]["304"] = {"description": unchanged}
        endpoint = getattr(self.view, "endpoint", None)
        if endpoint is not None and endpoint.codes:
            code = {"properties": {"code": {"enum": endpoint.codes}}}
            operation["responses"]["409"] = {
                "description": "Refused in the current state. `code` is the reason.",
                "content": {"application/json": {"schema": {"allOf": [problem.ref, code]}}},
            }
        operation["responses"]["4XX"] = {
            "description": "Refused. The body has the reason.",
            "content": {
                media_type: {
                    "schema": {"type": "string"} if media_type == "text/plain" else problem.ref
                }
                for media_type in self.map_renderers("media_type")
            },
        }
        return operation


def mark_webhooks_as_open(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Declare that webhooks need no login. Their messages are signed instead."""
    for path_item in result.get("webhooks", {}).values():
        for operation in path_item.values():
            operation["security"] = []
    return result


def _media_type(request: HttpRequest) -> str:
    if format_ := request.GET.get("format"):
        return JSON_TYPE if format_ == "json" else YAML_TYPE
    preferred = request.get_preferred_type([YAML_TYPE, JSON_TYPE, "application/json"])
    return YAML_TYPE if preferred == YAML_TYPE else JSON_TYPE


@cache
def _document_bytes(media_type: str) -> bytes:
    """Return the file written by `make openapi`; a test compares it with the API."""
    document = settings.API_DESCRIPTION.read_bytes()
    if media_type == YAML_TYPE:
        return document
    return json.dumps(yaml.load(document, yaml.CSafeLoader)).encode()


def _etag(request: HttpRequest) -> str:
    return f'"{sha256(_document_bytes(_media_type(request))).hexdigest()[:32]}"'


@require_safe
@rate_limited("expensive")
@condition(etag_func=_etag)
def openapi_document(request: HttpRequest) -> HttpResponse:
    """Serve the prepared OpenAPI document in YAML or JSON."""
    media_type = _media_type(request)
    response = HttpResponse(_document_bytes(media_type), content_type=media_type)
    response["Vary"] = "Accept"
    return response
