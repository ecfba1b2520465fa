"""Pages that refresh themselves: an ETag says whether one is new before anything is rendered.

All that others see of an event moves its version, so a page is new when its
address, the version, the reader or the code that lays it out is new, or a
moment set for it has passed. What the page of one player shows has a version
of its own: results of other tables do not move it.

Pages of strangers are kept (core.kept_pages) with the version of the event they show, so a change
needs nobody to empty anything. Clocks on every device go by the time of the server, which comes
with each answer.
"""

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache, partial, wraps
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from time import time
from typing import Any, Concatenate, ParamSpec

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
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import Tournament
from tournaments.web.pages import news
from tournaments.web.views.access import actor_of, event_or_404, open_event_or_404

NOW = "Datafort-Now"
"""The header with the moment of the answer, in milliseconds."""

P = ParamSpec("P")
EventView = Callable[Concatenate[HttpRequest, Tournament, Actor, P], HttpResponse]
FOR_ALL, FOR_ONE, SECRET = (
    "public, max-age=0, s-maxage=1",
    "private, no-cache",
    "private, no-store",
)
"""A proxy before the site may give what is for all to others for a second."""

APPS = ("core", "players", "decks", "matches", "engine", "rulings", "tournaments")


def with_now(response: HttpResponse) -> HttpResponse:
    """The same answer, with when it was given; nginx.conf takes it off pages that are kept."""
    response[NOW] = str(round(time() * 1000))
    return response


@never_cache
@require_safe
def server_time(request: HttpRequest) -> HttpResponse:
    """The time and nothing else: asked when a page is shown, and after sleep."""
    return with_now(HttpResponse(status=204))


def polled(
    view: EventView[P],
    *,
    reads: Collection[str] | Mapping[str, Collection[str]] = (),
    for_players: str = FOR_ONE,
) -> Callable[..., HttpResponse]:
    """A public page of an event: `view` is called only when the reader's copy is old.

    `reads` names the parameters that the view reads; a mapping has the values that each can have.
    The view gets no others, so nothing that a link adds makes another page. `for_players` is the
    Cache-Control of pages for known players.

    All strangers get the same page, rendered once for each version of the event. Pages of which
    there are many (of players, rounds, tables), and those at addresses that strangers make up by
    parameters and hosts, are rendered in turns of their network address. Players and staff of the
    event have turns of their own.
    """

    # Sets the cookie of a form on the page itself, before it is kept for all.
    with_cookie = csrf_protect(view)

    @wraps(view)
    def answer(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        keep_only(request, reads)
        # A session that knows nobody gets what strangers get, unless it brings a message.
        if not is_stranger(request) and (actor_of(request) != NOBODY or _has_message(request)):
            # The answer is most often a 304, which needs few columns.
            only = visibility.VERSION_COLUMNS if "If-None-Match" in request.headers else ()
            tournament, actor = event_or_404(request, slug, only=only)

            def own_page() -> HttpResponse:
                person = permissions.counted_at(actor, tournament)
                event = event_or_404(request, slug)[0] if only else tournament
                page = partial(view, request, event, actor, *args, **kwargs)
                return in_own_turn(request, person, page)

            return unless_fresh(
                request,
                etag_of(request, tournament, actor),
                own_page,
                for_players if actor.player else FOR_ONE,
            )

        def newest() -> tuple[int, HttpResponse]:
            tournament = open_event_or_404(slug)
            response = with_cookie(request, tournament, NOBODY, *args, **kwargs)
            response["ETag"] = etag_of(request, tournament, NOBODY)
            return tournament.version, response

        needs_turn = bool({"number", "table"} & kwargs.keys()) or not is_stranger(request)
        return _for_strangers(request, slug, newest, needs_turn=needs_turn)

    return answer


def _for_strangers(
    request: HttpRequest,
    slug: str,
    newest: Callable[[], tuple[int, HttpResponse]],
    *,
    needs_turn: bool,
) -> HttpResponse:
    """While the page is unchanged one small query is all that is asked."""
    tournament = open_event_or_404(slug, only=visibility.VERSION_COLUMNS)
    place, version = _place(request, tournament, NOBODY), tournament.version
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
    """304 when the reader's copy has this ETag, else the answer with its ETag."""
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
    """Without the policies for a page: the reader has them, with the copy that is still right."""
    xframe_options_exempt(csp_exempt()(lambda request: unchanged))(request)
    return unchanged


def _marked(response: HttpResponse, etag: str, cache_control: str) -> HttpResponse:
    if etag and response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        # What was rendered meanwhile for all has an ETag already, that of a newer version.
        response.headers.setdefault("ETag", etag)
    response["Cache-Control"] = cache_control
    patch_vary_headers(response, ["Cookie", "X-Fragment"])
    return with_now(response)


def _has_message(request: HttpRequest) -> bool:
    """Whether the page has a message: it is like no other, and the next one is without it."""
    if is_fragment(request) or is_stranger(request):
        return False
    return bool(len(get_messages(request)))


def is_fragment(request: HttpRequest) -> bool:
    """Whether only the part that refreshes is asked for."""
    return request.headers.get("X-Fragment") == "1"


def etag_of(
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    *parts: object,
    version: object = None,
    fragment: bool | None = None,
) -> str:
    """The ETag of this address for this reader. `parts` are what else the page shows.

    `version` is that of what it shows of the event, where this is not all.
    """
    place = _place(request, tournament, actor, fragment=fragment)
    return _etag(place, tournament.version if version is None else version, *parts)


def _etag(place: str, *shown: object) -> str:
    return f'W/"{_digest(place, *shown)}"'


def _place(
    request: HttpRequest, tournament: Tournament, actor: Actor, *, fragment: bool | None = None
) -> str:
    """This address as this reader gets it, whatever the version of the event."""
    part = is_fragment(request) if fragment is None else fragment
    return _digest(
        tournament.pk,
        shared_address(request),
        request.get_full_path(),
        get_language(),
        part,
        _reader(request, actor, tournament, part),
        queries.is_past_closing_time(tournament),
        visibility.moments_passed(tournament),
        look(),
    )


def _digest(*known: object) -> str:
    return sha256(repr(known).encode()).hexdigest()[:32]


def _reader(
    request: HttpRequest, actor: Actor, tournament: Tournament, fragment: bool
) -> tuple[object, ...]:
    """A fragment shows a player's own rows; a page also the account and the way to the desk.

    A page may hold a form with the secret of this browser, which a log-in changes.
    """
    player = actor.player.pk if actor.player else None
    if fragment or actor == NOBODY:
        return (player,)
    user = actor.user.pk if actor.user else None
    secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    return (player, user, secret, permissions.is_shown_desk(actor, tournament))


@lru_cache
def look() -> str:
    """What lays pages out: an upgrade makes every copy old, archived events included."""
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
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    template: str,
    here: str,
    context: dict[str, Any],
) -> HttpResponse:
    """The page, or its partial `live` for a poll; the tab `here` is marked."""
    shared = {"tournament": tournament, "actor": actor, **context}
    if "is_playing" not in context:
        shared["is_playing"] = queries.registration_of(actor.player, tournament) is not None
    newest = context.get("news") or news(tournament, actor.player)
    if is_fragment(request):
        fragment = render(request, f"{template}#live", shared)
        # The title of a page is outside of its polled part: static/js/news.js sets it.
        fragment["X-News"] = str(newest)
        return fragment
    return render(
        request,
        template,
        {
            **shared,
            "here": here,
            "news": newest,
            "can_open_desk": permissions.is_shown_desk(actor, tournament),
            "has_bracket": context["has_bracket"]
            if "has_bracket" in context
            else queries.has_public_bracket(tournament),
            "has_decks": visibility.has_decks_page(tournament, actor.player),
            "poll_url": request.get_full_path(),
            "poll_etag": context.get("poll_etag")
            or etag_of(request, tournament, actor, fragment=True),
        },
    )
