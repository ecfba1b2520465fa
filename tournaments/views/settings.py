"""The settings of an event."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from core.errors import StaleVersion
from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.forms.events import SettingsForm
from tournaments.models import Tournament
from tournaments.services import decks, events
from tournaments.views.behind import desk_page, in_zone, seen_id, staff_page, told


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(permissions.can_run)
def settings(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """All settings on one page. `seen` tells a stale page from a fresh one."""
    # The form writes what was typed onto its instance; the page shows what is kept.
    kept = Tournament.objects.get(pk=tournament.pk)
    zone = request.POST.get("time_zone", "").strip() or tournament.time_zone
    with in_zone(zone):
        form = SettingsForm(request.POST or None, instance=kept)
        status = 200
        if request.method == "POST":
            if form.is_valid() and _save(request, tournament, actor, form):
                return redirect("tournaments:settings", slug=tournament.slug)
            status = 422 if form.errors else 409
        context = {
            "form": form,
            "seen": queries.newest_log_id(tournament),
            "has_round": queries.rounds(tournament).exists(),
        }
        return desk_page(request, tournament, actor, "settings.html", context, status=status)


def _save(request: HttpRequest, tournament: Tournament, actor: Actor, form: SettingsForm) -> bool:
    with told(request, events.SettingIsFixed, StaleVersion, *decks.NOT_JUDGED) as outcome:
        events.change_settings(
            tournament,
            actor,
            seen_log=seen_id(request),
            **form.settings,
        )
    if outcome.refusal is not None:
        return False
    messages.success(request, "Saved.")
    return True
