"""A fixed table, and not to be filmed: set by the staff, the second by the player as well."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.registration.forms import WishesForm
from tournaments.registration.services import wishes
from tournaments.web.views.access import registration_or_404
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import WRITE, staff_page, told


@staff_page(permissions.can_run, WRITE)
def set_wishes(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """The staff set both for one player."""
    entry = get_object_or_404(tournament.registrations.select_related("player"), number=number)
    entry.tournament = tournament
    form = WishesForm(request.POST)
    if form.is_valid():
        with told(request), transaction.atomic():
            wishes.set_fixed_table(entry, actor, form.cleaned_data["fixed_table"])
            wishes.set_avoids_stream(entry, actor, avoids=form.cleaned_data["avoids_stream"])
            messages.success(request, f"Saved for {entry.player}; it counts from the next draft.")
    else:
        messages.error(request, "A table is a number from 1 to 9999. Leave it empty for none.")
    return redirect(f"{reverse('tournaments:roster', args=[tournament.slug])}#player-{number}")


@never_cache
@require_POST
@once
def my_stream(request: HttpRequest, slug: str) -> HttpResponse:
    """The player does not want to be filmed (`avoids` yes), or does not mind (no)."""
    registration, actor = registration_or_404(request, slug)
    avoids = request.POST.get("avoids") == "yes"
    with told(request):
        wishes.set_avoids_stream(registration, actor, avoids=avoids)
        words = "You will not be put at a feature table." if avoids else "You may be filmed again."
        messages.success(request, words)
    return redirect("tournaments:my_event", slug)
