"""Page of one ruling: text, dates, sources, changes and citation."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import conditional_page, require_safe

from core.kept_pages import kept_for_strangers
from core.site_address import shared_url
from rulings import permissions, queries
from rulings.models import Ruling, RulingKind, RulingVersion
from rulings.views import as_of, citing
from rulings.views.as_of import AsOf
from rulings.views.booklet import qr
from rulings.words.difference import difference


@require_safe
@conditional_page
@kept_for_strangers(as_of.PARAMETER)
def ruling(request: HttpRequest, code: str, number: int | None = None) -> HttpResponse:
    """Show a ruling in its newest version, that of a day, or a cited version."""
    shown = _shown_or_404(request, code)
    asked = as_of.read(request) if number is None else AsOf()
    version = _version_or_404(shown, number, asked)
    before, after = queries.neighbours(shown)
    short_address = shared_url(request, version.short_url)
    led_to = queries.led_to(shown) if shown.kind == RulingKind.CROSS_REFERENCE else []
    context = {
        "as_of": asked,
        "ruling": shown,
        "version": version,
        "standing": queries.standing_on(shown, asked.day),
        "is_current": version == shown.current,
        "led_to": asked.readings(led_to),
        "referring": queries.referring_to(shown),
        "before": before,
        "after": after,
        "times_cited": queries.times_cited(shown),
        "cite_text": citing.cite_text(shown, version, request),
        "short_address": short_address,
        "qr": qr(short_address),
        "citing": citing.citing(request, f"{shown.short_code} v{version.number}"),
        "can_write": permissions.can_write(request.user),
    }
    return permissions.kept_private(render(request, "rulings/ruling.html", context), shown)


@require_safe
@conditional_page
@kept_for_strangers("from", "to")
def changes(request: HttpRequest, code: str) -> HttpResponse:
    """Show the changes between two versions (`?from=1&to=2`): words and sources."""
    shown = _shown_or_404(request, code)
    versions = {version.number: version for version in shown.versions.all()}
    newest = max(versions, default=0)
    new = versions.get(_number(request, "to", newest))
    old = versions.get(_number(request, "from", new.number - 1 if new else newest - 1))
    context: dict[str, Any] = {"ruling": shown, "old": old, "new": new}
    if old and new:
        before, after = queries.sources_of(old), queries.sources_of(new)
        context |= {
            "pieces": difference(old.text, new.text),
            "sources": [
                (source, source in before, source in after)
                for source in dict.fromkeys([*before, *after])
            ],
            "same_sources": before == after,
        }
    return permissions.kept_private(render(request, "rulings/difference.html", context), shown)


@require_safe
def short(request: HttpRequest, short: str, number: int | None = None) -> HttpResponse:
    """Redirect the short URLs /r/R-0231/ and /r/R-0231/2/, in any case."""
    found = get_object_or_404(permissions.readable_by(request), short_code=short.upper())
    if number is None:
        query = request.GET.urlencode()
        return redirect(f"{found.get_absolute_url()}{'?' if query else ''}{query}")
    return redirect(get_object_or_404(RulingVersion, ruling=found, number=number))


def _shown_or_404(request: HttpRequest, code: str) -> Ruling:
    return get_object_or_404(queries.rulings_in_full(permissions.readable_by(request)), code=code)


def _version_or_404(shown: Ruling, number: int | None, asked: AsOf) -> RulingVersion:
    """Return the version by number, otherwise by day, otherwise the newest.

    A ruling that is newer than the day shows its first version, marked as such.
    """
    versions = list(shown.versions.all())
    if number is not None:
        wanted = [one for one in versions if one.number == number]
    elif asked.day:
        held = queries.standing_on(shown, asked.day).version
        wanted = [held] if held else versions[-1:]
    else:
        wanted = versions[:1]
    if not wanted:
        raise Http404
    return wanted[0]


def _number(request: HttpRequest, name: str, otherwise: int) -> int:
    typed = request.GET.get(name, "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 6 else otherwise
