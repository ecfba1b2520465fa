"""The description of the API: every operation names the errors it can answer."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers


class ProblemSerializer(serializers.Serializer[Any]):
    """Every answer that is not a success."""

    code = serializers.CharField(help_text="A word for programs; it never changes its meaning.")
    detail = serializers.CharField(help_text="A sentence for people.")
    errors = serializers.DictField(  # type: ignore[assignment]
        help_text="By parameter or field: a list of what is wrong with it, and what is allowed."
    )


class Schema(AutoSchema):
    """Adds the shape of errors, and the 304 of an answer that has not changed."""

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        problem = self.resolve_serializer(ProblemSerializer, "response")
        if self.method == "GET":
            unchanged = "Not changed since the ETag sent in If-None-Match."
            operation["responses"]["304"] = {"description": unchanged}
        operation["responses"]["4XX"] = {
            "description": "Refused; the body says why.",
            "content": {
                media_type: {
                    "schema": {"type": "string"} if media_type == "text/plain" else problem.ref
                }
                for media_type in self.map_renderers("media_type")
            },
        }
        return operation
