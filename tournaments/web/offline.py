"""The web app manifest, the service worker and offline pages."""

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

# Static files required by the pages of a player.
SHELL_FILES = (
    "css/site.css",
    "css/print.css",
    "css/components/player.css",
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

# File, media type, sizes and purpose of each app icon.
APP_ICONS = (
    ("img/favicon.svg", "image/svg+xml", "any", "any"),
    ("img/icon-192.png", "image/png", "192x192", "any"),
    ("img/icon-512.png", "image/png", "512x512", "any"),
    ("img/icon-maskable-512.png", "image/png", "512x512", "maskable"),
)

# Pages that a phone stores for offline use.
OFFLINE_PAGES = frozenset(
    f"tournaments:{name}"
    for name in (
        "mine",
        "my_event",
        "report",
        "dispute",
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


def offline(request: HttpRequest) -> dict[str, Any]:
    """Context processor: the opaque id of the user, and whether the page is stored offline."""
    match = request.resolver_match
    return {
        "reader": lambda: reader_id(request),
        "is_kept": match is not None and match.view_name in OFFLINE_PAGES,
    }


def reader_id(request: HttpRequest) -> str:
    """Return an opaque id, the same for each person on this site; "" for a stranger."""
    # A renewed personal link logs out the device with the old link. That device then has no id, and
    # its stored pages are deleted.
    if not hasattr(request, "user"):
        return ""
    if request.user.is_authenticated:
        return _opaque_id("user", request.user.pk)
    player = current_player(request)
    return _opaque_id("guest", player.pk) if player else ""


def _opaque_id(*known: object) -> str:
    return salted_hmac("datafort.reader", repr(known)).hexdigest()[:16]


@require_safe
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
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
            {"src": static(file), "sizes": sizes, "type": media_type, "purpose": purpose}
            for file, media_type, sizes, purpose in APP_ICONS
        ],
    }
    return JsonResponse(about, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, from the root so that its scope covers every page."""
    files = [static(file) for file in SHELL_FILES]
    source = _service_worker_source()
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
def _service_worker_source() -> str:
    path = finders.find("js/service-worker.js")
    assert isinstance(path, str)
    return Path(path).read_text(encoding="utf-8")


@require_safe
@cache_control(no_cache=True)
def offline_page(request: HttpRequest) -> HttpResponse:
    """Fallback for a page that is not stored on the device. Contains no personal data."""
    return render(request, "tournaments/web/offline.html")
