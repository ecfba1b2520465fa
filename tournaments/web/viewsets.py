"""Base viewsets of the API: the event, the actor, ETags and lookups by address."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import md5, sha256
from typing import Any

from django.db import transaction
from django.http import Http404
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext_lazy
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
from players import sessions
from players.models import User
from players.reauthentication import needs_reauthentication
from tournaments.event import history, visibility
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import NOBODY, Actor, actor_of
from tournaments.models import ApiToken, Pairing, Registration, Round, Tournament
from tournaments.web.polling import assets_hash


class ApiSecondFactorNeeded(PermissionDenied):
    """The event requires two-factor authentication and this account has none."""

    default_code = "second_factor_needed"
    default_detail = gettext_lazy(
        "This event requires two-factor authentication for its staff. Set it up on "
        "your account page. Then create a new token: tokens created before do not work "
        "here."
    )


class SessionTooOld(PermissionDenied):
    """A dangerous action requires a recent login."""

    default_code = "reauthentication_needed"
    default_detail = gettext_lazy(
        "You logged in more than ten minutes ago. Confirm your identity at "
        "/account/reauthenticate/, or use a token."
    )


def api_event_or_404(
    request: Request, slug: str, *, only: Sequence[str]
) -> tuple[Tournament, Actor]:
    """Return the event and the actor, or NOBODY if the actor makes no difference.

    `only`: columns to read of an open event. Raises Http404 if the actor cannot read the event.
    """
    tournament = get_or_404(Tournament.objects.only(*only), "Event", slug=slug)
    if only and not visibility.is_open_to_all(tournament):
        tournament = get_or_404(Tournament.objects.all(), "Event", slug=slug)
    token = request.auth
    if isinstance(token, ApiToken) and token.tournament_id not in (None, tournament.pk):
        raise not_found("Event", slug)
    # Reads of an open event do not load the session.
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
    """Count a refusal of the type `wrong` against the address, as on the page. Raises Throttled."""
    try:
        yield
    except wrong:
        if wait := rate_limits.wait_after_wrong(request, what):
            raise Throttled(wait) from None
        raise


def renew_session(request: Request) -> None:
    """Like `players.sessions.renew_session`; a request with a token has no session."""
    if request.auth is None:
        sessions.renew_session(request)


IF_MATCH = OpenApiParameter(
    "If-Match",
    location=OpenApiParameter.HEADER,
    description=(
        "The ETag of this address, or of the one above it. If something has changed "
        "since, the response is 412."
    ),
)


def is_known_person(actor: Actor, *_: Tournament) -> bool:
    return actor != NOBODY


def has_account(actor: Actor, *_: Tournament) -> bool:
    return actor.user is not None


class SiteViewSet(ApiViewSet):
    """Actions outside events. `self.actor` is set where the action has a `permission`."""

    actor: Actor

    def require(self, permission: PermissionCheck) -> None:
        self.actor = actor_of(self.request)
        if not permission(self.actor):
            self.refuse(self.request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.endpoint is None or not self.endpoint.fresh_session:
            return
        # A token needs no recent login.
        if request.auth is None and needs_reauthentication(request):
            raise SessionTooOld

    def account(self) -> User:
        assert isinstance(self.actor.user, User), "requests without an account are refused before"
        return self.actor.user

    def organiser(self) -> User:
        """Return the account if DATAFORT_ORGANISERS lets it create events and series."""
        try:
            event_permissions.refuse_unless_organiser(self.account())
        except event_permissions.OrganisersOnly as error:
            raise PermissionDenied(str(error)) from error
        return self.account()


class EventViewSet(SiteViewSet):
    """Actions below an event, which are a 404 for people who cannot read it.

    `self.tournament` is set when the action begins and, where it has a `permission`, so is
    `self.actor`. Public reads of a public event do not load the session.

    A write with `If-Match` runs only if its subject is unchanged. The header has the ETag of this
    address, or of the address above an action such as `rounds/3/close/`.

    A `shared` response has an ETag made of the event's version and the address, so a 304 costs one
    query of a few columns. Other responses depend on the reader and must not be cached by proxies.
    """

    takes_bound_tokens = True
    headers_of_writes = (*ApiViewSet.headers_of_writes, IF_MATCH)
    tournament: Tournament

    def load_objects(self, request: Request) -> None:
        # The response is usually a 304, which needs few columns.
        is_shared_read = self._is_shared() and "If-None-Match" in request.headers
        only = visibility.VERSION_COLUMNS if is_shared_read else ()
        self.tournament, self.actor = api_event_or_404(request, self.kwargs["slug"], only=only)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.endpoint is not None and self.endpoint.permission is None:
            self.wrap_action(request, self._in_own_turn)
        if self._is_shared():
            self.wrap_action(request, self._unless_unchanged)

    def _is_shared(self) -> bool:
        return self.endpoint is not None and self.endpoint.is_shared

    def require(self, permission: PermissionCheck) -> None:
        self.actor = actor_of(self.request)
        if not permission(self.actor, self.tournament):
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
        """Run the action in a turn of the participant, or in one of the address for strangers."""
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
        rounds = self.tournament.rounds.select_related("stage")
        number = self.kwargs["number"]
        round_ = get_or_404(rounds, "Round", number=number)
        round_.stage.tournament = self.tournament
        if not visibility.can_see_round(self.actor, self.tournament, round_):
            raise not_found("Round", number)
        return round_

    def table(self) -> Pairing:
        round_ = self.round_()
        tables = round_.pairings.with_players()
        pairing = get_or_404(tables, "Table", table_number=self.kwargs["table"])
        pairing.round = round_
        return pairing

    def registration(self) -> Registration:
        registrations = self.tournament.registrations.select_related("player")
        registration = get_or_404(registrations, "Player", number=self.kwargs["number"])
        registration.tournament = self.tournament
        return registration

    def registration_numbered(self, field: str, number: int) -> Registration:
        """Return the player with this number in the event. Raises ValidationError of the field."""
        registrations = self.tournament.registrations.select_related("player")
        registration: Registration | None = registrations.filter(number=number).first()
        if registration is None:
            raise ValidationError({field: ["No player of the event has this number."]})
        registration.tournament = self.tournament
        return registration

    def own_registration(self) -> Registration:
        """Return the player's own registration; 401 for strangers, 404 for accounts without one."""
        registration = self.tournament.registration_of(self.actor.player)
        if registration is None:
            if self.actor == NOBODY:
                self.refuse(self.request)
            raise Http404("You are not registered for this event.")
        registration.tournament = self.tournament
        return registration

    def writer(self, request: Request) -> str:
        return actor_of(request).sender

    def run_write(self, handler: Handler, request: Request, *args: Any, **kwargs: Any) -> Response:
        wanted = request.headers.get("If-Match", "").strip()
        if not wanted or wanted == "*":
            return handler(request, *args, **kwargs)
        with transaction.atomic():
            # The lock prevents changes between the check and the write.
            self.tournament = history.lock(self.tournament)
            self._refuse_changed(request, wanted)
            return handler(request, *args, **kwargs)

    def _refuse_changed(self, request: Request, wanted: str) -> None:
        # GZipMiddleware weakens ETags.
        sent = {etag.removeprefix("W/") for etag in parse_etags(wanted)}
        paths = request.path, _parent_path(request.path)
        if sent & {event_etag(self.tournament, path) for path in paths}:
            return
        info = request.path_info
        if not any(self._content_etag(path) in sent for path in (info, _parent_path(info))):
            raise PreconditionFailed

    def _content_etag(self, path: str) -> str:
        """Return the ETag of the current response at another address of the event, for this reader.

        "" if nothing can be read there, or if the response is shared.
        """
        view = self._reader_at(path)
        if view is None or view.endpoint is None or view.endpoint.is_shared:
            return ""
        try:
            if view.endpoint.permission is not None:
                view.require(view.endpoint.permission)
            answer = getattr(view, view.action)(view.request, **view.kwargs)
        except (Http404, APIException):
            return ""
        # The same as in Django's ConditionalGetMiddleware.
        digest = md5(JSONRenderer().render(answer.data), usedforsecurity=False).hexdigest()
        return quote_etag(digest)

    def _reader_at(self, path: str) -> "EventViewSet | None":
        """Return the viewset that reads this address of this event, for the same person."""
        try:
            match = resolve(path)
        except Resolver404:
            return None
        viewset: Any = getattr(match.func, "cls", object)
        if not issubclass(viewset, EventViewSet) or match.kwargs.get("slug") != self.kwargs["slug"]:
            return None
        view: EventViewSet = viewset(**match.func.initkwargs)  # type: ignore[attr-defined]
        view.action_map = match.func.actions  # type: ignore[attr-defined]
        view.action = view.action_map.get("get", "")
        view.request, view.args, view.kwargs = self.request, (), match.kwargs
        view.format_kwarg = None
        view.tournament, view.actor = self.tournament, self.actor
        return view

    def names_context(self) -> dict[str, Any]:
        """Return serializer context: registrations by player key, and names by number."""
        players = self.tournament.registrations.by_player()
        return {
            "players": players,
            "names": {entry.number: entry.player.name for entry in players.values()},
        }


def event_etag(tournament: Tournament, path: str) -> str:
    """Return the quoted ETag of the shared response at this path."""
    parts = (
        assets_hash(),
        tournament.pk,
        tournament.version,
        visibility.count_passed_times(tournament),
        path,
    )
    return quote_etag(sha256(repr(parts).encode()).hexdigest()[:32])


def _parent_path(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0] + "/"
