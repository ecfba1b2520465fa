"""Check-in at the door, and the player meeting."""

from hashlib import sha256
from typing import Any

import segno
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core.downloads import qr_picture
from core.errors import Refusal
from core.form_fields import whole_number
from core.site_address import shared_url
from tournaments.event import history, permissions, queries
from tournaments.event.actors import actor_of
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.models.codes import check_in_code, registration_of_code
from tournaments.registration.forms import MeetingForm
from tournaments.registration.pages import meeting_lines
from tournaments.registration.services import arrivals, meeting, registrations, rosters
from tournaments.registration.services.arrivals import Arrival, Outcome
from tournaments.registration.views.roster import entry_or_404, paid_of
from tournaments.web.views.access import EventRequest, RegistrationRequest, registration_view
from tournaments.web.views.polling import event_page, is_fragment, polled
from tournaments.web.views.staff_pages import READ, WRITE, RefusalsShown, desk_page, staff_page


@staff_page(permissions.can_open_desk, READ + WRITE)
def tick(request: EventRequest) -> HttpResponse:
    """Check-in list by name; each tap toggles a player."""
    if request.method == "POST" and "paid" in request.POST:
        return _tick_paid(request)
    if request.method == "POST":
        return _ticked(request)
    known = request.actor.user, queries.newest_log_id(request.event)
    etag = f'"{sha256(repr(known).encode()).hexdigest()}"'
    if is_fragment(request) and request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    page = "_tick_rows.html" if is_fragment(request) else "tick.html"
    context = {**_tick_context(request.event), "etag": etag, "paid": paid_of(request)}
    response = desk_page(request, f"tournaments/registration/{page}", context)
    response["ETag"] = etag
    return response


def _tick_context(tournament: Tournament) -> dict[str, Any]:
    is_day_two = queries.day_two_check_in_is_open(tournament)
    rows = queries.day_two_players(tournament) if is_day_two else _of_the_roster(tournament)
    lines = [(entry, _is_here(entry, is_day_two=is_day_two)) for entry in rows]
    here = sum(is_here for _, is_here in lines)
    return {"rows": lines, "here": here, "is_day_two": is_day_two}


def _of_the_roster(tournament: Tournament) -> QuerySet[Registration]:
    places = tournament.registrations.filter(state__in=queries.TAKES_A_PLACE)
    return places.select_related("player")


def _is_here(entry: Registration, *, is_day_two: bool) -> bool:
    return entry.day_two_at is not None if is_day_two else entry.is_active


def _ticked(request: EventRequest) -> HttpResponse:
    event = request.event
    number, _, wish = request.POST.get("tick", "").partition(" ")
    rows = event.registrations.select_related("player", "tournament")
    entry = rows.filter(number=whole_number(number, 5) or 0).first()
    if entry is None:
        messages.error(request, "No player has this number. Check the list again.")
        return redirect("tournaments:tick", slug=event.slug)
    refused = ""
    try:
        if wish == "here":
            registrations.check_in([entry], request.actor)
        else:
            registrations.undo_check_in(entry, request.actor)
    except Refusal as refusal:
        refused = str(refusal)
    if is_fragment(request):
        return _tick_answer(event, entry, refused)
    if refused:
        messages.error(request, refused)
    return redirect(f"{reverse('tournaments:tick', args=[event.slug])}#tick-{entry.number}")


def _tick_paid(request: EventRequest) -> HttpResponse:
    """Set whether a player has paid; `paid` is their number, then yes or no."""
    event = request.event
    if not permissions.can_mark_paid(request.actor, event):
        raise PermissionDenied
    typed, _, wish = request.POST["paid"].partition(" ")
    entry = entry_or_404(event, whole_number(typed, 5) or 0)
    has_paid, refused = wish == "yes", ""
    try:
        rosters.set_paid(event, [entry], request.actor, has_paid=has_paid)
    except Refusal as refusal:
        refused, has_paid = str(refusal), entry.paid_at is not None
    if not is_fragment(request):
        if refused:
            messages.error(request, refused)
        page = reverse("tournaments:tick", args=[event.slug])
        return redirect(f"{page}#tick-{entry.number}")
    now = queries.paid(event)
    answer = {
        "is_on": has_paid,
        "count": now.paid if now else 0,
        "words": refused or f"{entry.player} {'has' if has_paid else 'has not'} paid.",
    }
    return JsonResponse(answer, status=409 if refused else 200)


def _tick_answer(tournament: Tournament, entry: Registration, refused: str) -> HttpResponse:
    context = _tick_context(tournament)
    is_here = next((is_here for one, is_here in context["rows"] if one.pk == entry.pk), False)
    answer = {
        "is_on": is_here,
        "count": context["here"],
        "words": refused or f"{entry.player} is {'here' if is_here else 'not here'}.",
    }
    return JsonResponse(answer, status=409 if refused else 200)


@staff_page(permissions.can_open_desk, READ + WRITE)
def scan(request: EventRequest) -> HttpResponse:
    """Check players in by scanning codes, or by number or name."""
    arrival, found = None, list[Registration]()
    typed = request.POST.get("typed", "").strip()
    if request.method == "POST":
        arrival, found = _arrival(request, typed)
    paid = paid_of(request)
    context: dict[str, Any] = {"arrival": arrival, "found": found, "typed": typed, "paid": paid}
    if is_fragment(request):
        return _fragment(request, context)
    waiting = request.event.registrations.filter(state=RegistrationState.REGISTERED)
    context["names"] = waiting.values_list("number", "player__name")
    return desk_page(request, "tournaments/registration/scan.html", context)


def _fragment(request: EventRequest, context: dict[str, Any]) -> HttpResponse:
    response = desk_page(request, "tournaments/registration/_scanned.html", context)
    arrival: Arrival | None = context["arrival"]
    response["X-Outcome"] = arrival.outcome.value if arrival else Outcome.NO.value
    return response


def _arrival(request: EventRequest, typed: str) -> tuple[Arrival | None, list[Registration]]:
    """Return the result of the check-in, or the players matching the typed text."""
    if "paid" in request.POST:
        return _paid_at_the_door(request), []
    if not typed:
        return arrivals.scan(request.event, request.POST.get("code", "")[:400], request.actor), []
    found = queries.meant_on_roster(request.event, typed)
    if len(found) == 1:
        return arrivals.arrive(request.event, found[0], request.actor), []
    if not found:
        return Arrival(Outcome.NO, f"No player on the roster is called {typed[:80]}."), []
    return None, found


def _paid_at_the_door(request: EventRequest) -> Arrival:
    if not permissions.can_mark_paid(request.actor, request.event):
        raise PermissionDenied
    entry = entry_or_404(request.event, whole_number(request.POST["paid"], 5) or 0)
    try:
        rosters.set_paid(request.event, [entry], request.actor, has_paid=True)
        history.read_again(entry, "paid_at")
    except Refusal as refusal:
        return Arrival(Outcome.NO, f"is not marked as paid. {refusal}", entry)
    return Arrival(Outcome.IN, "has paid.", entry)


@never_cache
@require_http_methods(READ + WRITE)
def check_in_by_code(request: EventRequest, code: str) -> HttpResponse:
    """Page behind a scanned code: staff check the player in, everyone else sees a hint."""
    key = registration_of_code(code)
    rows = Registration.objects.select_related("player", "tournament")
    entry = None if key is None else rows.filter(pk=key).first()
    if entry is None:
        raise Http404("No player has this code.")
    request.event, request.actor = entry.tournament, actor_of(request)
    if not permissions.can_open_desk(request.actor, request.event):
        return render(request, "tournaments/registration/check_in_code.html")
    arrival = None
    if request.method == "POST":
        arrival = arrivals.arrive(request.event, entry, request.actor)
    context = {"entry": entry, "arrival": arrival, "paid": paid_of(request)}
    return desk_page(request, "tournaments/registration/check_in_one.html", context)


@require_safe
@registration_view
def my_check_in_qr(request: RegistrationRequest) -> HttpResponse:
    """Show the player's check-in code as a QR image; it does not identify an account."""
    return qr_picture(_qr(request, request.registration), "Check-in code")


def _qr(request: HttpRequest, registration: Registration) -> segno.QRCode:
    path = reverse("tournaments:check_in_code", args=[check_in_code(registration.pk)])
    # Any mask is readable; trying all eight takes most of the time.
    return segno.make(shared_url(request, path), error="m", micro=False, mask=3)


@staff_page(permissions.can_open_desk)
def badges(request: EventRequest) -> HttpResponse:
    """Print badges with check-in codes for all players on the roster, by name."""
    rows = request.event.registrations.filter(state__in=queries.TAKES_A_PLACE)
    printed = [
        (entry, _qr(request, entry).svg_data_uri(border=2, light="#fff"))
        for entry in rows.select_related("player")
    ]
    return desk_page(request, "tournaments/registration/badges.html", {"badges": printed})


@require_safe
@polled
def public_meeting(request: EventRequest) -> HttpResponse:
    """Show the seats of the meeting by name, until round 1 is published."""
    is_on = queries.meeting_is_on(request.event)
    lines = meeting_lines(request.event, request.actor.player) if is_on else []
    context = {"lines": lines, "mine": next((line for line in lines if line.is_me), None)}
    return event_page(request, "tournaments/registration/public_meeting.html", "event", context)


@staff_page(permissions.can_run)
def meeting_desk(request: EventRequest) -> HttpResponse:
    """Seat the players, or show how many are seated."""
    return _meeting_page(request, MeetingForm())


@staff_page(permissions.can_run, WRITE)
def seat_meeting(request: EventRequest) -> HttpResponse:
    """Assign all seats of the meeting by name again."""
    form = MeetingForm(request.POST)
    if not form.is_valid():
        return _meeting_page(request, form, status=422)
    with RefusalsShown(request, meeting.NoMeeting):
        count = meeting.seat(request.event, request.actor, **form.cleaned_data)
        messages.success(request, f"{count} players are seated for the meeting.")
    return redirect("tournaments:meeting_desk", slug=request.event.slug)


@staff_page(permissions.can_run, WRITE)
def clear_meeting(request: EventRequest) -> HttpResponse:
    """Clear all seats of the meeting."""
    with RefusalsShown(request):
        meeting.clear(request.event, request.actor)
        messages.success(request, "All meeting seats are cleared.")
    return redirect("tournaments:meeting_desk", slug=request.event.slug)


def _meeting_page(request: EventRequest, form: MeetingForm, status: int = 200) -> HttpResponse:
    event = request.event
    context = {
        "form": form,
        "meeting_is_on": queries.meeting_is_on(event),
        "has_begun": queries.visible_rounds(event).exists(),
        "states": queries.count_by_state(event),
        "lines": meeting_lines(event),
    }
    return desk_page(request, "tournaments/registration/meeting.html", context, status=status)
