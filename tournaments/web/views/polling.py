"""Pages that refresh themselves; ETags are checked before rendering.

The ETag depends on the URL, the event's version, the reader, the code, and passed scheduled times.
All publicly visible changes increment the version. A player's own pages have a version of their
own, so results of other tables do not affect it.

Pages for strangers are cached by version (core.kept_pages), so changes need no invalidation. Clocks
on every device use the server's time, sent with each response.
"""

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache, partial, wraps
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from time import time
from typing import Any, ParamSpec

from csp.decorators import csp_exempt
from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_safe

from core.kept_pages import OUTDATED, is_for_all, is_stranger, keep_only, rendered_in_turn
from core.rate_limits import in_own_turn
from core.site_address import shared_address
from tournaments.event import permissions, queries, visibility
from tournaments.event.actors import NOBODY, actor_of
from tournaments.web.pages import news
from tournaments.web.views.access import EventRequest, EventView, event_or_404, open_event_or_404

# Header with the time of the response, in milliseconds.
NOW = "Datafort-Now"

P = ParamSpec("P")
# A proxy may share public responses for one second.
FOR_ALL, FOR_ONE, SECRET = (
    "public, max-age=0, s-maxage=1",
    "private, no-cache",
    "private, no-store",
)

APPS = ("core", "players", "decks", "matches", "engine", "rulings", "tournaments")


def with_now(response: HttpResponse) -> HttpResponse:
    """Add the time of the response. nginx.conf removes it from cached pages."""
    response[NOW] = str(round(time() * 1000))
    return response


@never_cache
@require_safe
def server_time(request: HttpRequest) -> HttpResponse:
    """The time without a body: requested when a page is shown or the device wakes up."""
    return with_now(HttpResponse(status=204))


def polled(
    view: EventView[P],
    *,
    reads: Collection[str] | Mapping[str, Collection[str]] = (),
    for_players: str = FOR_ONE,
) -> Callable[..., HttpResponse]:
    """A public page of an event. Calls `view` only if the reader's copy is outdated.

    `reads` names the query parameters of the view; a mapping also lists their allowed values.
    Others are removed, so that links with extra parameters share the cached page. `for_players` is
    the Cache-Control of pages for known players.

    All strangers get the same page, rendered once per version of the event. Pages with many URLs
    (players, rounds, tables) and pages at made-up parameters or hosts are rendered in turn per
    network address. Players and staff of the event have turns of their own.
    """

    # Set the CSRF cookie on the page itself, before it is cached for all.
    with_cookie = csrf_protect(view)

    @wraps(view)
    def answer(request: EventRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        keep_only(request, reads)
        # A session without a user gets the shared page, unless it has a message.
        if not is_stranger(request) and (actor_of(request) != NOBODY or _has_message(request)):
            # The response is usually a 304, which needs few columns.
            only = visibility.VERSION_COLUMNS if "If-None-Match" in request.headers else ()
            request.event, request.actor = event_or_404(request, slug, only=only)

            def own_page() -> HttpResponse:
                person = permissions.counted_at(request.actor, request.event)
                if only:
                    request.event, request.actor = event_or_404(request, slug)
                return in_own_turn(request, person, partial(view, request, *args, **kwargs))

            cache_control = for_players if request.actor.player else FOR_ONE
            return unless_fresh(request, etag_of(request), own_page, cache_control)

        def newest() -> tuple[int, HttpResponse]:
            request.event = open_event_or_404(slug)
            response = with_cookie(request, *args, **kwargs)
            response["ETag"] = etag_of(request)
            return request.event.version, response

        request.event = open_event_or_404(slug, only=visibility.VERSION_COLUMNS)
        request.actor = NOBODY
        needs_turn = bool({"number", "table"} & kwargs.keys()) or not is_stranger(request)
        return _for_strangers(request, newest, needs_turn=needs_turn)

    return answer


def _for_strangers(
    request: EventRequest, newest: Callable[[], tuple[int, HttpResponse]], *, needs_turn: bool
) -> HttpResponse:
    """The shared page. An unchanged page costs one small query."""
    place, version = _place(request), request.event.version
    response = unless_fresh(
        request,
        _etag(place, version),
        lambda: rendered_in_turn(request, place, version, newest, needs_turn=needs_turn),
        FOR_ALL if is_stranger(request) else FOR_ONE,
    )
    is_kept = response.status_code == HTTPStatus.NOT_MODIFIED or is_for_all(response)
    if not is_kept or OUTDATED in response:
        response["Cache-Control"] = FOR_ONE
    return response


def unless_fresh(
    request: HttpRequest, etag: str, answer: Callable[[], HttpResponse], cache_control: str
) -> HttpResponse:
    """Respond with 304 if the reader's copy has this ETag, otherwise call `answer`."""
    if _has_message(request):
        return _marked(answer(), "", SECRET)
    response = _unless_fresh(request, etag, answer, cache_control)
    if settings.LIVE_URL and is_fragment(request):
        slug = request.resolver_match.kwargs["slug"] if request.resolver_match else ""
        response["Datafort-Live"] = f"{settings.LIVE_URL}/events/{slug}/"
    return response


def _unless_fresh(
    request: HttpRequest, etag: str, answer: Callable[[], HttpResponse], cache_control: str
) -> HttpResponse:
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return _marked(_bare(request, unchanged), etag, cache_control)
    return _marked(answer(), etag, cache_control)


def _bare(request: HttpRequest, unchanged: HttpResponse) -> HttpResponse:
    """A 304 without security headers: the reader's copy includes them."""
    xframe_options_exempt(csp_exempt()(lambda request: unchanged))(request)
    return unchanged


def _marked(response: HttpResponse, etag: str, cache_control: str) -> HttpResponse:
    if etag and response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        # A page rendered for all may already have the ETag of a newer version.
        response.headers.setdefault("ETag", etag)
    response["Cache-Control"] = cache_control
    patch_vary_headers(response, ["Cookie", "X-Fragment"])
    return with_now(response)


def _has_message(request: HttpRequest) -> bool:
    """Return True if the page shows a message, which must not be cached."""
    if is_fragment(request) or is_stranger(request):
        return False
    return bool(len(get_messages(request)))


def is_fragment(request: HttpRequest) -> bool:
    """Return True if only the part that refreshes is requested."""
    return request.headers.get("X-Fragment") == "1"


def etag_of(
    request: EventRequest, *parts: object, version: object = None, fragment: bool | None = None
) -> str:
    """The ETag of this URL for this reader. `parts` are other inputs of the page.

    `version` replaces the event's version for pages that show only part of the event.
    """
    place = _place(request, fragment=fragment)
    return _etag(place, request.event.version if version is None else version, *parts)


def _etag(place: str, *shown: object) -> str:
    return f'W/"{_digest(place, *shown)}"'


def _place(request: EventRequest, *, fragment: bool | None = None) -> str:
    """Hash of everything in the ETag except the event's version."""
    part = is_fragment(request) if fragment is None else fragment
    return _digest(
        request.event.pk,
        shared_address(request),
        request.get_full_path(),
        get_language(),
        part,
        _reader(request, part),
        queries.is_past_closing_time(request.event),
        visibility.moments_passed(request.event),
        look(),
    )


def _digest(*known: object) -> str:
    return sha256(repr(known).encode()).hexdigest()[:32]


def _reader(request: EventRequest, fragment: bool) -> tuple[object, ...]:
    """The reader's part of the ETag.

    A fragment depends on the player. A page also shows the account, a link to the desk, and forms
    with a CSRF token, which changes at login.
    """
    actor = request.actor
    player = actor.player.pk if actor.player else None
    if fragment or actor == NOBODY:
        return (player,)
    user = actor.user.pk if actor.user else None
    secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    return (player, user, secret, permissions.is_shown_desk(actor, request.event))


@lru_cache
def look() -> str:
    """Hash of templates, static files and code, so that a deploy invalidates every ETag."""
    base: Path = settings.BASE_DIR
    code = Path(__file__).parents[3]
    laid_out_by = (
        *((base / "templates", "*.html"), (base / "static", "*.*")),
        *((code / app, "*.py") for app in APPS),
    )
    digest = sha256()
    for folder, kind in laid_out_by:
        for file in sorted(folder.rglob(kind)):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def event_page(
    request: EventRequest, template: str, here: str, context: dict[str, Any]
) -> HttpResponse:
    """Render the page with the tab `here`, or its partial `live` for a poll."""
    event, actor = request.event, request.actor
    shared = {"tournament": event, "actor": actor, **context}
    if "is_playing" not in context:
        shared["is_playing"] = queries.registration_of(actor.player, event) is not None
    newest = context.get("news") or news(event, actor.player)
    if is_fragment(request):
        fragment = render(request, f"{template}#live", shared)
        # The title is outside the polled part: static/js/news.js sets it.
        fragment["X-News"] = str(newest)
        return fragment
    return render(
        request,
        template,
        {
            **shared,
            "here": here,
            "news": newest,
            "can_open_desk": permissions.is_shown_desk(actor, event),
            "has_bracket": context["has_bracket"]
            if "has_bracket" in context
            else queries.has_public_bracket(event),
            "has_decks": visibility.has_decks_page(event, actor.player),
            "poll_url": request.get_full_path(),
            "poll_etag": context.get("poll_etag") or etag_of(request, fragment=True),
        },
    )
