"""The two shapes of an answer below an event that depends on who asks."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import ViewSetMixin

from tournaments.api.access import OwnView


class OneView(OwnView):
    """An address that answers one thing."""

    pagination_class = None


class Actions(ViewSetMixin, OneView):
    """Addresses that each change one thing, with a method for each, which `abilities` may name."""

    @classmethod
    def by_post(cls, action: str) -> Callable[..., HttpResponseBase]:
        """The view of an address to which a POST does this."""
        return cls.as_view({"post": action})


class ManyView(OwnView):
    """An address that answers a list, page by page."""

    def listed(
        self,
        rows: QuerySet[Any] | Sequence[Any],
        serializer: type[BaseSerializer[Any]],
        **context: Any,
    ) -> Response:
        """The page that is asked for."""
        page = self.paginate_queryset(rows)
        context = {**self.get_serializer_context(), **context}
        return self.get_paginated_response(serializer(page, many=True, context=context).data)
