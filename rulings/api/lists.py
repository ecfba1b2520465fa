"""Rulings page by page, one by one and all at once, and the documents they stand in."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.decorators import method_decorator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_errors import not_found
from core.api_pagination import Pagination
from core.api_viewsets import endpoint
from core.rate_limits import rate_limited
from rulings import queries
from rulings.api.filters import RulingFilter, ScopeFilter
from rulings.api.reading import FORMAT, ReadingViewSet, SearchPagination, stamped
from rulings.models import Ruling, RulingDocument
from rulings.permissions import kept_private, readable_by_program
from rulings.queries.searching import Answer, best_matches
from rulings.search import Found
from rulings.serializers import (
    DocumentSerializer,
    ExportSerializer,
    RulingDetailSerializer,
    RulingSerializer,
)

AS_OF = OpenApiParameter(
    "as_of", OpenApiTypes.DATE, description="`state` and `current` as they were on this day."
)


class RulingViewSet(ReadingViewSet):
    """Rulings to read, and what they stand in."""

    queryset = queries.rulings_in_full()

    @endpoint(
        "rulings_list",
        "Rulings",
        RulingSerializer(many=True),
        parameters=[FORMAT],
        filters=RulingFilter,
    )
    @method_decorator(rate_limited("search"))
    @stamped
    def list(self, request: Request) -> Response:
        """Rulings in the order of their documents, or the best matches of a search first.

        `search` says what the search came to: it corrects typos and reaches for partial matches.
        """
        rulings = self.filter_queryset(self.get_queryset())
        relations: Mapping[int, str] = {}
        if request.query_params.get("related") == "true":
            relations = self._relations()
            rulings = rulings.filter(pk__in=relations)
        page = self._page(rulings, relations)
        context = {**self.get_serializer_context(), "relations": relations}
        return self.get_paginated_response(RulingSerializer(page, many=True, context=context).data)

    @endpoint(
        "rulings_export",
        "All rulings at once",
        ExportSerializer,
        parameters=[FORMAT],
        filters=ScopeFilter,
    )
    @method_decorator(rate_limited("expensive"))
    @stamped
    def export(self, request: Request) -> Response:
        """Every ruling with all its versions in one answer, for a copy of one's own."""
        rulings = self.filter_queryset(self.get_queryset())
        used = {ruling.document_id for ruling in rulings}
        body = {
            "count": len(rulings),
            "as_of": self.day_asked(),
            "documents": [document for document in _documents() if document.pk in used],
            "rulings": rulings,
        }
        return Response(ExportSerializer(body, context=self.get_serializer_context()).data)

    @endpoint("rulings_documents", "Documents", DocumentSerializer(many=True), parameters=[FORMAT])
    @stamped
    def documents(self, request: Request) -> Response:
        """The lists, pages of rules and collections that the rulings stand in, with their notices."""  # noqa: E501
        return self.listed(_documents(), DocumentSerializer)

    @endpoint("rulings_read", "One ruling", RulingDetailSerializer, parameters=[AS_OF, FORMAT])
    @stamped
    def retrieve(self, request: Request, code: str) -> Response:
        """One ruling by its code or its short code, with every version of its words."""
        found = queries.find_by_code(code, readable_by_program(request))
        if found is None:
            raise not_found("Ruling", code)
        ruling = queries.rulings_in_full(Ruling.objects.filter(pk=found.pk)).get()
        context = self.get_serializer_context()
        answer = Response(RulingDetailSerializer(ruling, context=context).data)
        return kept_private(answer, ruling)

    def _relations(self) -> dict[int, str]:
        """What each ruling has to do with the card that is asked for. Raises ValidationError."""
        asked = RulingFilter(self.request.query_params, self.get_queryset())
        card = asked.asked_card() if asked.is_valid() else None
        if card is None:
            raise ValidationError({"related": ["Name a card as well: ?card=lockjaw&related=true."]})
        return dict(queries.relations_to(card))

    @property
    def pagination_class(self) -> type[Pagination] | None:  # type: ignore[override]
        """The list says how far its search reached."""
        return SearchPagination if self.action == "list" else super().pagination_class

    def _page(self, rulings: QuerySet[Ruling], relations: Mapping[int, str]) -> Any:
        """The page that is asked for, the best matches or the nearest relations first."""
        typed = self.request.query_params.get("search", "").strip()
        if typed:
            answer = _found(typed, rulings)
            assert isinstance(self.paginator, SearchPagination)
            self.paginator.answer = answer
            return queries.in_order(self.paginate_queryset(answer.found.ids) or [])
        if not relations:
            return self.paginate_queryset(rulings)
        kept = set(rulings.values_list("pk", flat=True))
        return queries.in_order(
            self.paginate_queryset([pk for pk in relations if pk in kept]) or []
        )


def _found(typed: str, rulings: QuerySet[Ruling]) -> Answer:
    """What the search page would find among these: a code is its ruling alone."""
    coded = queries.version_by_code(typed, rulings)
    if coded:
        return Answer(Found([coded.ruling_id], full=1), typed)
    return best_matches(typed, rulings)


def _documents() -> QuerySet[RulingDocument]:
    counted = RulingDocument.objects.annotate(rulings_in_it=queries.count_of_published())
    return counted.order_by("game", "published_on", "pk")
