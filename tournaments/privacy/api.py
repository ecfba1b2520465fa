"""What is kept of a person, and that it is kept longer."""

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from core.api_viewsets import endpoint
from tournaments.privacy import services
from tournaments.privacy.pages.my_data import as_document, sections_of
from tournaments.web.api.viewsets import SiteViewSet, somebody


class MyDataViewSet(SiteViewSet):
    """All that is kept about one person; never kept by anything on the way."""

    def cache_control(self) -> dict[str, bool]:
        return {"private": True, "no_store": True}

    @endpoint(
        "me_data", "What is kept about me", OpenApiTypes.OBJECT, who=somebody, fresh_session=True
    )
    def retrieve(self, request: Request) -> Response:
        """By kind (`player`, `registrations`, `decks`, ...) a list of rows, as on "My data".

        Without what opens anything, and without what judges keep to themselves. A browser that
        was logged in more than ten minutes ago is asked for its password first, and a token for
        one event gets nothing.
        """
        self.refuse_bound_token(request)
        return Response(as_document(sections_of(self.actor)))

    @endpoint("me_stay", "Keep me", status=204, who=somebody)
    def stay(self, request: Request) -> Response:
        """The months after which a player is forgotten begin anew; 404 for who never played."""
        if self.actor.player is None:
            raise Http404("You are not a player yet.")
        services.stay(self.actor.player)
        return Response(status=204)
