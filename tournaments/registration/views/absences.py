"""Report players missing at a table, withdraw the report, or decide the table."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from core.form_fields import whole_number
from tournaments.event import permissions, queries
from tournaments.models import Pairing, Registration
from tournaments.registration.pages import seated
from tournaments.registration.services import no_shows
from tournaments.web.views.access import EventRequest, event_view, round_or_404, table_or_404
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import WRITE, RefusalsShown, desk_page, staff_page


@staff_page(permissions.can_open_desk)
def absences(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Show the players of a table and who is missing, for staff."""
    pairing = table_or_404(round_or_404(request, number), table)
    missed = {one.registration_id for one in queries.absences_at(pairing)}
    context = {
        "pairing": pairing,
        "round": pairing.round,
        "players": [(entry, entry.pk in missed) for entry in seated(pairing)],
        "is_missed": bool(missed),
        "is_reported": queries.is_reported(pairing),
    }
    return desk_page(request, "tournaments/registration/absences.html", context)


@never_cache
@require_POST
@once
@event_view
def missing(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Report the player with this `player` number missing."""
    pairing = _table(request, number, table)
    with RefusalsShown(request, no_shows.NotMissed):
        gone = _named(request, pairing)
        no_shows.mark_missing(pairing, gone, request.actor)
        messages.success(request, f"Noted: {gone.player} is missing at table {table}.")
    return _back_to_table(request, pairing)


@never_cache
@require_POST
@once
@event_view
def came(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Withdraw the report that the player with this `player` number is missing."""
    pairing = _table(request, number, table)
    with RefusalsShown(request, no_shows.NotMissed):
        here = _named(request, pairing)
        no_shows.mark_present(pairing, here, request.actor)
        messages.success(request, f"Good: {here.player} is at table {table}.")
    return _back_to_table(request, pairing)


@staff_page(permissions.can_enter_results, WRITE)
def no_show(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Decide the table for the players present, and drop the missing players."""
    pairing = table_or_404(round_or_404(request, number), table)
    with RefusalsShown(request, no_shows.NotMissed):
        no_shows.decide_no_show(pairing, request.actor)
        messages.success(request, f"Table {table} is decided. You can undo this in the log.")
    return redirect("tournaments:desk", slug=request.event.slug)


def _table(request: EventRequest, number: int, table: int) -> Pairing:
    """Get a table, for its players and for staff only."""
    pairing, player = table_or_404(round_or_404(request, number), table), request.actor.player
    sits_here = player is not None and seated(pairing).filter(player=player).exists()
    if not sits_here and not permissions.can_open_desk(request.actor, request.event):
        raise PermissionDenied
    return pairing


def _named(request: HttpRequest, pairing: Pairing) -> Registration:
    number = whole_number(request.POST.get("player", ""), 5) or 0
    found = seated(pairing).filter(number=number).first()
    if found is None:
        raise no_shows.NotMissed(f"Choose one of the players at {pairing}.")
    return found


def _back_to_table(request: EventRequest, pairing: Pairing) -> HttpResponse:
    slug = request.event.slug
    if permissions.can_open_desk(request.actor, request.event):
        table = pairing.table_number or 0
        return redirect("tournaments:absences", slug, pairing.round.number, table)
    return redirect("tournaments:my_event", slug=slug)
