"""What makes the site an app on a phone, and lets its last pages be read without a signal."""

import json
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from players.queries import current_player

SHELL = (
    "css/site.css",
    "css/print.css",
    "js/again.js",
    "js/theme.js",
    "js/copy.js",
    "js/tabs.js",
    "js/poll.js",
    "js/server_time.js",
    "js/clock.js",
    "js/news.js",
    "js/outbox.js",
    "js/offline.js",
    "js/usual_results.js",
    "django_htmx/htmx-2.min.js",
    "img/datafort.svg",
    "img/favicon.svg",
)
"""The static files that the pages of a player need."""

ICONS = (
    ("img/favicon.svg", "any", "any"),
    ("img/icon-192.png", "192x192", "any"),
    ("img/icon-512.png", "512x512", "any"),
    ("img/icon-maskable-512.png", "512x512", "maskable"),
)
"""File, sizes and purpose of each picture of the app."""

KEPT_PAGES = frozenset(
    f"tournaments:{name}"
    for name in (
        "mine",
        "my_event",
        "report",
        "confirm",
        "deck",
        "event",
        "pairings",
        "round",
        "table",
        "standings",
        "bracket",
        "schedule",
        "player",
        "meeting",
    )
)
"""Pages whose last state a phone keeps for the time without a signal."""


def offline(request: HttpRequest) -> dict[str, Any]:
    """For every template: who is reading, as a word that tells nothing, and whether to keep it."""
    match = request.resolver_match
    return {
        "reader": lambda: reader_of(request),
        "is_kept": match is not None and match.view_name in KEPT_PAGES,
    }


def reader_of(request: HttpRequest) -> str:
    """The same word for the same person on this site; "" for nobody.

    A personal link that was made anew makes a nobody of the device that had the old one: what
    strangers share must not carry its word, and what it has kept is forgotten.
    """
    if not hasattr(request, "user"):
        return ""
    if request.user.is_authenticated:
        return _word("user", request.user.pk)
    player = current_player(request)
    return _word("guest", player.pk) if player else ""


def _word(*known: object) -> str:
    return salted_hmac("datafort.reader", repr(known)).hexdigest()[:16]


@require_safe
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """What a phone wants to know of an app before it puts it on its home screen."""
    about = {
        "name": "Datafort",
        "short_name": "Datafort",
        "description": "Where you sit, the clock, your result: Netrunner tournaments.",
        "id": reverse("home"),
        "start_url": reverse("tournaments:mine"),
        "scope": reverse("home"),
        "display": "standalone",
        "background_color": "#0a1a22",
        "theme_color": "#0a1a22",
        "icons": [
            {"src": static(file), "sizes": sizes, "type": _type_of(file), "purpose": purpose}
            for file, sizes, purpose in ICONS
        ],
    }
    return JsonResponse(about, content_type="application/manifest+json")


def _type_of(file: str) -> str:
    return "image/svg+xml" if file.endswith(".svg") else "image/png"


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The worker of this version; at the root, so that every page is in its scope."""
    files = [static(file) for file in SHELL]
    source = _source()
    leaving = [reverse("players:forget"), reverse("players:claim_confirm")]
    site = {
        "version": sha256(repr((files, source)).encode()).hexdigest()[:16],
        "files": files,
        "page": reverse("tournaments:offline"),
        "static": settings.STATIC_URL,
        "doors": ["/account/", *leaving],
        "exits": [reverse("account_logout"), *leaving],
    }
    script = f"const SITE = {json.dumps(site)};\n{source}"
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@lru_cache
def _source() -> str:
    path = finders.find("js/service-worker.js")
    assert isinstance(path, str)
    return Path(path).read_text(encoding="utf-8")


@require_safe
@cache_control(no_cache=True)
def no_signal(request: HttpRequest) -> HttpResponse:
    """Shown in the place of a page that this device has not kept; it knows nobody."""
    return render(request, "tournaments/web/offline.html")
