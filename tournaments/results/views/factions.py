"""Factions of a pod: a player takes one in turn, the staff set any."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from matches.services import AlreadySettled, FactionRefused
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.results.forms.results import FactionsForm
from tournaments.results.services import factions
from tournaments.rounds.faction_drafts import faction_draft
from tournaments.web.views.access import my_table, round_or_404, table_or_404
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import READ, WRITE, desk_page, staff_page, told

REFUSALS = (factions.NoFactionsNow, FactionRefused, AlreadySettled)


@never_cache
@require_POST
@once
def choose(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """A player takes `faction`; then back to `next`, or to the own page."""
    mine = my_table(request, slug, number, table)
    with told(request, factions.NotYourTurn, *REFUSALS):
        factions.choose(mine.pairing, mine.seat, request.POST.get("faction", ""), mine.actor)
        messages.success(request, "Your faction is recorded.")
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = reverse("tournaments:my_event", args=[slug])
    # Not `redirect`: a word without a slash would be taken for the name of a page.
    return HttpResponseRedirect(back)


@staff_page(permissions.can_enter_results, READ + WRITE)
def set_all(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int, table: int
) -> HttpResponse:
    """All factions of a table, for the staff, until somebody has told a result."""
    pairing = table_or_404(round_or_404(tournament, actor, number), table)
    draft = faction_draft(pairing.match, pairing.round)
    if draft is None:
        messages.info(request, "At this table no factions are chosen now.")
        return redirect("tournaments:table", tournament.slug, number, table)
    form = FactionsForm(request.POST or None, draft=draft)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        with told(request, *REFUSALS):
            factions.set_by_staff(pairing, form.chosen, actor)
            messages.success(request, "The factions are recorded.")
            return redirect("tournaments:table", tournament.slug, number, table)
        status = 409
    context = {"round": pairing.round, "pairing": pairing, "form": form}
    return desk_page(
        request, tournament, actor, "tournaments/results/factions.html", context, status=status
    )
