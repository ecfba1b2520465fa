"""Pages that refresh themselves, and the news of the newest round on them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial, wraps
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from time import time
from typing import Any, ParamSpec

from csp.decorators import csp_exempt
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages import get_messages
from django.contrib.sessions.backends import signed_cookies
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, parse_cookie
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_safe

from core.addresses import shared_address
from core.languages import activate_event_language
from core.page_cache import (
    OUTDATED_HEADER,
    is_for_all,
    is_stranger,
    keep_query_parameters,
    render_in_turn,
)
from core.rate_limits import run_in_own_turn
from players.models import Player
from players.sessions import SessionStore
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.permissions import NOBODY, actor_of
from tournaments.models import Registration, Round, Tournament
from tournaments.web.access import EventRequest, EventView, event_or_404, open_event_or_404

BYE, NOT_IN_IT = "bye", "-"
# Header with the time of the response, in milliseconds.
TIME_HEADER = "Datafort-Now"
# A proxy may share public responses for one second.
FOR_ALL = "public, max-age=0, s-maxage=1"
FOR_ONE = "private, no-cache"
NO_STORE = "private, no-store"
CODE_FOLDERS = ("core", "players", "decks", "matches", "engine", "rulings", "tournaments")
P = ParamSpec("P")


@dataclass(frozen=True)
class RoundNews:
    """The newest published round, None before the first; `seat` is a table, BYE or NOT_IN_IT."""

    round_number: int | None = None
    seat: str = NOT_IN_IT

    def __str__(self) -> str:
        """Return the value of the header X-News, parsed by static/js/news.js: "3/12"."""
        return f"{self.round_number or 0}/{self.seat}"


def get_round_news(
    tournament: Tournament, player: Player | None, newest: Sequence[Round] | None = None
) -> RoundNews:
    """Return the news for this player, or for everybody if None; at most two small queries.

    `newest` is the newest published round, if already known: a list of one round or none.
    A finished event has no news, so an open page drops the title "New pairings".
    """
    if tournament.is_finished:
        return RoundNews()
    if newest is None:
        newest = list(tournament.rounds.published().only("pk", "number").reverse()[:1])
    for round_ in newest:
        if player is None:
            return RoundNews(round_.number)
        tables = round_.pairings.of_player(player).order_by()
        return round_news_of(round_, list(tables.values_list("table_number", flat=True)[:1]))
    return RoundNews()


def round_news_of(round_: Round | None, tables: Sequence[int | None]) -> RoundNews:
    """Like `get_round_news` for a known round. An empty `tables` means no seat, None a bye."""
    if round_ is None:
        return RoundNews()
    if not tables:
        return RoundNews(round_.number)
    return RoundNews(round_.number, BYE if tables[0] is None else str(tables[0]))


# Pages that refresh themselves; ETags are checked before rendering.


def add_server_time(response: HttpResponse) -> HttpResponse:
    """Add the time of the response. nginx.conf removes it from cached pages."""
    response[TIME_HEADER] = str(round(time() * 1000))
    return response


@never_cache
@require_safe
def server_time(request: HttpRequest) -> HttpResponse:
    return add_server_time(HttpResponse(status=204))


def polled_page(
    view: EventView[P],
    *,
    reads: Collection[str] | Mapping[str, Collection[str]] = (),
    for_players: str = FOR_ONE,
    shows_own_table: bool = False,
) -> Callable[..., HttpResponse]:
    """Make a view a public page of an event. Calls `view` only if the reader's copy is outdated.

    `reads` names the query parameters of the view; a mapping also lists their allowed values.
    Others are removed, so that links with extra parameters share the cached page. `for_players` is
    the Cache-Control of pages for known players. `shows_own_table` is for pages with facts of the
    reader's own table, such as a judge call, which change only the version of their own page.

    All strangers get the same page, rendered once per version of the event. Pages with many URLs
    (players, rounds, tables) and pages at made-up parameters or hosts are rendered in turn per
    network address. Players and staff of the event have turns of their own.
    """

    # Set the CSRF cookie on the page itself, before it is cached for all.
    with_cookie = csrf_protect(view)

    @wraps(view)
    def answer(request: EventRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        keep_query_parameters(request, reads)
        # A session without a user gets the shared page, unless it has a message.
        if not is_stranger(request) and (actor_of(request) != NOBODY or _has_message(request)):
            # The response is usually a 304, which needs few columns.
            only = visibility.VERSION_COLUMNS if "If-None-Match" in request.headers else ()
            request.event, request.actor = event_or_404(request, slug, only=only)
            activate_event_language(request, request.event.language)
            if shows_own_table:
                request.own_version = _own_version(request)

            def own_page() -> HttpResponse:
                person = event_permissions.rate_limit_key(request.actor, request.event)
                if only:
                    request.event, request.actor = event_or_404(request, slug)
                return run_in_own_turn(request, person, partial(view, request, *args, **kwargs))

            cache_control = for_players if request.actor.player else FOR_ONE
            return respond_unless_fresh(request, etag_of(request), own_page, cache_control)

        def newest() -> tuple[int, HttpResponse]:
            request.event = open_event_or_404(slug)
            response = with_cookie(request, *args, **kwargs)
            response["ETag"] = etag_of(request)
            return request.event.version, response

        request.event = open_event_or_404(slug, only=visibility.VERSION_COLUMNS)
        request.actor = NOBODY
        activate_event_language(request, request.event.language)
        needs_turn = bool({"number", "table"} & kwargs.keys()) or not is_stranger(request)
        return _shared_page(request, newest, needs_turn=needs_turn)

    return answer


def _own_version(request: EventRequest) -> int | None:
    registration = request.event.registration_of(request.actor.player)
    return registration.version if registration else None


def _shared_page(
    request: EventRequest, newest: Callable[[], tuple[int, HttpResponse]], *, needs_turn: bool
) -> HttpResponse:
    """Return the shared page. An unchanged page costs one small query."""
    key, version = _page_key(request), request.event.version
    response = respond_unless_fresh(
        request,
        _etag(key, version),
        lambda: render_in_turn(request, key, version, newest, needs_turn=needs_turn),
        FOR_ALL if is_stranger(request) else FOR_ONE,
    )
    is_shared = response.status_code == HTTPStatus.NOT_MODIFIED or is_for_all(response)
    if not is_shared or OUTDATED_HEADER in response:
        response["Cache-Control"] = FOR_ONE
    return response


def respond_unless_fresh(
    request: HttpRequest, etag: str, answer: Callable[[], HttpResponse], cache_control: str
) -> HttpResponse:
    """Respond with 304 if the reader's copy has this ETag, otherwise call `answer`."""
    if _has_message(request):
        return _with_cache_headers(answer(), "", NO_STORE)
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        # A 304 needs no security headers: the reader's copy includes them.
        xframe_options_exempt(csp_exempt()(lambda request: unchanged))(request)
    response = _with_cache_headers(unchanged or answer(), etag, cache_control)
    if settings.LIVE_URL and is_fragment(request):
        slug = request.resolver_match.kwargs["slug"] if request.resolver_match else ""
        response["Datafort-Live"] = f"{settings.LIVE_URL}/events/{slug}/"
    return response


def _with_cache_headers(response: HttpResponse, etag: str, cache_control: str) -> HttpResponse:
    if etag and response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        # A page rendered for all may already have the ETag of a newer version.
        response.headers.setdefault("ETag", etag)
    response["Cache-Control"] = cache_control
    patch_vary_headers(response, ["Cookie", "X-Fragment"])
    return add_server_time(response)


def _has_message(request: HttpRequest) -> bool:
    """Return True if the page shows a message, which must not be cached."""
    if is_fragment(request) or is_stranger(request):
        return False
    return bool(len(get_messages(request)))


def is_fragment(request: HttpRequest) -> bool:
    return request.headers.get("X-Fragment") == "1"


def etag_of(
    request: EventRequest, *parts: object, version: object = None, fragment: bool | None = None
) -> str:
    """Return the ETag of this URL for this reader. `parts` are other inputs of the page.

    `version` replaces the event's version for pages that show only part of the event.
    """
    key = _page_key(request, fragment=fragment)
    return _etag(key, request.event.version if version is None else version, *parts)


def _etag(page_key: str, *parts: object) -> str:
    return f'W/"{_digest(page_key, *parts)}"'


def _page_key(request: EventRequest, *, fragment: bool | None = None) -> str:
    """Hash of everything in the ETag except the event's version."""
    part = is_fragment(request) if fragment is None else fragment
    return _digest(
        request.event.pk,
        shared_address(request),
        request.get_full_path(),
        get_language(),
        part,
        _reader_key(request, part),
        request.event.is_past_closing_time,
        visibility.count_passed_times(request.event),
        assets_hash(),
    )


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()[:32]


def _reader_key(request: EventRequest, fragment: bool) -> tuple[object, ...]:
    """Return the reader's part of the ETag."""
    # A fragment depends on the player. A page also shows the account, links to the pages of the
    # reader's role, and forms with a CSRF token, which changes at login.
    actor = request.actor
    player = actor.player.pk if actor.player else None
    # Only pages with facts of the reader's own table have it.
    own_version = getattr(request, "own_version", None)
    if fragment or actor == NOBODY:
        return player, own_version
    user = actor.user.pk if actor.user else None
    secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    checks = (
        event_permissions.can_see_desk_link,
        event_permissions.can_enter_results,
        event_permissions.can_run,
    )
    return (
        player,
        own_version,
        user,
        secret,
        *(is_allowed(actor, request.event) for is_allowed in checks),
    )


@lru_cache
def assets_hash() -> str:
    """Hash of templates, static files and code, so that a deploy invalidates every ETag."""
    base: Path = settings.BASE_DIR
    code = Path(__file__).parents[2]
    sources = (
        *((base / "templates", "*.html"), (base / "static", "*.*")),
        *((code / app, "*.py") for app in CODE_FOLDERS),
    )
    digest = sha256()
    for folder, pattern in sources:
        for file in sorted(folder.rglob(pattern)):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def render_event_page(
    request: EventRequest, template: str, here: str, context: dict[str, Any]
) -> HttpResponse:
    """Render the page with the tab `here`, or its partial `live` for a poll."""
    event, actor = request.event, request.actor
    shared = {"tournament": event, "actor": actor, **context}
    if "is_playing" not in context:
        shared["is_playing"] = event.registration_of(actor.player) is not None
    news = context.get("news") or get_round_news(event, actor.player)
    if is_fragment(request):
        fragment = render(request, f"{template}#live", shared)
        # The title is outside the polled part: static/js/news.js sets it.
        fragment["X-News"] = str(news)
        return fragment
    if "has_bracket" not in context:
        shared["has_bracket"] = event.has_public_bracket()
    page = {
        **shared,
        "here": here,
        "news": news,
        "can_open_desk": event_permissions.can_see_desk_link(actor, event),
        "can_score": event_permissions.can_enter_results(actor, event),
        "has_decks": visibility.has_decks_page(event, actor.player),
        "poll_url": request.get_full_path(),
        "poll_etag": context.get("poll_etag") or etag_of(request, fragment=True),
    }
    return render(request, template, page)


# Versions of events and of players' own pages, for browsers that follow an event.


@dataclass(frozen=True)
class EventVersion:
    version: int
    is_for_all: bool


def event_versions(slugs: Iterable[str]) -> dict[str, EventVersion]:
    """Event versions by slug, in one query; deleted events are left out."""
    known = Tournament.objects.filter(slug__in=slugs)
    rows = known.only("slug", "version", "visibility", "practice_of")
    return {row.slug: EventVersion(row.version, visibility.is_open_to_all(row)) for row in rows}


def player_versions(slugs: Iterable[str], players: Collection[int]) -> dict[tuple[str, int], int]:
    """Versions of these players' own pages by slug and player, in one query."""
    places = Registration.objects.filter(tournament__slug__in=slugs, player__in=players).order_by()
    rows = places.values_list("tournament__slug", "player", "version")
    return {(slug, player): version for slug, player, version in rows}


def player_of_cookies(cookies: str) -> int | None:
    """Primary key of the player logged in with these cookies; None for a stranger."""
    player = actor_of(_request_with_cookies(cookies)).player
    return None if player is None else player.pk


def can_follow(slug: str, cookies: str) -> bool:
    """Return True if the browser with these cookies can read the event."""
    try:
        event_or_404(_request_with_cookies(cookies), slug)
    except (Http404, PermissionDenied):
        return False
    return True


def _request_with_cookies(cookies: str) -> HttpRequest:
    """Return a minimal request with the browser's user and session."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookies)
    stored = SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    # A copy outside the table: Django gives a session of an older SECRET_KEY a new id, which no
    # cookie would report to the browser.
    request.session = signed_cookies.SessionStore()
    request.session.update(dict(stored.items()))
    AuthenticationMiddleware(lambda _: HttpResponse()).process_request(request)
    return request
