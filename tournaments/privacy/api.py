"""What is kept of a person, and that it is kept longer."""

from typing import Any

from django.http import Http404
from django.utils.cache import patch_cache_control
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_writes import WriteView
from core.openapi import operation
from tournaments.desk.api.me import somebody
from tournaments.privacy import services
from tournaments.privacy.pages.my_data import as_document, sections_of
from tournaments.web.api.access import refuse_stale_session


class MyData(WriteView):
    """All that is kept about one person; never kept by anything on the way."""

    pagination_class = None

    @operation("me_data", "What is kept about me", OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """By kind (`player`, `registrations`, `decks`, ...) a list of rows, as on "My data".

        Without what opens anything, and without what judges keep to themselves. A browser that
        was logged in more than ten minutes ago is asked for its password first, and a token for
        one event is told nothing.
        """
        self.refuse_bound_token(request)
        refuse_stale_session(request)
        return Response(as_document(sections_of(somebody(self, request))))

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        patch_cache_control(response, private=True, no_store=True)
        return response


class Stay(WriteView):
    pagination_class = None

    @operation("me_stay", "Keep me", status=204)
    def post(self, request: Request) -> Response:
        """The months after which a player is forgotten begin anew; 404 for who never played."""
        player = somebody(self, request).player
        if player is None:
            raise Http404
        services.stay(player)
        return Response(status=204)
