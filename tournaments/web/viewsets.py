"""Base viewsets of the API: the event, the actor, ETags and lookups by address."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import md5, sha256
from typing import Any

from django.db import transaction
from django.http import Http404
from django.middleware.csrf import rotate_token
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags, quote_etag
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, PermissionDenied, Throttled, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from core import rate_limits
from core.api_errors import PreconditionFailed, get_or_404, not_found
from core.api_viewsets import ApiViewSet, Handler, PermissionCheck
from core.errors import Refusal
from core.rate_limits import run_in_own_turn
from players.models import User
from players.reauthentication import needs_reauthentication
from tournaments.event import history, visibility
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import NOBODY, Actor, actor_of
from tournaments.models import ApiToken, Pairing, Registration, Round, Tournament


class ApiSecondFactorNeeded(PermissionDenied):
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
    if request.auth is None and needs_reauthentication(request):
        raise SessionTooOld


def api_event_or_404(
    request: Request, slug: str, *, only: Sequence[str] = ()
) -> tuple[Tournament, Actor]:
    """The event and who asks, NOBODY where it does not matter. Raises Http404 to outsiders.

    With `only`, these columns of an open event are read.
    """
    tournament = get_or_404(Tournament.objects.only(*only), "Event", slug=slug)
    if only and not visibility.is_open_to_all(tournament):
        tournament = get_or_404(Tournament.objects.all(), "Event", slug=slug)
    token = request.auth
    if isinstance(token, ApiToken) and token.tournament_id not in (None, tournament.pk):
        raise not_found("Event", slug)
    # Most events are public: then nobody's session is read.
    if request.method in SAFE_METHODS and visibility.is_open_to_all(tournament):
        return tournament, NOBODY
    actor = actor_of(request)
    if not visibility.can_see(actor, tournament):
        if event_permissions.is_role_suspended(actor, tournament):
            raise ApiSecondFactorNeeded
        raise not_found("Event", slug)
    return tournament, actor


@contextmanager
def slow_down_wrong_secrets(request: Request, what: str, wrong: type[Refusal]) -> Iterator[None]:
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


# Viewsets of the site's accounts and of what is below an event.


RESPONSE_EDITION = 4
"""Grows when the same event is answered in another shape."""

IF_MATCH = OpenApiParameter(
    "If-Match",
    location=OpenApiParameter.HEADER,
    description=(
        "The ETag of this address, or of the one above it. Answered with 412 where something "
        "changed since."
    ),
)


def is_known_person(actor: Actor, *_: Tournament) -> bool:
    """An account, or a guest who plays."""
    return actor != NOBODY


def has_account(actor: Actor, *_: Tournament) -> bool:
    """An account."""
    return actor.user is not None


class SiteViewSet(ApiViewSet):
    """Addresses of no event. `self.actor` is who asks, where `who` is: that is asked with it."""

    actor: Actor

    def require(self, who: PermissionCheck) -> None:
        self.actor = actor_of(self.request)
        if not who(self.actor):
            self.refuse(self.request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.endpoint is not None and self.endpoint.fresh_session:
            refuse_stale_session(request)

    def account(self) -> User:
        """The asking account, where `who` is `with_account`."""
        assert isinstance(self.actor.user, User), "whoever has none is refused before"
        return self.actor.user

    def organiser(self) -> User:
        """Return the asking account if DATAFORT_ORGANISERS lets it create events and series."""
        try:
            event_permissions.refuse_unless_organiser(self.account())
        except event_permissions.OrganisersOnly as error:
            raise PermissionDenied(str(error)) from error
        return self.account()


class EventViewSet(SiteViewSet):
    """Addresses below an event that the asking person may see; to others it is a 404.

    `self.tournament` is there when the action begins, and where it has a `who`, which is asked with
    both, `self.actor`: to what everybody may read of a public event nobody's session is read.
    A token that is bound to another event finds nothing here. With `If-Match` a write is done only
    while the thing is as it was read: the ETag of this address, or of the one above an action such
    as `rounds/3/close/`.

    What is `shared` has an ETag of the event's version, which every public change moves, and of the
    address: a 304 costs one query of a few columns. What is not depends on who asks, and is never
    kept by anything on the way.
    """

    takes_bound_tokens = True
    headers_of_writes = (*ApiViewSet.headers_of_writes, IF_MATCH)
    tournament: Tournament

    def find(self, request: Request) -> None:
        # The answer is most often a 304, which needs no other columns.
        is_shared_read = self._is_shared() and "If-None-Match" in request.headers
        only = visibility.VERSION_COLUMNS if is_shared_read else ()
        self.tournament, self.actor = api_event_or_404(request, self.kwargs["slug"], only=only)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.endpoint is not None and self.endpoint.who is None:
            self.wrap_action(request, self._in_own_turn)
        if self._is_shared():
            self.wrap_action(request, self._unless_unchanged)

    def _is_shared(self) -> bool:
        return self.endpoint is not None and self.endpoint.is_shared

    def require(self, who: PermissionCheck) -> None:
        self.actor = actor_of(self.request)
        if not who(self.actor, self.tournament):
            if event_permissions.is_role_suspended(self.actor, self.tournament):
                raise ApiSecondFactorNeeded
            self.refuse(self.request)

    def refuse(self, request: Request) -> None:
        if self.actor.player is not None:
            raise PermissionDenied
        super().refuse(request)

    def subject(self) -> str:
        return f"event {self.tournament.pk}"

    def cache_control(self) -> dict[str, bool]:
        is_public = hasattr(self, "tournament") and visibility.is_open_to_all(self.tournament)
        return {} if self._is_shared() and is_public else {"private": True}

    def _in_own_turn(self, handler: Handler, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Answer in a turn of the account or guest where it takes part, else of the address."""
        person = event_permissions.rate_limit_key(actor_of(request), self.tournament)
        return run_in_own_turn(request, person, partial(handler, request, *args, **kwargs))

    def _unless_unchanged(
        self, handler: Handler, request: Request, *args: Any, **kwargs: Any
    ) -> Any:
        etag = event_etag(self.tournament, request.get_full_path())
        response = get_conditional_response(request, etag=etag)
        if response is None:
            if self.tournament.get_deferred_fields():
                events = Tournament.objects.all()
                self.tournament = get_or_404(events, "Event", slug=self.kwargs["slug"])
                etag = event_etag(self.tournament, request.get_full_path())
            response = handler(request, *args, **kwargs)
        response["ETag"] = etag
        return response

    def round_(self) -> Round:
        """The round of the address; a draft exists for those who run the event."""
        rounds = self.tournament.rounds.select_related("stage")
        number = self.kwargs["number"]
        round_ = get_or_404(rounds, "Round", number=number)
        round_.stage.tournament = self.tournament
        if not visibility.can_see_round(self.actor, self.tournament, round_):
            raise not_found("Round", number)
        return round_

    def table(self) -> Pairing:
        """The pairing at the table of the address."""
        round_ = self.round_()
        tables = round_.pairings.with_players()
        pairing = get_or_404(tables, "Table", table_number=self.kwargs["table"])
        pairing.round = round_
        return pairing

    def place(self) -> Registration:
        """The registration with the number of the address, waiting or not."""
        places = self.tournament.registrations.select_related("player")
        place = get_or_404(places, "Player", number=self.kwargs["number"])
        place.tournament = self.tournament
        return place

    def player_numbered(self, field: str, number: int) -> Registration:
        """The player with this number in the event. Raises ValidationError of the field."""
        places = self.tournament.registrations.select_related("player")
        place: Registration | None = places.filter(number=number).first()
        if place is None:
            raise ValidationError({field: ["Nobody in the event has this number."]})
        place.tournament = self.tournament
        return place

    def own_place(self) -> Registration:
        """The asking player's own registration; 401 for strangers, 404 for who does not play."""
        place = self.tournament.registration_of(self.actor.player)
        if place is None:
            if self.actor == NOBODY:
                self.refuse(self.request)
            raise Http404("You are not registered for this event.")
        place.tournament = self.tournament
        return place

    def writer(self, request: Request) -> str:
        return actor_of(request).sender

    def run_write(self, handler: Handler, request: Request, *args: Any, **kwargs: Any) -> Response:
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
        here, above = request.path, _parent_path(request.path)
        if sent & {event_etag(self.tournament, path) for path in (here, above)}:
            return
        info = request.path_info
        if not any(self._content_etag(path) in sent for path in (info, _parent_path(info))):
            raise PreconditionFailed

    def _content_etag(self, path: str) -> str:
        """The mark of what another address of this event answers the asking person now.

        "" where nothing is read there, or everybody is answered alike.
        """
        view = self._reader_at(path)
        if view is None or view.endpoint is None or view.endpoint.is_shared:
            return ""
        try:
            if view.endpoint.who is not None:
                view.require(view.endpoint.who)
            answer = getattr(view, view.action)(view.request, **view.kwargs)
        except (Http404, APIException):
            return ""
        # As Django marks an answer by its content.
        digest = md5(JSONRenderer().render(answer.data), usedforsecurity=False).hexdigest()
        return quote_etag(digest)

    def _reader_at(self, path: str) -> "EventViewSet | None":
        """The viewset that reads this address of this event for the same person."""
        try:
            found = resolve(path)
        except Resolver404:
            return None
        kind: Any = getattr(found.func, "cls", object)
        if not issubclass(kind, EventViewSet) or found.kwargs.get("slug") != self.kwargs["slug"]:
            return None
        view: EventViewSet = kind(**found.func.initkwargs)  # type: ignore[attr-defined]
        view.action_map = found.func.actions  # type: ignore[attr-defined]
        view.action = view.action_map.get("get", "")
        view.request, view.args, view.kwargs = self.request, (), found.kwargs
        view.format_kwarg = None
        view.tournament, view.actor = self.tournament, self.actor
        return view

    def names(self) -> dict[str, Any]:
        """The context of serializers that name players: by their key, and names by number."""
        players = self.tournament.registrations.by_player()
        return {
            "players": players,
            "names": {entry.number: entry.player.name for entry in players.values()},
        }


def event_etag(tournament: Tournament, path: str) -> str:
    """The mark of what everybody is answered at this path now, in quotes."""
    marks = (
        RESPONSE_EDITION,
        tournament.pk,
        tournament.version,
        visibility.count_passed_times(tournament),
        path,
    )
    return quote_etag(sha256(repr(marks).encode()).hexdigest()[:32])


def _parent_path(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0] + "/"
