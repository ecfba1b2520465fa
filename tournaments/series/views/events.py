"""Views of an event's staff: copy the event, choose its series, manage invitations."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.series import pages
from tournaments.series import permissions as series_permissions
from tournaments.series.forms import AgainForm, SeriesOfEventForm
from tournaments.series.services import copying, inviting
from tournaments.series.services import series as series_services
from tournaments.series.services.series import SeriesRefused
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
def again(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Create a copy of the event, by default a week later."""
    permissions.refuse_unless_organiser(request.user)
    form = AgainForm(request.POST or None, event=tournament)
    series = series_permissions.series_of_copy(actor, tournament)
    if request.method == "POST" and form.is_valid():
        with RefusalsShown(request, copying.NotToCopy):
            made = copying.run_again(tournament, actor, form.wanted, series=series)
            messages.success(request, f"{made.name} is created, and registration is open.")
            if made.invitation_only:
                messages.warning(request, "Only invited players can join, and nobody is invited.")
            return redirect("tournaments:desk", made.slug)
    context = {"form": form, "series": series, "has_players": tournament.registrations.exists()}
    return desk_page(
        request,
        tournament,
        actor,
        "tournaments/series/again.html",
        context,
        status=422 if form.errors else 200,
    )


@staff_page(permissions.can_run, READ + WRITE)
def event_series(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Choose the series of the event from those that this person runs, or none."""
    form = SeriesOfEventForm(
        request.POST if request.method == "POST" else None,
        choices=series_permissions.run_by(actor),
        initial={"series": tournament.series and tournament.series.slug},
    )
    if request.method == "POST":
        with RefusalsShown(request, SeriesRefused):
            chosen = cleaned(form, "Choose a series that you run, or none.")["series"]
            if chosen is None:
                series_services.remove_event(tournament, actor)
            else:
                series_services.add_event(chosen, tournament, actor)
            messages.success(request, "Saved.")
        return redirect("tournaments:event_series", tournament.slug)
    template = "tournaments/series/event_series.html"
    return desk_page(request, tournament, actor, template, {"form": form})


@staff_page(permissions.can_run)
def invited(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Show the invited players, their qualification, and who has joined."""
    context = {"lines": pages.invited_lines(tournament, actor)}
    return desk_page(request, tournament, actor, "tournaments/series/invited.html", context)


@staff_page(permissions.can_run, WRITE)
def invited_change(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Withdraw an invitation, or change whether the player has declined."""
    found = get_object_or_404(tournament.invited.select_related("tournament", "player"), pk=pk)
    act = request.POST.get("act", "")
    with RefusalsShown(request):
        if act == "withdraw":
            inviting.withdraw(found, actor)
            messages.success(request, f"{found.player} is not invited any more.")
        else:
            inviting.set_declined(found, actor, declined=act != "accept")
            messages.success(request, "Saved.")
    return redirect("tournaments:invited", tournament.slug)
