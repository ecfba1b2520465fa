"""Versions of events and of players' own pages, for browsers that follow an event.

The stream contains only these numbers. Following requires the same access as the event's pages.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.backends import signed_cookies
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, parse_cookie

from players.sessions import SessionStore
from tournaments.event import visibility
from tournaments.event.actors import actor_of
from tournaments.models import Registration, Tournament
from tournaments.web.views.access import event_or_404


@dataclass(frozen=True)
class EventVersion:
    """The version of an event, and whether everybody with its address can read it."""

    version: int
    is_for_all: bool


def versions(slugs: Iterable[str]) -> dict[str, EventVersion]:
    """Event versions by slug, in one query; deleted events are left out."""
    known = Tournament.objects.filter(slug__in=slugs)
    rows = known.only("slug", "version", "visibility", "practice_of")
    return {row.slug: EventVersion(row.version, visibility.is_open(row)) for row in rows}


def own_versions(slugs: Iterable[str], players: Collection[int]) -> dict[tuple[str, int], int]:
    """Versions of these players' own pages by slug and player, in one query."""
    places = Registration.objects.filter(tournament__slug__in=slugs, player__in=players).order_by()
    rows = places.values_list("tournament__slug", "player", "version")
    return {(slug, player): version for slug, player, version in rows}


def player_behind(cookies: str) -> int | None:
    """Primary key of the player logged in with these cookies; None for a stranger."""
    player = actor_of(_request(cookies)).player
    return None if player is None else player.pk


def may_follow(slug: str, cookies: str) -> bool:
    """Return True if the browser with these cookies can read the event."""
    try:
        event_or_404(_request(cookies), slug)
    except (Http404, PermissionDenied):
        return False
    return True


def _request(cookies: str) -> HttpRequest:
    """A minimal request with the browser's user and session."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookies)
    kept = SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    # A copy outside the table: Django gives a session of an older SECRET_KEY a new id, which no
    # cookie would report to the browser.
    request.session = signed_cookies.SessionStore()
    request.session.update(dict(kept.items()))
    AuthenticationMiddleware(_nothing).process_request(request)
    return request


def _nothing(_: HttpRequest) -> HttpResponse:
    return HttpResponse()
