"""The player meeting: where everybody sits, and the staff who seat them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.registration.forms import MeetingForm
from tournaments.registration.pages.meeting import meeting_lines
from tournaments.registration.services import meeting as service
from tournaments.web.views.polling import event_page, polled
from tournaments.web.views.staff_pages import WRITE, desk_page, staff_page, told


@require_safe
@polled
def meeting(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The seats by name, once there are any and until round 1 is published."""
    is_on = queries.meeting_is_on(tournament)
    lines = meeting_lines(tournament, actor.player) if is_on else []
    context = {"lines": lines, "mine": next((line for line in lines if line.is_me), None)}
    template = "tournaments/registration/public_meeting.html"
    return event_page(request, tournament, actor, template, "event", context)


@staff_page(permissions.can_run)
def desk(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Seat the players, or see how many sit."""
    return _page(request, tournament, actor, MeetingForm())


@staff_page(permissions.can_run, WRITE)
def seat(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Seat everybody by name, anew each time."""
    form = MeetingForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, actor, form, status=422)
    with told(request, service.NoMeeting):
        count = service.seat(tournament, actor, **form.cleaned_data)
        messages.success(request, f"{count} players are seated for the meeting.")
    return redirect("tournaments:meeting_desk", slug=tournament.slug)


@staff_page(permissions.can_run, WRITE)
def clear(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Take all seats of the meeting back."""
    with told(request):
        service.clear(tournament, actor)
        messages.success(request, "Nobody is seated for a meeting now.")
    return redirect("tournaments:meeting_desk", slug=tournament.slug)


def _page(
    request: HttpRequest, tournament: Tournament, actor: Actor, form: MeetingForm, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "meeting_is_on": queries.meeting_is_on(tournament),
        "has_begun": queries.visible_rounds(tournament).exists(),
        "states": queries.count_by_state(tournament),
        "lines": meeting_lines(tournament),
    }
    return desk_page(
        request, tournament, actor, "tournaments/registration/meeting.html", context, status=status
    )
