"""Printable booklet of the rulings of a game."""

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from core.rate_limits import rate_limited
from core.site_address import shared_url
from decks import games
from rulings.queries import stamp
from rulings.queries.booklet import Booklet
from rulings.queries.booklet import booklet as booklet_of


@require_safe
@rate_limited("expensive")
@cache_control(private=True, no_cache=True)
@conditional_page
def booklet(request: HttpRequest, game: str) -> HttpResponse:
    """Show all rulings in force today by subject; `?wording=original` adds the original wording.

    The template caches the result for an hour, by game, day and wording. Any change of a ruling or
    card invalidates it.
    """
    if game not in games.GAMES:
        raise Http404("There is no such game.")
    today = timezone.localdate()
    with_originals = request.GET.get("wording") == "original"
    online = shared_url(request, f"{reverse('rulings:index')}?game={game}")

    def found() -> Booklet:
        return booklet_of(game, today, with_originals=with_originals)

    context = {
        "booklet": SimpleLazyObject(found),
        "stamp": stamp(),
        "game": games.GAMES[game],
        "today": today,
        "with_originals": with_originals,
        "online": online,
        "qr": qr(online),
    }
    return render(request, "rulings/booklet.html", context)


def qr(address: str) -> str:
    """QR code as a data URI; always dark on light."""
    code = segno.make(address, error="m", micro=False)
    image: str = code.svg_data_uri(border=3, dark="#10202b", light="#fff")
    return image
