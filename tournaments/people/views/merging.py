"""Views for merging player records, for administrators and for players with an account."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.text import ended
from players import queries as player_queries
from players import services as player_services
from players.models import Player, User
from players.sessions import GUEST_KEY
from players.views import CLAIM_KEY
from tournaments.event.actors import Actor, actor_of
from tournaments.models import PlayerMerge
from tournaments.people import queries, services
from tournaments.people.forms import MergeForm
from tournaments.web.views.staff_pages import RefusalsShown

MOST_FOUND, MERGES_ON_A_PAGE, LONGEST_NAME = 50, 50, 80
CONFLICT, UNPROCESSABLE = 409, 422
NOT_ADDED = (
    services.CannotMergePlayers,
    player_services.ClaimRefused,
    player_services.AccountHasPlayer,
    player_services.PlayerHasAccount,
    player_services.PlayerErased,
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def merge_players(request: HttpRequest) -> HttpResponse:
    """Let an administrator find two records of one person by name and merge them."""
    actor = actor_of(request)
    if not services.can_merge_any(actor):
        raise PermissionDenied
    form, status = MergeForm(request.POST or None), 200
    if request.method == "POST":
        status = UNPROCESSABLE
        if form.is_valid():
            with RefusalsShown(request, services.CannotMergePlayers):
                made = services.merge(actor=actor, **form.cleaned_data)
                messages.success(request, f"Merged: {made.merged.name} is now {made.kept.name}.")
                return redirect("tournaments:merge_players")
            status = CONFLICT
    wanted = (request.POST or request.GET).get("q", "")[:LONGEST_NAME].strip()
    found = list(queries.found_by_name(wanted)[: MOST_FOUND + 1]) if wanted else []
    page = Paginator(queries.merges(), MERGES_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "q": wanted,
        "found": found[:MOST_FOUND],
        "has_more": len(found) > MOST_FOUND,
        "most": MOST_FOUND,
        "page_obj": page,
        "chosen": {name: form[name].value() for name in ("kept", "merged")},
    }
    return render(request, "tournaments/people/merge.html", context, status=status)


@never_cache
@require_POST
@login_required
def undo_merge(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo a merge: players their own, administrators any."""
    actor = actor_of(request)
    made = get_object_or_404(PlayerMerge.objects.select_related("kept", "merged"), pk=pk)
    if not services.can_undo(actor, made):
        raise PermissionDenied
    with RefusalsShown(request, services.CannotUndoMerge):
        services.undo(made, actor)
        messages.success(request, f"Undone: {made.merged.name} is a record of its own again.")
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
    guest, is_linked = _offered(request)
    if request.method == "POST":
        if guest is None:
            messages.error(request, "Open your personal link first, then add it here.")
            return redirect("tournaments:my_records")
        with RefusalsShown(request, *NOT_ADDED):
            player = _added(request, actor, guest, is_linked=is_linked)
            messages.success(request, ended(f"Added: all of it is in your record, {player.name}"))
            return redirect("tournaments:my_records")
    context = {
        "guest": guest,
        "events": queries.events_of_guest(guest) if guest else [],
        "player": actor.player,
        "merges": list(queries.merges_into(actor.player)) if actor.player else [],
        "can_merge_any": services.can_merge_any(actor),
    }
    status = CONFLICT if request.method == "POST" else 200
    return render(request, "tournaments/people/records.html", context, status=status)


def _offered(request: HttpRequest) -> tuple[Player | None, bool]:
    """Return the player of the opened link or else this device's guest, and True for a link."""
    digest = request.session.get(CLAIM_KEY, "")
    if digest:
        try:
            return player_services.claimable(digest), True
        except player_services.ClaimRefused:
            request.session.pop(CLAIM_KEY, None)
    return player_queries.claimed_guest(request), False


def _added(request: HttpRequest, actor: Actor, guest: Player, *, is_linked: bool) -> Player:
    assert isinstance(request.user, User)
    if is_linked:
        player = services.add_claimed(request.session[CLAIM_KEY], request.user, actor)
        del request.session[CLAIM_KEY]
    else:
        player = services.add_guest(guest, request.user, actor)
    request.session.pop(GUEST_KEY, None)
    return player
