"""Rulings to read."""

from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView, RetrieveAPIView

from core.api_views import ReadView
from core.filters import ChoiceFilter
from core.text import comparison_key
from rulings import queries
from rulings.models import Ruling, RulingKind, Section
from rulings.search import search
from rulings.serializers import RulingDetailSerializer, RulingSerializer
from rulings.words import LONGEST_TYPED


class RulingFilter(django_filters.FilterSet):
    """What a list of rulings can be narrowed by."""

    search = django_filters.CharFilter(
        method="keep_all",
        max_length=LONGEST_TYPED,
        help_text='Words; "words in quotes" stand together, vir* is the start of a word. '
        "The best matches come first.",
    )
    section = ChoiceFilter(choices=Section.choices)
    kind = ChoiceFilter(choices=RulingKind.choices)
    subject = django_filters.CharFilter(
        method="on_subject", max_length=120, help_text="A subject of the list, or its slug."
    )
    card = django_filters.CharFilter(
        field_name="card__slug", max_length=140, help_text="The slug of the card it is about."
    )

    def keep_all(self, rulings: QuerySet[Ruling], name: str, value: str) -> QuerySet[Ruling]:
        """The search ranks, so it is made where the page is cut: RulingList.paginate_queryset."""
        return rulings

    def on_subject(self, rulings: QuerySet[Ruling], name: str, value: str) -> QuerySet[Ruling]:
        """By the words of the subject or by its slug."""
        return rulings.filter(Q(subject_slug=value) | Q(subject_key=comparison_key(value)))


@extend_schema_view(get=extend_schema(operation_id="rulings_list", summary="Rulings"))
class RulingList(ReadView, ListAPIView[Ruling]):
    """Rulings in the order of their list, or the best matches of a search first."""

    serializer_class = RulingSerializer
    filterset_class = RulingFilter
    queryset = queries.rulings_in_full()

    def paginate_queryset(self, queryset: Any) -> Any:
        typed = self.request.query_params.get("search", "")
        if not typed:
            return super().paginate_queryset(queryset)
        kept = set(queryset.values_list("pk", flat=True))
        ranked = [pk for pk in search(typed).ids if pk in kept]
        return queries.in_order(super().paginate_queryset(ranked) or [])


@extend_schema_view(get=extend_schema(operation_id="rulings_read", summary="One ruling"))
class RulingDetail(ReadView, RetrieveAPIView[Ruling]):
    """One ruling by its permanent code, with every version of its words."""

    serializer_class = RulingDetailSerializer
    queryset = queries.rulings_in_full()
    lookup_field = "code"
    filter_backends = ()
    pagination_class = None

    def get_object(self) -> Ruling:
        found: Ruling = get_object_or_404(self.get_queryset(), code=self.kwargs["code"].lower())
        return found
