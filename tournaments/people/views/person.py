"""Views of a player across events: page, opponents, statistics and privacy settings."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from core.csv_tables import CSV
from core.downloads import attached
from core.rate_limits import rate_limited
from decks.games import GAMES
from players import services as player_services
from players.forms import PrivacyForm
from players.models import Player
from tournaments.event.actors import Actor, actor_of
from tournaments.models import Tournament
from tournaments.people import pages, queries
from tournaments.statistics.exports import statistics_csv
from tournaments.statistics.rules.rates import LEAST_FOR_A_RATE

EVENTS_ON_A_PAGE, OPPONENTS_ON_A_PAGE = 20, 50
LONGEST_NAME = 80
UNPROCESSABLE, CONFLICT = 422, 409


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_privacy(request: HttpRequest) -> HttpResponse:
    """Edit the player's own privacy settings, which apply across events."""
    actor = actor_of(request)
    if actor == Actor():
        return redirect_to_login(request.path)
    player, status = actor.player, 200
    form = PrivacyForm(request.POST or None, instance=player)
    if player is not None and request.method == "POST":
        status = UNPROCESSABLE
        if form.is_valid():
            try:
                player_services.set_privacy(player, **form.cleaned_data)
            except player_services.PlayerErased as refusal:
                messages.error(request, str(refusal))
            else:
                messages.success(request, "Saved. Others see it from now on.")
            return redirect("tournaments:my_privacy")
        player.refresh_from_db()
    context = {"player": player, "form": form}
    return render(request, "tournaments/people/privacy.html", context, status=status)


def person_or_404(actor: Actor, pk: int) -> tuple[Player, QuerySet[Tournament]]:
    """Return the player and the events the reader may see; raise Http404 if there are none.

    A merged record leads to the record it was merged into.
    """
    found = queries.player_with_events(actor, pk)
    if found is None:
        raise Http404("No such player, or they keep their history to themselves.")
    return found


@require_safe
@rate_limited("search")
@conditional_page
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the player's events, visible decks, charts and opponents."""
    actor = actor_of(request)
    player, events = person_or_404(actor, pk)
    own = queries.is_self(actor, player)
    keys = [event.pk for event in events]
    page = Paginator(keys, EVENTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "person": player,
        "own": own,
        "page_obj": page,
        "events": pages.event_lines(player, list(page), own=own),
        "parts": pages.game_parts(player, events, own=own) if page.number == 1 else [],
        "least": LEAST_FOR_A_RATE,
    }
    return _private(render(request, "tournaments/people/person.html", context))


@require_safe
@rate_limited("search")
@conditional_page
def opponents(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """List all opponents in one game with results; `?q=` searches by name."""
    if game not in GAMES:
        raise Http404("Such a game is not played here.")
    actor = actor_of(request)
    player, events = person_or_404(actor, pk)
    wanted = request.GET.get("q", "")[:LONGEST_NAME].strip()
    lines = pages.opponents_of(player, events, game, wanted)
    page = Paginator(lines, OPPONENTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "person": player,
        "game": GAMES[game],
        "q": wanted,
        "page_obj": page,
        "lines": list(page),
    }
    return _private(render(request, "tournaments/people/opponents.html", context))


@require_safe
@rate_limited("expensive")
def person_csv(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """Download the rows of the player's charts for one game as CSV."""
    actor = actor_of(request)
    player, events = person_or_404(actor, pk)
    charts = pages.charts_of(player, events, game, own=queries.is_self(actor, player))
    if not charts:
        raise Http404("This player has not played this game.")
    return _private(attached(statistics_csv(charts), f"player-{pk}-{game}.csv", CSV))


def _private(response: HttpResponse) -> HttpResponse:
    """Restrict caching: content depends on the reader, and hiding takes effect immediately."""
    patch_cache_control(response, private=True, no_cache=True)
    return response
