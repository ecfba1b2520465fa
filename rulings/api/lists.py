"""Rulings page by page, one by one and all at once, and the documents they stand in."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.decorators import method_decorator
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from core.rate_limits import rate_limited
from rulings import queries
from rulings.api.filters import RulingFilter, ScopeFilter
from rulings.api.reading import RulingView, described
from rulings.models import Ruling, RulingDocument
from rulings.permissions import readable_by_program
from rulings.search import search
from rulings.serializers import (
    DocumentSerializer,
    ExportSerializer,
    RulingDetailSerializer,
    RulingSerializer,
)


@method_decorator(rate_limited("search"), "get")
@described("rulings_list", "Rulings")
class RulingList(RulingView, ListAPIView[Ruling]):
    """Rulings in the order of their documents, or the best matches of a search first."""

    serializer_class = RulingSerializer
    filter_backends = [DjangoFilterBackend]
    filterset_class = RulingFilter
    queryset = queries.rulings_in_full()
    relations: dict[int, str] = {}

    def filter_queryset(self, queryset: Any) -> Any:
        rulings = super().filter_queryset(queryset)
        if self.request.query_params.get("related") == "true":
            self.relations = self._relations(queryset)
            rulings = rulings.filter(pk__in=self.relations)
        return rulings

    def _relations(self, queryset: Any) -> dict[int, str]:
        """What each ruling has to do with the card that is asked for."""
        asked = RulingFilter(self.request.query_params, queryset)
        card = asked.asked_card() if asked.is_valid() else None
        if card is None:
            raise ValidationError({"related": ["Name a card as well: ?card=lockjaw&related=true."]})
        return dict(queries.relations_to(card))

    def paginate_queryset(self, queryset: Any) -> Any:
        typed = self.request.query_params.get("search", "")
        if not typed and not self.relations:
            return super().paginate_queryset(queryset)
        kept = set(queryset.values_list("pk", flat=True))
        ranked: Iterable[int] = search(typed).ids if typed else self.relations
        page = super().paginate_queryset([pk for pk in ranked if pk in kept])
        return queries.in_order(page or [])

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "relations": self.relations}


def _documents() -> QuerySet[RulingDocument]:
    counted = RulingDocument.objects.annotate(rulings_in_it=queries.count_of_published())
    return counted.order_by("game", "published_on", "pk")


@method_decorator(rate_limited("expensive"), "get")
@described("rulings_export", "All rulings at once", responses=ExportSerializer, filters=True)
class AllRulings(RulingView):
    """Every ruling with all its versions in one answer, for a copy of one's own."""

    serializer_class = ExportSerializer
    filter_backends = [DjangoFilterBackend]
    filterset_class = ScopeFilter
    queryset = queries.rulings_in_full()
    pagination_class = None

    def read(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The whole of it."""
        rulings = list(self.filter_queryset(self.get_queryset()))
        used = {ruling.document_id for ruling in rulings}
        documents = [document for document in _documents() if document.pk in used]
        body = {
            "count": len(rulings),
            "as_of": self.day_asked(),
            "documents": documents,
            "rulings": rulings,
        }
        return Response(ExportSerializer(body, context=self.get_serializer_context()).data)


@described("rulings_documents", "Documents")
class DocumentList(RulingView, ListAPIView[RulingDocument]):
    """The lists, pages of rules and collections that the rulings stand in, with their notices."""

    serializer_class = DocumentSerializer
    queryset = _documents()


AS_OF = OpenApiParameter(
    "as_of", OpenApiTypes.DATE, description="`state` and `current` as they were on this day."
)


@described("rulings_read", "One ruling", parameters=[AS_OF])
class RulingDetail(RulingView, RetrieveAPIView[Ruling]):
    """One ruling by its code or its short code, with every version of its words."""

    serializer_class = RulingDetailSerializer
    queryset = queries.rulings_in_full()
    lookup_field = "code"
    pagination_class = None
    own_parameters = ("as_of", "format")

    def get_object(self) -> Ruling:
        found = queries.find_by_code(self.kwargs["code"], readable_by_program(self.request))
        if found is None:
            raise Http404
        among = Ruling.objects.filter(pk=found.pk)
        ruling: Ruling = queries.rulings_in_full(among).get()
        return ruling
