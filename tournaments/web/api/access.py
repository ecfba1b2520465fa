"""Who asks the API, whether they see the event, and secrets that are tried."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.middleware.csrf import rotate_token
from rest_framework.exceptions import PermissionDenied, Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from core import rate_limits
from core.api_errors import found_or_404, not_found
from core.errors import Refusal
from players.recent import is_stale
from tournaments.event import permissions, visibility
from tournaments.event.actors import NOBODY, Actor, actor_of
from tournaments.models import ApiToken, Tournament


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


def event_or_404(
    request: Request, slug: str, *, only: Sequence[str] = ()
) -> tuple[Tournament, Actor]:
    """The event and who asks, NOBODY where it does not matter. Raises Http404 to outsiders.

    With `only`, these columns of an open event are read.
    """
    tournament = found_or_404(Tournament.objects.only(*only), "Event", slug=slug)
    if only and not visibility.is_open(tournament):
        tournament = found_or_404(Tournament.objects.all(), "Event", slug=slug)
    token = request.auth
    if isinstance(token, ApiToken) and token.tournament_id not in (None, tournament.pk):
        raise not_found("Event", slug)
    # Most events are public: then nobody's session is read.
    if request.method in SAFE_METHODS and visibility.is_open(tournament):
        return tournament, NOBODY
    actor = actor_of(request)
    if not visibility.can_see(actor, tournament):
        if permissions.is_held_up(actor, tournament):
            raise SecondFactorNeeded
        raise not_found("Event", slug)
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
