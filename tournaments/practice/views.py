"""Create, play and delete practice events."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.event import permissions as event_permissions
from tournaments.models import Tournament
from tournaments.practice import services
from tournaments.web.access import EventRequest
from tournaments.web.staff_pages import READ, WRITE, render_desk_page, show_refusals, staff_page


@staff_page(event_permissions.can_run, READ + WRITE)
def practice_list(request: EventRequest) -> HttpResponse:
    """Explain practice events, list the user's, and create a new one."""
    if request.method == "POST":
        with show_refusals(request):
            practice = services.create_practice(
                request.event, request.actor, with_rounds="rounds" in request.POST
            )
            messages.success(request, _("This is a copy to practise with. Try anything."))
            return redirect("tournaments:desk", practice.slug)
        return redirect("tournaments:practice", request.event.slug)
    context = {
        "has_rounds": request.event.rounds.published().exists(),
        "practices": Tournament.objects.practices_of(request.user)
        if request.user.is_authenticated
        else [],
    }
    return render_desk_page(request, "tournaments/desk/practice.html", context)


@staff_page(event_permissions.can_run, WRITE)
def play_practice(request: EventRequest) -> HttpResponse:
    """Play the open tables at random, or a whole round with `what` set to round."""
    with show_refusals(request):
        if request.POST.get("what") == "round":
            round_ = services.play_round(request.event, request.actor)
            messages.success(
                request,
                _("Round %(round)s was filled with random results and closed.")
                % {"round": round_.number},
            )
        else:
            count = services.play_open_tables(request.event, request.actor)
            messages.success(
                request, _("Tables filled with random results: %(count)s.") % {"count": count}
            )
    return redirect("tournaments:desk", request.event.slug)


@staff_page(event_permissions.can_own, WRITE)
def end_practice(request: EventRequest) -> HttpResponse:
    """Delete the practice event; return to its original if the user still runs that."""
    origin = request.event.practice_of
    with show_refusals(request):
        services.delete_practice(request.event)
        messages.success(request, _("The practice event was deleted."))
        if origin is not None and event_permissions.can_open_desk(request.actor, origin):
            return redirect("tournaments:desk", origin.slug)
        return redirect("tournaments:mine")
    return redirect("tournaments:desk", request.event.slug)
