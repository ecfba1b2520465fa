"""Pages of a player across events, privacy settings, and merging of player records."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_POST,
    require_safe,
)

from core.csv_tables import CSV_TYPE
from core.files import attachment_response
from core.rate_limits import rate_limited
from core.text import with_full_stop
from decks.games import GAMES
from players import queries as player_queries
from players import services as player_services
from players.forms import PrivacyForm
from players.models import Player, User
from players.sessions import GUEST_KEY
from players.views import CLAIM_KEY
from tournaments.event.permissions import Actor, actor_of
from tournaments.models import PlayerMerge, Tournament
from tournaments.profiles import pages, queries, services
from tournaments.profiles.forms import MergePlayersForm
from tournaments.statistics.pages import statistics_csv
from tournaments.statistics.rules import MIN_FOR_RATE
from tournaments.web.staff_pages import show_refusals

EVENTS_ON_A_PAGE, OPPONENTS_ON_A_PAGE, MERGES_ON_A_PAGE = 20, 50, 50
MAX_RECORDS_FOUND = 50
# Length of a searched name.
MAX_SEARCH = 80


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_privacy(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    if actor == Actor():
        return redirect_to_login(request.path)
    player, status = actor.player, HTTPStatus.OK
    form = PrivacyForm(request.POST or None, instance=player)
    if player is not None and request.method == "POST":
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        if form.is_valid():
            try:
                player_services.set_privacy(player, **form.cleaned_data)
            except player_services.PlayerErased as refusal:
                messages.error(request, str(refusal))
            else:
                messages.success(request, _("Saved. The change applies from now on."))
            return redirect("tournaments:my_privacy")
        player.refresh_from_db()
    context = {"player": player, "form": form}
    return render(request, "tournaments/profiles/privacy.html", context, status=status)


def player_or_404(actor: Actor, pk: int) -> tuple[Player, QuerySet[Tournament]]:
    """Return the player and the events the reader may see; raise Http404 if there are none.

    A merged record leads to the record it was merged into.
    """
    found = queries.player_with_events(actor, pk)
    if found is None:
        raise Http404("There is no such player, or the player hides their history.")
    return found


@require_safe
@rate_limited("search")
@conditional_page
def player_page(request: HttpRequest, pk: int) -> HttpResponse:
    actor = actor_of(request)
    player, events = player_or_404(actor, pk)
    own = queries.is_self(actor, player)
    keys = [event.pk for event in events]
    page = Paginator(keys, EVENTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "person": player,
        "own": own,
        "page_obj": page,
        "events": pages.event_lines(player, list(page), own=own),
        "parts": pages.game_sections(player, events, own=own) if page.number == 1 else [],
        "least": MIN_FOR_RATE,
    }
    return _restrict_caching(render(request, "tournaments/profiles/person.html", context))


@require_safe
@rate_limited("search")
@conditional_page
def opponents(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """List all opponents in one game with results; `?q=` searches by name."""
    if game not in GAMES:
        raise Http404("There is no such game.")
    actor = actor_of(request)
    player, events = player_or_404(actor, pk)
    wanted = request.GET.get("q", "")[:MAX_SEARCH].strip()
    lines = pages.opponents_of(player, events, game, wanted)
    page = Paginator(lines, OPPONENTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "person": player,
        "game": GAMES[game],
        "q": wanted,
        "page_obj": page,
        "lines": list(page),
    }
    return _restrict_caching(render(request, "tournaments/profiles/opponents.html", context))


@require_safe
@rate_limited("expensive")
def player_statistics_csv(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    actor = actor_of(request)
    player, events = player_or_404(actor, pk)
    charts = pages.charts_of(player, events, game, own=queries.is_self(actor, player))
    if not charts:
        raise Http404("This player has not played this game.")
    return _restrict_caching(
        attachment_response(statistics_csv(charts), f"player-{pk}-{game}.csv", CSV_TYPE)
    )


def _restrict_caching(response: HttpResponse) -> HttpResponse:
    """Restrict caching: content depends on the reader, and hiding takes effect immediately."""
    patch_cache_control(response, private=True, no_cache=True)
    return response


# Merging of records


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def merge_players(request: HttpRequest) -> HttpResponse:
    """Let an administrator find two records of one person by name and merge them."""
    actor = actor_of(request)
    if not services.can_merge_any(actor):
        raise PermissionDenied
    form, status = MergePlayersForm(request.POST or None), HTTPStatus.OK
    if request.method == "POST":
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        if form.is_valid():
            with show_refusals(request):
                made = services.merge_players(actor=actor, **form.cleaned_data)
                messages.success(
                    request,
                    _("Merged: %(merged)s is now %(kept)s.")
                    % {"merged": made.merged.name, "kept": made.kept.name},
                )
                return redirect("tournaments:merge_players")
            status = HTTPStatus.CONFLICT
    wanted = (request.POST or request.GET).get("q", "")[:MAX_SEARCH].strip()
    found = list(queries.records_by_name(wanted)[: MAX_RECORDS_FOUND + 1]) if wanted else []
    page = Paginator(queries.all_merges(), MERGES_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "q": wanted,
        "found": found[:MAX_RECORDS_FOUND],
        "has_more": len(found) > MAX_RECORDS_FOUND,
        "most": MAX_RECORDS_FOUND,
        "page_obj": page,
        "chosen": {name: form[name].value() for name in ("kept", "merged")},
    }
    return render(request, "tournaments/profiles/merge.html", context, status=status)


@never_cache
@require_POST
@login_required
def undo_merge(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo a merge: players their own, administrators any."""
    actor = actor_of(request)
    made = get_object_or_404(PlayerMerge.objects.select_related("kept", "merged"), pk=pk)
    if not services.can_undo_merge(actor, made):
        raise PermissionDenied
    with show_refusals(request):
        services.undo_merge(made, actor)
        messages.success(
            request,
            _("Merge undone: %(merged)s is a separate record again.")
            % {"merged": made.merged.name},
        )
    back = request.POST.get("next", "")
    if services.can_merge_any(actor) and url_has_allowed_host_and_scheme(back, None):
        return redirect(back)
    return redirect("tournaments:my_records")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def my_records(request: HttpRequest) -> HttpResponse:
    """Add a guest's record to the account, by personal link or from this device."""
    actor = actor_of(request)
    guest, is_linked = _offered_record(request)
    if request.method == "POST":
        if guest is None:
            messages.error(request, _("Open your personal link first, then add it here."))
            return redirect("tournaments:my_records")
        with show_refusals(request):
            player = _add_record(request, actor, guest, is_linked=is_linked)
            messages.success(
                request,
                with_full_stop(
                    _("The results were added to your record, %(player)s") % {"player": player.name}
                ),
            )
            return redirect("tournaments:my_records")
    context = {
        "guest": guest,
        "events": queries.events_of_guest(guest) if guest else [],
        "player": actor.player,
        "merges": list(queries.merges_into(actor.player)) if actor.player else [],
        "can_merge_any": services.can_merge_any(actor),
    }
    status = HTTPStatus.CONFLICT if request.method == "POST" else HTTPStatus.OK
    return render(request, "tournaments/profiles/records.html", context, status=status)


def _offered_record(request: HttpRequest) -> tuple[Player | None, bool]:
    """Return the player of the opened link or else this device's guest, and True for a link."""
    digest = request.session.get(CLAIM_KEY, "")
    if digest:
        try:
            return player_services.get_claimable_player(digest), True
        except player_services.ClaimRefused:
            request.session.pop(CLAIM_KEY, None)
    return player_queries.claimed_guest(request), False


def _add_record(request: HttpRequest, actor: Actor, guest: Player, *, is_linked: bool) -> Player:
    assert isinstance(request.user, User)
    if is_linked:
        player = services.add_record_by_link(request.session[CLAIM_KEY], request.user, actor)
        del request.session[CLAIM_KEY]
    else:
        player = services.add_guest_record(guest, request.user, actor)
    request.session.pop(GUEST_KEY, None)
    return player
