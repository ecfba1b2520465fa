"""What every address of the rulings shares: JSON or text, and an ETag that costs two queries."""

import hashlib
from collections.abc import Callable
from datetime import date
from inspect import cleandoc
from typing import Any, TypeVar

from django.core.exceptions import ValidationError as NoDay
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_views import ReadView
from core.filters import DayFilter
from rulings import queries
from rulings.api.text import TextRenderer

Answering = TypeVar("Answering", bound=type[ReadView])
SHAPE = "1"
"""Part of every ETag: another one when the answers look otherwise."""


def described(operation: str, summary: str, **more: Any) -> Callable[[Answering], Answering]:
    """The view as the OpenAPI document has it: by the words of its own docstring."""

    def decorate(view: Answering) -> Answering:
        schema = extend_schema(
            operation_id=operation,
            summary=summary,
            description=cleandoc(view.__doc__ or ""),
            **more,
        )
        return extend_schema_view(get=schema)(view)

    return decorate


class RulingView(ReadView):
    """An answer that is another only when a ruling, a card or the day is.

    `?format=txt`, or text/plain in Accept, asks for text to read.
    """

    renderer_classes = (JSONRenderer, TextRenderer)
    own_parameters: tuple[str, ...] = ("format",)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        formats = [renderer.format for renderer in self.renderer_classes]
        if request.query_params.get("format", formats[0]) not in formats:
            raise ValidationError({"format": [f"Choose one of: {', '.join(formats)}."]})
        super().initial(request, *args, **kwargs)

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The answer, or a 304 before anything but the stamp is read."""
        etag = self._etag(request)
        answer = get_conditional_response(request, etag=etag)
        if answer is None:
            answer = self.read(request, *args, **kwargs)
        answer["ETag"] = etag
        return answer  # type: ignore[return-value]

    def read(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The answer itself, of the generic view behind this one."""
        return super().get(request, *args, **kwargs)  # type: ignore[misc, no-any-return]

    def _etag(self, request: Request) -> str:
        parts = (
            queries.stamp(),
            # Whether a ruling is in force is a matter of the day.
            timezone.localdate(),
            request.build_absolute_uri(),
            request.accepted_renderer.format,
            SHAPE,
        )
        return quote_etag(hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()[:32])

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "day": self.day_asked()}

    def day_asked(self) -> date | None:
        """The day of `?as_of=`; a 400 where it is none."""
        try:
            day: date | None = DayFilter(required=False).field.clean(
                self.request.query_params.get("as_of", "")
            )
        except NoDay as wrong:
            raise ValidationError({"as_of": wrong.messages}) from wrong
        return day
