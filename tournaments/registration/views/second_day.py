"""Desk page of day 2: check-in and missing players."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from core.text import counted
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.registration.forms import NumbersForm
from tournaments.registration.services import second_day
from tournaments.web.views.staff_pages import READ, WRITE, RefusalsShown, desk_page, staff_page

REFUSALS = second_day.NotDayTwo, second_day.MissingHaveChanged


@staff_page(permissions.can_run, READ + WRITE)
def day_two(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """List players missing on day 2.

    `action` is open, close, or drop with the displayed `numbers`.
    """
    if request.method == "POST":
        return _changed(request, tournament, actor)
    context = {
        "begins": queries.begins_day_two(tournament),
        "is_open": queries.day_two_check_in_is_open(tournament),
        "all": queries.day_two_players(tournament).count(),
        "missing": list(queries.day_two_missing(tournament)),
    }
    return desk_page(request, tournament, actor, "tournaments/registration/day_two.html", context)


def _changed(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    action, page = request.POST.get("action"), "day_two"
    with RefusalsShown(request, *REFUSALS):
        if action == "open":
            second_day.open_check_in(tournament, actor)
            messages.success(request, "Check-in for day 2 is open.")
            page = "tick"
        elif action == "close":
            second_day.close_check_in(tournament, actor)
            messages.success(request, "Nobody has to check in again.")
            page = "desk"
        else:
            gone = second_day.drop_missing(tournament, _numbers(request), actor)
            messages.success(request, f"Dropped: {counted(gone, 'player')}.")
            # Dropped players may have places in a cut that already exists.
            page = "cut" if queries.cut_of_event(tournament) else "desk"
    return redirect(f"tournaments:{page}", slug=tournament.slug)


def _numbers(request: HttpRequest) -> list[int]:
    form = NumbersForm(request.POST)
    return form.cleaned_data["numbers"] if form.is_valid() else []
