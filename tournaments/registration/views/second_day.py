"""Desk page of day 2: check-in and missing players."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from core.text import counted
from tournaments.event import permissions, queries
from tournaments.registration.forms import NumbersForm
from tournaments.registration.services import second_day
from tournaments.web.views.access import EventRequest
from tournaments.web.views.staff_pages import READ, WRITE, RefusalsShown, desk_page, staff_page

REFUSALS = second_day.NotDayTwo, second_day.MissingHaveChanged


@staff_page(permissions.can_run, READ + WRITE)
def day_two(request: EventRequest) -> HttpResponse:
    """List players missing on day 2.

    `action` is open, close, or drop with the displayed `numbers`.
    """
    event = request.event
    if request.method == "POST":
        return _changed(request)
    context = {
        "begins": queries.begins_day_two(event),
        "is_open": queries.day_two_check_in_is_open(event),
        "all": queries.day_two_players(event).count(),
        "missing": list(queries.day_two_missing(event)),
    }
    return desk_page(request, "tournaments/registration/day_two.html", context)


def _changed(request: EventRequest) -> HttpResponse:
    event, actor = request.event, request.actor
    action, page = request.POST.get("action"), "day_two"
    with RefusalsShown(request, *REFUSALS):
        if action == "open":
            second_day.open_check_in(event, actor)
            messages.success(request, "Check-in for day 2 is open.")
            page = "tick"
        elif action == "close":
            second_day.close_check_in(event, actor)
            messages.success(request, "Nobody has to check in again.")
            page = "desk"
        else:
            gone = second_day.drop_missing(event, _numbers(request), actor)
            messages.success(request, f"Dropped: {counted(gone, 'player')}.")
            # Dropped players may have places in a cut that already exists.
            page = "cut" if queries.cut_of_event(event) else "desk"
    return redirect(f"tournaments:{page}", slug=event.slug)


def _numbers(request: HttpRequest) -> list[int]:
    form = NumbersForm(request.POST)
    return form.cleaned_data["numbers"] if form.is_valid() else []
