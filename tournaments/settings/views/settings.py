"""The settings of an event: what it is, and how its day runs."""

from typing import TypeAlias

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from core.errors import StaleVersion
from tournaments.decklists import deck_verdicts
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.settings.forms.day import DayForm
from tournaments.settings.forms.events import SettingsForm
from tournaments.settings.services import events
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    desk_page,
    in_zone,
    seen_id,
    staff_page,
    told,
)

AnyForm: TypeAlias = SettingsForm | DayForm
REFUSALS = (events.SettingIsFixed, events.OwnFactorMissing, StaleVersion, *deck_verdicts.NOT_JUDGED)


@staff_page(permissions.can_run, READ + WRITE)
def settings(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """What the event is: name, time, system, scoring, decks."""
    return _page(request, tournament, actor, SettingsForm, "settings")


@staff_page(permissions.can_run, READ + WRITE)
def day(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """How the day runs: the room, overtime, what happens by itself."""
    return _page(request, tournament, actor, DayForm, "day_settings")


def _page(
    request: HttpRequest, tournament: Tournament, actor: Actor, form_class: type[AnyForm], name: str
) -> HttpResponse:
    """One form. `seen` tells a stale page from a fresh one."""
    # The form writes what was typed onto its instance; the page shows what is kept.
    kept = Tournament.objects.get(pk=tournament.pk)
    zone = request.POST.get("time_zone", "").strip() or tournament.time_zone
    with in_zone(zone):
        form = form_class(request.POST or None, instance=kept)
        if form.is_valid():
            with told(request, *REFUSALS):
                seen = seen_id(request)
                events.change_settings(tournament, actor, seen_log=seen, **form.settings)
                messages.success(request, "Saved.")
                return redirect(f"tournaments:{name}", slug=tournament.slug)
        refused = 422 if form.errors else 409
        status = refused if request.method == "POST" else 200
        context = {
            "form": form,
            "seen": queries.newest_log_id(tournament),
            "has_round": queries.rounds(tournament).exists(),
        }
        return desk_page(
            request, tournament, actor, f"tournaments/settings/{name}.html", context, status=status
        )
