"""Views of an event's staff: copy the event, choose its series, manage invitations."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect

from tournaments.event import permissions
from tournaments.series import pages
from tournaments.series import permissions as series_permissions
from tournaments.series.forms import AgainForm, SeriesOfEventForm
from tournaments.series.services import copying, inviting
from tournaments.series.services import series as series_services
from tournaments.series.services.series import SeriesRefused
from tournaments.web.views.access import EventRequest
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    RefusalsShown,
    cleaned,
    desk_page,
    staff_page,
)


@once
@staff_page(permissions.can_run, READ + WRITE)
def again(request: EventRequest) -> HttpResponse:
    """Create a copy of the event, by default a week later."""
    permissions.refuse_unless_organiser(request.user)
    event, actor = request.event, request.actor
    form = AgainForm(request.POST or None, event=event)
    series = series_permissions.series_of_copy(actor, event)
    if request.method == "POST" and form.is_valid():
        with RefusalsShown(request, copying.NotToCopy):
            made = copying.run_again(event, actor, form.wanted, series=series)
            messages.success(request, f"{made.name} is created, and registration is open.")
            if made.invitation_only:
                messages.warning(request, "Only invited players can join, and nobody is invited.")
            return redirect("tournaments:desk", made.slug)
    context = {"form": form, "series": series, "has_players": event.registrations.exists()}
    status = 422 if form.errors else 200
    return desk_page(request, "tournaments/series/again.html", context, status)


@staff_page(permissions.can_run, READ + WRITE)
def event_series(request: EventRequest) -> HttpResponse:
    """Choose the series of the event from those that this person runs, or none."""
    event = request.event
    form = SeriesOfEventForm(
        request.POST if request.method == "POST" else None,
        choices=series_permissions.run_by(request.actor),
        initial={"series": event.series and event.series.slug},
    )
    if request.method == "POST":
        with RefusalsShown(request, SeriesRefused):
            chosen = cleaned(form, "Choose a series that you run, or none.")["series"]
            if chosen is None:
                series_services.remove_event(event, request.actor)
            else:
                series_services.add_event(chosen, event, request.actor)
            messages.success(request, "Saved.")
        return redirect("tournaments:event_series", event.slug)
    return desk_page(request, "tournaments/series/event_series.html", {"form": form})


@staff_page(permissions.can_run)
def invited(request: EventRequest) -> HttpResponse:
    """Show the invited players, their qualification, and who has joined."""
    context = {"lines": pages.invited_lines(request.event, request.actor)}
    return desk_page(request, "tournaments/series/invited.html", context)


@staff_page(permissions.can_run, WRITE)
def invited_change(request: EventRequest, pk: int) -> HttpResponse:
    """Withdraw an invitation, or change whether the player has declined."""
    found = get_object_or_404(request.event.invited.select_related("tournament", "player"), pk=pk)
    act = request.POST.get("act", "")
    with RefusalsShown(request):
        if act == "withdraw":
            inviting.withdraw(found, request.actor)
            messages.success(request, f"{found.player} is not invited any more.")
        else:
            inviting.set_declined(found, request.actor, declined=act != "accept")
            messages.success(request, "Saved.")
    return redirect("tournaments:invited", request.event.slug)
