"""What every address of the rulings shares: JSON or text, and an ETag that costs two queries."""

import hashlib
from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import Any, TypeVar, cast

from django.core.exceptions import ValidationError as NoDay
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_pagination import Pagination
from core.api_viewsets import ApiViewSet
from core.filters import DayFilter
from core.site_address import shared_address
from rulings import queries
from rulings.api.text import TextRenderer
from rulings.queries.searching import Answer
from rulings.search import Reach

Action = TypeVar("Action", bound=Callable[..., Any])
FORMAT = OpenApiParameter("format", enum=[JSONRenderer.format, TextRenderer.format])
SHAPE = "2"
"""Part of every ETag: another one when the answers look otherwise."""

SEARCH_SCHEMA = {
    "type": "object",
    "nullable": True,
    "description": "How far the search reached; null without `search`.",
    "required": ["words", "is_corrected", "reach", "full"],
    "properties": {
        "words": {"type": "string", "description": "The words that were searched for."},
        "is_corrected": {
            "type": "boolean",
            "description": "Whether `words` corrects a typo: no ruling has the words as typed.",
        },
        "reach": {
            "type": "string",
            "enum": [reach.value for reach in Reach],
            "description": "`exact`: every word; `beginnings`: words that begin so; "
            "`any`: some of the words, most words first.",
        },
        "full": {
            "type": "integer",
            "description": "How many of `count` have what `reach` says. They come first; "
            "partial matches come below them.",
        },
    },
}


def stamped(action: Action) -> Action:
    """Answer with the ETag of the stamp, or with a 304 before anything but that is read."""

    @wraps(action)
    def answered(view: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
        etag = _etag(request)
        answer = get_conditional_response(request, etag=etag)
        if answer is None:
            answer = action(view, request, *args, **kwargs)
        answer["ETag"] = etag
        return answer

    return cast(Action, answered)


def _etag(request: Request) -> str:
    parts = (
        queries.stamp(),
        # Whether a ruling is in force is a matter of the day.
        timezone.localdate(),
        request.build_absolute_uri(),
        shared_address(request),
        request.accepted_renderer.format,
        SHAPE,
    )
    return quote_etag(hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()[:32])


class SearchPagination(Pagination):
    """A list of rulings, with what its search came to beside the count."""

    answer: Answer | None = None

    def get_paginated_response(self, data: Any) -> Response:
        response = super().get_paginated_response(data)
        response.data["search"] = self._search()
        return response

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        described["properties"]["search"] = SEARCH_SCHEMA
        described["required"] = [*described["required"], "search"]
        return described

    def _search(self) -> dict[str, Any] | None:
        if self.answer is None:
            return None
        found = self.answer.found
        return {
            "words": self.answer.words,
            "is_corrected": self.answer.is_corrected,
            "reach": found.reach.value,
            "full": found.full,
        }


class ReadingViewSet(ApiViewSet):
    """Answers that are others only when a ruling, a card or the day is.

    `?format=txt`, or text/plain in Accept, asks for text to read.
    """

    renderer_classes = (JSONRenderer, TextRenderer)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        formats = [renderer.format for renderer in self.renderer_classes]
        if request.query_params.get("format", formats[0]) not in formats:
            raise ValidationError({"format": [f"Choose one of: {', '.join(formats)}."]})
        super().initial(request, *args, **kwargs)

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
