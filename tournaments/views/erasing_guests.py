"""A guest forgotten who asks for it."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from core.errors import Refusal
from players.recent import fresh_session
from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.forms.erasing import ErasingForm
from tournaments.forms.roster import NumbersForm, SignUpsForm
from tournaments.models import Tournament
from tournaments.services import people, registrations
from tournaments.views.behind import READ, WRITE, desk_page, in_zone, staff_page
from tournaments.views.roster_rows import entry_or_404


@staff_page(permissions.can_run, READ + WRITE)
def roster_sign_ups(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """`?since=&until=` shows who would go; a POST with their numbers takes them off."""
    if request.method == "POST":
        return _removed(request, tournament, actor)
    with in_zone(tournament.time_zone):
        form = SignUpsForm(request.GET or None)
        is_asked = bool(request.GET) and form.is_valid()
        sign_ups = queries.removable_sign_ups(tournament, *form.stretch()) if is_asked else []
        context = {"form": form, "is_asked": is_asked, "sign_ups": sign_ups}
        status = 422 if form.errors else 200
        return desk_page(request, tournament, actor, "roster_sign_ups.html", context, status)


def _removed(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    form = NumbersForm(request.POST)
    numbers = form.cleaned_data["numbers"] if form.is_valid() else []
    gone = registrations.remove_sign_ups(tournament, numbers, actor)
    messages.success(request, f"Off the roster: {len(gone)}.")
    return redirect("tournaments:roster", slug=tournament.slug)


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
    return desk_page(request, tournament, actor, "erase_guest.html", context, status)
