"""Views of the API below an event: fetch and ask, and the shapes of an answer."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import md5, sha256
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.http.response import HttpResponseBase
from django.middleware.csrf import rotate_token
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import parse_etags, quote_etag
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, PermissionDenied, Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import ViewSetMixin

from core import rate_limits
from core.api_errors import PreconditionFailed
from core.api_writes import Handler, WriteView
from core.errors import Refusal
from players.models import User
from players.queries import current_player
from players.recent import is_stale
from tournaments.event import history, permissions, queries, visibility
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import ApiToken, Pairing, Registration, Round, Tournament

ANSWER_EDITION = 2
"""Grows when the same event is answered in another shape."""

IF_MATCH = OpenApiParameter(
    "If-Match",
    location=OpenApiParameter.HEADER,
    description=(
        "The ETag of this address, or of the one above it. Answered with 412 where something "
        "changed since."
    ),
)

Ability = Callable[[Actor, Tournament], bool]


def actor_of(request: Request) -> Actor:
    """Who is asking: by a token its account, else whoever the session is."""
    user = request.user if request.user.is_authenticated else None
    made_at = request.auth.created if isinstance(request.auth, ApiToken) else None
    return Actor(user=user, player=current_player(request), token_made_at=made_at)


class SecondFactorNeeded(PermissionDenied):
    """The event asks its staff for a second factor."""

    default_code = "second_factor_needed"
    default_detail = (
        "This event asks its staff for a second factor. Set one up on the page of the account; a "
        "token that is older than the factor is good for nothing here, so make a new one then."
    )


class SessionTooOld(PermissionDenied):
    """A dangerous act asks again who it is."""

    default_code = "reauthentication_needed"
    default_detail = (
        "This was asked by a session that was logged in more than ten minutes ago. Show again who "
        "you are at /account/reauthenticate/, or use a token."
    )


def refuse_stale_session(request: Request) -> None:
    """Raise SessionTooOld for a browser that was logged in long ago; a token is never old."""
    if request.auth is None and is_stale(request):
        raise SessionTooOld


class EventEndpoint(WriteView):
    """An address below an event that the asking person may see; to others it is a 404.

    `abilities` says by action or method who may use it, HEAD as GET. A read without an entry is
    for everybody who sees the event; a write wants one, and None there says that the handler asks.
    `self.tournament` and `self.actor` are there when the handler begins. A token that is bound to
    another event finds nothing here. With `If-Match` a write is done only while the thing is as it
    was read: the ETag of this address, or of the one above an action such as `rounds/3/close/`.
    """

    takes_bound_tokens = True
    headers_of_writes = (*WriteView.headers_of_writes, IF_MATCH)
    wants_fresh_session: ClassVar[tuple[str, ...]] = ()
    """Methods that a browser's session may use for ten minutes after a log-in; tokens always."""
    abilities: ClassVar[Mapping[str, Ability | None]] = {}
    tournament: Tournament
    actor: Actor

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.tournament, self.actor = _event_or_404(request, self.kwargs["slug"])
        method = "GET" if request.method == "HEAD" else str(request.method)
        if (ability := self._ability(method)) is not None:
            self.require(ability)
        if method in self.wants_fresh_session:
            refuse_stale_session(request)

    def _ability(self, method: str) -> Ability | None:
        action: str = getattr(self, "action", None) or ""
        named = action if action in self.abilities else method
        is_read = method in SAFE_METHODS or not hasattr(self, method.lower())
        return self.abilities.get(named) if is_read else self.abilities[named]

    def require(self, ability: Ability) -> None:
        """Raise NotAuthenticated or PermissionDenied unless the asking person can do this."""
        self.actor = actor_of(self.request)
        if not ability(self.actor, self.tournament):
            if permissions.is_held_up(self.actor, self.tournament):
                raise SecondFactorNeeded
            self.refuse(self.request)

    def refuse(self, request: Request) -> None:
        if self.actor.player is not None:
            raise PermissionDenied
        super().refuse(request)

    def round_(self) -> Round:
        """The round of the address; a draft exists for those who run the event."""
        rounds = queries.rounds(self.tournament).select_related("stage")
        round_ = get_object_or_404(rounds, number=self.kwargs["number"])
        round_.stage.tournament = self.tournament
        if not visibility.can_see_round(self.actor, self.tournament, round_):
            raise Http404
        return round_

    def table(self) -> Pairing:
        """The pairing at the table of the address."""
        round_ = self.round_()
        tables = queries.pairings_by_table(round_)
        pairing = get_object_or_404(tables, table_number=self.kwargs["table"])
        pairing.round = round_
        return pairing

    def place(self) -> Registration:
        """The registration with the number of the address, waiting or not."""
        places = self.tournament.registrations.select_related("player")
        place = get_object_or_404(places, number=self.kwargs["number"])
        place.tournament = self.tournament
        return place

    def own_place(self) -> Registration:
        """The asking player's own registration; 401 for strangers, 404 for who does not play."""
        self.actor = actor_of(self.request)
        place = queries.registration_of(self.actor.player, self.tournament)
        if place is None:
            if self.actor == NOBODY:
                self.refuse(self.request)
            raise Http404
        place.tournament = self.tournament
        return place

    def writer(self, request: Request) -> str:
        actor = actor_of(request)
        return f"player:{actor.player.pk}" if actor.player else super().writer(request)

    def acted(self, handler: Handler, request: Request, *args: Any, **kwargs: Any) -> Response:
        wanted = request.headers.get("If-Match", "").strip()
        if not wanted or wanted == "*":
            return handler(request, *args, **kwargs)
        with transaction.atomic():
            # Whoever changes the event meanwhile waits for this lock.
            self.tournament = history.lock(self.tournament)
            self._refuse_changed(request, wanted)
            return handler(request, *args, **kwargs)

    def _refuse_changed(self, request: Request, wanted: str) -> None:
        # GZip marks an ETag as weak on its way; it is the same.
        sent = {etag.removeprefix("W/") for etag in parse_etags(wanted)}
        path, above = request.path, _above(request.path)
        now = {event_etag(self.tournament, path), event_etag(self.tournament, above)}
        if sent & now or content_etag(self) in sent:
            return
        if content_etag(self._neighbour(_above(request.path_info))) not in sent:
            raise PreconditionFailed

    def _neighbour(self, path: str) -> "EventEndpoint | None":
        """The view at another address of this event, as the same person would read it."""
        try:
            found = resolve(path)
        except Resolver404:
            return None
        kind: Any = getattr(found.func, "cls", object)
        if not issubclass(kind, EventEndpoint) or found.kwargs.get("slug") != self.kwargs["slug"]:
            return None
        view: EventEndpoint = kind(**getattr(found.func, "initkwargs", {}))
        view.request, view.args, view.kwargs = self.request, (), found.kwargs
        view.format_kwarg = None
        view.tournament, view.actor = self.tournament, self.actor
        return view


class EventView(EventEndpoint):
    """What everybody who sees the event is answered alike, whoever asks.

    Its ETag comes from the event's version, which every visible change moves, and from the
    address: 304 costs one query.
    """

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        etag = event_etag(self.tournament, request.get_full_path())
        unchanged = get_conditional_response(request, etag=etag)
        response = unchanged or super().get(request, *args, **kwargs)  # type: ignore[misc]
        response["ETag"] = etag
        if not visibility.is_open(self.tournament):
            patch_cache_control(response, private=True)
        return response


class PrivateView(WriteView):
    """What depends on who asks: never kept by anything on the way."""

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        patch_cache_control(response, private=True)
        return response


class OwnView(PrivateView, EventEndpoint):
    """What depends on who asks, at an address below an event."""


def event_etag(tournament: Tournament, path: str) -> str:
    """The mark of what everybody is answered at this path now, in quotes."""
    marks = (
        ANSWER_EDITION,
        tournament.pk,
        tournament.version,
        visibility.moments_passed(tournament),
        path,
    )
    return quote_etag(sha256(repr(marks).encode()).hexdigest()[:32])


def content_etag(view: EventEndpoint | None) -> str:
    """The mark of what this address answers the asking person now; "" where nothing is read."""
    if view is None or not hasattr(view, "get") or isinstance(view, EventView):
        return ""
    try:
        if (ability := view.abilities.get("GET")) is not None:
            view.require(ability)
        answer = view.get(view.request, *view.args, **view.kwargs)
    except (Http404, APIException):
        return ""
    # As Django marks an answer by its content.
    digest = md5(JSONRenderer().render(answer.data), usedforsecurity=False).hexdigest()
    return quote_etag(digest)


def _above(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0] + "/"


def _event_or_404(request: Request, slug: str) -> tuple[Tournament, Actor]:
    tournament = get_object_or_404(Tournament, slug=slug)
    token = request.auth
    if isinstance(token, ApiToken) and token.tournament_id not in (None, tournament.pk):
        raise Http404
    # Most events are public: then nobody's session is read.
    if request.method in SAFE_METHODS and visibility.is_open(tournament):
        return tournament, NOBODY
    actor = actor_of(request)
    if not visibility.can_see(actor, tournament):
        if permissions.is_held_up(actor, tournament):
            raise SecondFactorNeeded
        raise Http404
    return tournament, actor


@contextmanager
def secret_tried(request: Request, what: str, wrong: type[Refusal]) -> Iterator[None]:
    """A secret that is `wrong` slows its address down, as on the page. Raises Throttled."""
    try:
        yield
    except wrong:
        if wait := rate_limits.wait_after_wrong(request, what):
            raise Throttled(wait) from None
        raise


def renew_session(request: Request) -> None:
    """As at a login: an id or a CSRF token known before is worth nothing afterwards."""
    if request.auth is None:
        request.session.cycle_key()
        rotate_token(request)


def account(view: WriteView, request: Request) -> User:
    """Who asks, at an address of no event. Raises NotAuthenticated."""
    user = request.user
    if isinstance(user, User):
        return user
    view.refuse(request)
    raise PermissionDenied


class OneView(OwnView):
    """An address that answers one thing."""

    pagination_class = None


class Actions(ViewSetMixin, OneView):
    """Addresses that each change one thing, with a method for each, which `abilities` names."""

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


class _Shown(ABC):
    """Answers what `shown` says."""

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(self.shown())

    @abstractmethod
    def shown(self) -> Any:
        """The answer as plain data."""


class ShownView(EventView, _Shown):
    """One thing that everybody who sees the event is answered alike."""

    pagination_class = None


def names_of(tournament: Tournament) -> dict[str, Any]:
    """The context of serializers that name players: by their key, and names by number."""
    players = queries.roster_by_player(tournament)
    return {
        "players": players,
        "names": {entry.number: entry.player.name for entry in players.values()},
    }
