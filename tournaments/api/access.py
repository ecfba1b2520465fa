"""Fetch and ask, for every address below an event."""

from hashlib import sha256
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response, patch_cache_control
from rest_framework.request import Request

from core.api_views import ReadView
from players.queries import current_player
from tournaments import visibility
from tournaments.actors import Actor
from tournaments.models import Tournament, Visibility

ANSWER_EDITION = 1
"""Grows when the same event is told in another shape."""


class EventView(ReadView):
    """An answer about one event that the asking person may see.

    Its ETag comes from the event's version, which every visible change moves,
    and from the address: 304 costs one query. Who may see an event gets the
    same answer, whoever asks.
    """

    tournament: Tournament

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.tournament = _event_or_404(request, self.kwargs["slug"])

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        etag = self.etag()
        unchanged = get_conditional_response(request._request, etag=etag)
        response = unchanged or super().get(request, *args, **kwargs)  # type: ignore[misc]
        response["ETag"] = etag
        if self.tournament.visibility == Visibility.PRIVATE:
            patch_cache_control(response, private=True)
        return response

    def etag(self) -> str:
        """The mark of this answer, in quotes."""
        marks = (
            ANSWER_EDITION,
            self.tournament.pk,
            self.tournament.version,
            self.request.get_full_path(),
        )
        return f'"{sha256(repr(marks).encode()).hexdigest()[:32]}"'


def _event_or_404(request: Request, slug: str) -> Tournament:
    tournament = get_object_or_404(Tournament, slug=slug)
    # Most events are public: then nobody's session is read.
    if tournament.visibility != Visibility.PRIVATE:
        return tournament
    if not visibility.can_see(_actor_of(request), tournament):
        raise Http404
    return tournament


def _actor_of(request: Request) -> Actor:
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, player=current_player(request._request))
