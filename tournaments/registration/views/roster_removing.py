"""Many taken off the roster at once."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.registration.forms import NumbersForm, SignUpsForm
from tournaments.registration.services import registrations
from tournaments.web.views.staff_pages import READ, WRITE, desk_page, in_zone, staff_page


@staff_page(permissions.can_run, READ + WRITE)
def roster_sign_ups(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """`?since=&until=` shows who would go; a POST with their numbers takes them off."""
    if request.method == "POST":
        return _removed(request, tournament, actor)
    with in_zone(tournament.time_zone):
        form = SignUpsForm(request.GET or None)
        is_asked = bool(request.GET) and form.is_valid()
        sign_ups = queries.removable_sign_ups(tournament, *form.stretch()) if is_asked else []
        context = {"form": form, "is_asked": is_asked, "sign_ups": sign_ups}
        status = 422 if form.errors else 200
        return desk_page(
            request,
            tournament,
            actor,
            "tournaments/registration/roster_sign_ups.html",
            context,
            status,
        )


def _removed(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    form = NumbersForm(request.POST)
    numbers = form.cleaned_data["numbers"] if form.is_valid() else []
    gone = registrations.remove_sign_ups(tournament, numbers, actor)
    messages.success(request, f"Off the roster: {len(gone)}.")
    return redirect("tournaments:roster", slug=tournament.slug)
