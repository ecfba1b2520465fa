"""Formats to read."""

import django_filters
from django.db.models import QuerySet
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import extend_schema_view
from rest_framework.generics import ListAPIView

from core.api_views import ReadView
from core.filters import ChoiceFilter
from core.openapi import operation
from decks import queries
from decks.games import GameSystem
from decks.models import Format
from decks.serializers import FormatSerializer


class FormatFilter(django_filters.FilterSet):
    """What a list of formats can be narrowed by."""

    game = ChoiceFilter(choices=GameSystem.choices, help_text="The game; every game unless told.")


@extend_schema_view(get=operation("formats_list", "Formats"))
class FormatList(ReadView, ListAPIView[Format]):
    """Formats, each with what it allowed from which day on: a card pool and a ban list."""

    queryset = Format.objects.all()
    serializer_class = FormatSerializer
    filter_backends = [DjangoFilterBackend]
    filterset_class = FormatFilter

    def get_queryset(self) -> QuerySet[Format]:
        return queries.formats_in_full()
