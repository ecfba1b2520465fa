"""Pages that refresh themselves: told apart by an ETag before anything is rendered.

All that others see of an event moves its version, so a page is new when its
address, the version, the reader or the code that lays it out is new, or a
moment set for it has passed.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers

from tournaments import permissions, queries, visibility
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.views.access import event_or_404

P = ParamSpec("P")
EventView = Callable[Concatenate[HttpRequest, Tournament, Actor, P], HttpResponse]
Kept = tuple[bytes, dict[str, str]]
"""Body and headers of an answer: what is shared need not be a page of HTML."""
FOR_ALL, FOR_ONE, SECRET = "no-cache", "private, no-cache", "private, no-store"
WAIT_SECONDS, KEPT_SECONDS = 1, 60


def polled(view: EventView[P], *, for_players: str = FOR_ONE) -> Callable[..., HttpResponse]:
    """A public page of an event: `view` is called only when the reader's copy is old.

    `for_players` is the Cache-Control of what a known player gets.
    """

    @wraps(view)
    def answer(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        tournament, actor = event_or_404(request, slug)
        is_anonymous = actor.user is None and actor.player is None
        etag = etag_of(request, tournament, actor)

        def rendered() -> HttpResponse:
            return view(request, tournament, actor, *args, **kwargs)

        if not is_anonymous:
            return unless_fresh(request, etag, rendered, for_players if actor.player else FOR_ONE)
        if is_fragment(request):
            return unless_fresh(request, etag, lambda: rendered_once(etag, rendered), FOR_ALL)
        return unless_fresh(request, etag, rendered, FOR_ALL)

    return answer


def unless_fresh(
    request: HttpRequest, etag: str, answer: Callable[[], HttpResponse], cache_control: str
) -> HttpResponse:
    """304 when the reader's copy has this ETag, else the answer with its ETag."""
    if not is_fragment(request) and len(get_messages(request)):
        # A page with a message is like no other; the next one is without it.
        return _marked(answer(), "", SECRET)
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return _marked(unchanged, etag, cache_control)
    return _marked(answer(), etag, cache_control)


def rendered_once(etag: str, rendered: Callable[[], HttpResponse]) -> HttpResponse:
    """One answer for all who ask for the same: a hall of phones sees a new round at once.

    One of them renders it, the others wait for that a moment; should it take
    longer, they render it themselves.
    """
    key = f"rendered:{etag}"
    busy = f"{key}:busy"
    kept = cache.get(key)
    if kept is None and not cache.add(busy, 1, WAIT_SECONDS):
        kept = _waited_for(key, busy)
    if kept is not None:
        body, headers = kept
        return HttpResponse(body, headers=headers)
    try:
        response = rendered()
    except Exception:
        # Nobody is to wait for a page that is not there.
        cache.delete(busy)
        raise
    if response.status_code == HTTPStatus.OK:
        cache.set(key, (response.content, dict(response.headers)), KEPT_SECONDS)
    return response


def _waited_for(key: str, busy: str) -> Kept | None:
    deadline = monotonic() + WAIT_SECONDS
    kept: Kept | None = None
    is_made = True
    while kept is None and is_made and monotonic() < deadline:
        sleep(0.02)
        is_made = cache.get(busy) is not None
        kept = cache.get(key)
    return kept


def _marked(response: HttpResponse, etag: str, cache_control: str) -> HttpResponse:
    if etag and response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        response["ETag"] = etag
    response["Cache-Control"] = cache_control
    patch_vary_headers(response, ["Cookie", "X-Fragment"])
    return response


def is_fragment(request: HttpRequest) -> bool:
    """Whether only the part that refreshes is asked for."""
    return request.headers.get("X-Fragment") == "1"


def etag_of(
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    *parts: object,
    fragment: bool | None = None,
) -> str:
    """The ETag of this address for this reader. `parts` are what else the page shows."""
    part = is_fragment(request) if fragment is None else fragment
    known = (
        request.get_host(),
        request.get_full_path(),
        part,
        tournament.version,
        _reader(actor, tournament, part),
        queries.is_past_closing_time(tournament),
        visibility.moments_passed(tournament),
        _look(),
        *parts,
    )
    return f'W/"{sha256(repr(known).encode()).hexdigest()[:32]}"'


def _reader(actor: Actor, tournament: Tournament, fragment: bool) -> tuple[object, ...]:
    """A fragment shows a player's own rows; a page also the account and the way to the desk."""
    player = actor.player.pk if actor.player else None
    if fragment:
        return (player,)
    user = actor.user.pk if actor.user else None
    return (player, user, permissions.can_open_desk(actor, tournament))


@lru_cache
def _look() -> str:
    """What lays pages out: an upgrade makes every copy old, archived events included."""
    base: Path = settings.BASE_DIR
    digest = sha256()
    for folder, kind in (("templates", "*.html"), ("static", "*.*"), ("tournaments", "*.py")):
        for file in sorted((base / folder).rglob(kind)):
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
    is_playing = queries.registration_of(actor.player, tournament) is not None
    shared = {"tournament": tournament, "actor": actor, "is_playing": is_playing, **context}
    if is_fragment(request):
        return render(request, f"{template}#live", shared)
    return render(
        request,
        template,
        {
            **shared,
            "here": here,
            "can_open_desk": permissions.can_open_desk(actor, tournament),
            "has_bracket": queries.has_public_bracket(tournament),
            "has_decks": visibility.has_decks_page(tournament, actor.player),
            "poll_url": request.get_full_path(),
            "poll_etag": context.get("poll_etag")
            or etag_of(request, tournament, actor, fragment=True),
        },
    )
