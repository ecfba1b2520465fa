"""Pages to set deck visibility and to preview the event as a player."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect

from core.errors import StaleVersion
from core.form_fields import whole_number
from tournaments.decklists.forms import AudiencesForm
from tournaments.decklists.pages import audiences as pages
from tournaments.decklists.services import audiences
from tournaments.event import permissions
from tournaments.event import queries as event_queries
from tournaments.event.actors import NOBODY, Actor
from tournaments.models import Registration
from tournaments.web.views.access import EventRequest
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    RefusalsShown,
    desk_page,
    in_zone,
    seen_id,
    staff_page,
)


@staff_page(permissions.can_run, READ + WRITE)
def deck_audiences(request: EventRequest) -> HttpResponse:
    """Set the audience and start time of each stage, in the event's time zone."""
    event = request.event
    with in_zone(event.time_zone):
        sent = request.POST if request.method == "POST" else None
        form = AudiencesForm(sent, event, list(event.stages.all()))
        if form.is_valid():
            with RefusalsShown(request, audiences.NoCut, StaleVersion):
                audiences.show_decks(
                    event,
                    request.actor,
                    form.chosen,
                    identities_shown=form.identities_shown,
                    seen_log=seen_id(request),
                )
                messages.success(request, "Saved.")
                return redirect("tournaments:audiences", slug=event.slug)
        refused = 422 if form.errors else 409
        status = refused if request.method == "POST" else 200
        context = {
            "form": form,
            "seen": event_queries.newest_log_id(event),
            "audiences": pages.audiences_in_words(event),
        }
        return desk_page(request, "tournaments/decklists/audiences.html", context, status=status)


@staff_page(permissions.can_run)
def preview(request: EventRequest) -> HttpResponse:
    """Preview the event as player number ?player=, or as an anonymous visitor without it."""
    chosen = _chosen(request)
    context = {
        "chosen": chosen,
        "roster": request.event.registrations.select_related("player"),
        "preview": pages.preview(request.event, _eyes_of(chosen)),
        "audiences": pages.audiences_in_words(request.event),
    }
    return desk_page(request, "tournaments/decklists/preview.html", context)


def _chosen(request: EventRequest) -> Registration | None:
    asked = request.GET.get("player", "")
    if not asked:
        return None
    roster = request.event.registrations.select_related("player__user")
    return get_object_or_404(roster, number=whole_number(asked, 5) or 0)


def _eyes_of(registration: Registration | None) -> Actor:
    """Build the actor for a player, including their staff roles if they have an account."""
    if registration is None:
        return NOBODY
    return Actor(user=registration.player.user, player=registration.player)
