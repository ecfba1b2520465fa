"""A guest forgotten who asks for it."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from core.errors import Refusal
from players.recent import fresh_session
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.privacy import services as people
from tournaments.privacy.forms import ErasingForm
from tournaments.registration.views.roster_rows import entry_or_404
from tournaments.web.views.staff_pages import READ, WRITE, desk_page, staff_page

CONFLICT, UNPROCESSABLE = 409, 422


@fresh_session
@staff_page(permissions.can_run, READ + WRITE)
def erase_guest(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Say what goes and what stays, ask, ask again with the name typed, then forget."""
    place = entry_or_404(tournament, number)
    form = ErasingForm.asked(request.POST, name=str(place.player))
    status, found = (UNPROCESSABLE if form.errors else 200), None
    try:
        people.refuse_guest(place, actor)
        if form.is_sure():
            label = people.erase_guest(place, actor)
            messages.success(request, f"Erased. The results stand under {label} from now on.")
            return redirect("tournaments:roster", slug=tournament.slug)
    except Refusal as refusal:
        status, found = CONFLICT, refusal
    context = {
        "entry": place,
        "form": form,
        "refusal": found,
        "backup_days": settings.BACKUP_DAYS,
    }
    return desk_page(
        request, tournament, actor, "tournaments/privacy/erase_guest.html", context, status
    )
