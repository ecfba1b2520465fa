"""The door: a list to tick, a camera to scan with, and the page a scanned code opens."""

from hashlib import sha256
from typing import Any

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core.downloads import qr_picture
from core.errors import Refusal
from core.form_fields import whole_number
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.models.codes import check_in_code as code_of
from tournaments.models.codes import registration_of_code
from tournaments.registration.services import arrivals, registrations
from tournaments.registration.services.arrivals import Arrival, Outcome
from tournaments.registration.views.roster import counts
from tournaments.web.views.access import actor_of, registration_or_404
from tournaments.web.views.polling import is_fragment
from tournaments.web.views.staff_pages import READ, WRITE, desk_page, staff_page


@staff_page(permissions.can_open_desk, READ + WRITE)
def tick(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everybody by name; a tap says that somebody is here, another that they are not."""
    if request.method == "POST":
        return _ticked(request, tournament, actor)
    etag = f'"{sha256(repr((actor.user, queries.newest_log_id(tournament))).encode()).hexdigest()}"'
    if is_fragment(request) and request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    template = (
        "tournaments/registration/_tick_rows.html"
        if is_fragment(request)
        else "tournaments/registration/tick.html"
    )
    context = {**_tick_context(tournament), "etag": etag}
    response = desk_page(request, tournament, actor, template, context)
    response["ETag"] = etag
    return response


def _tick_context(tournament: Tournament) -> dict[str, Any]:
    here = tournament.registrations.filter(state__in=queries.TAKES_A_PLACE)
    states = queries.count_by_state(tournament)
    return {"rows": here.select_related("player"), **counts(states)}


def _ticked(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    number, _, wish = request.POST.get("tick", "").partition(" ")
    rows = tournament.registrations.select_related("player", "tournament")
    entry = rows.filter(number=whole_number(number, 5) or 0).first()
    if entry is None:
        messages.error(request, "Nobody on the roster has this number. Look at the list again.")
        return redirect("tournaments:tick", slug=tournament.slug)
    refused = ""
    try:
        if wish == "here":
            registrations.check_in([entry], actor)
        else:
            registrations.undo_check_in(entry, actor)
    except Refusal as refusal:
        refused = str(refusal)
    if is_fragment(request):
        return _tick_answer(tournament, entry, refused)
    if refused:
        messages.error(request, refused)
    return redirect(f"{reverse('tournaments:tick', args=[tournament.slug])}#tick-{entry.number}")


def _tick_answer(tournament: Tournament, entry: Registration, refused: str) -> HttpResponse:
    entry.refresh_from_db(fields=["state"])
    states = counts(queries.count_by_state(tournament))
    answer = {
        "is_here": entry.is_active,
        "checked_in": states["checked_in_count"],
        "words": refused or f"{entry.player} is {'here' if entry.is_active else 'not here'}.",
    }
    return JsonResponse(answer, status=409 if refused else 200)


@staff_page(permissions.can_open_desk, READ + WRITE)
def scan(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Scan code after code with the camera, or type a number or a name."""
    arrival, found = None, list[Registration]()
    typed = request.POST.get("typed", "").strip()
    if request.method == "POST":
        arrival, found = _arrival(request, tournament, actor, typed)
    context: dict[str, Any] = {"arrival": arrival, "found": found, "typed": typed}
    if is_fragment(request):
        return _fragment(request, tournament, actor, context)
    context["names"] = tournament.registrations.filter(
        state=RegistrationState.REGISTERED
    ).values_list("number", "player__name")
    return desk_page(request, tournament, actor, "tournaments/registration/scan.html", context)


def _fragment(
    request: HttpRequest, tournament: Tournament, actor: Actor, context: dict[str, Any]
) -> HttpResponse:
    response = desk_page(
        request, tournament, actor, "tournaments/registration/_scanned.html", context
    )
    arrival: Arrival | None = context["arrival"]
    response["X-Outcome"] = arrival.outcome.value if arrival else Outcome.NO.value
    return response


def _arrival(
    request: HttpRequest, tournament: Tournament, actor: Actor, typed: str
) -> tuple[Arrival | None, list[Registration]]:
    """What became of it; or the players that what was typed may mean."""
    if not typed:
        return arrivals.scan(tournament, request.POST.get("code", "")[:400], actor), []
    found = queries.meant_on_roster(tournament, typed)
    if len(found) == 1:
        return arrivals.arrive(tournament, found[0], actor), []
    if not found:
        return Arrival(Outcome.NO, f"Nobody on the roster is called {typed[:80]}."), []
    return None, found


@never_cache
@require_http_methods(READ + WRITE)
def check_in_code(request: HttpRequest, code: str) -> HttpResponse:
    """What the camera of a phone opens: staff check in with one tap, others show it to them."""
    key = registration_of_code(code)
    rows = Registration.objects.select_related("player", "tournament")
    entry = None if key is None else rows.filter(pk=key).first()
    if entry is None:
        raise Http404("No player has this code.")
    actor = actor_of(request)
    if not permissions.can_open_desk(actor, entry.tournament):
        return render(request, "tournaments/registration/check_in_code.html")
    arrival = None
    if request.method == "POST":
        arrival = arrivals.arrive(entry.tournament, entry, actor)
    context = {"entry": entry, "arrival": arrival}
    return desk_page(
        request, entry.tournament, actor, "tournaments/registration/check_in_one.html", context
    )


@require_safe
def my_check_in_qr(request: HttpRequest, slug: str) -> HttpResponse:
    """The player's own code; it names no account."""
    registration, _ = registration_or_404(request, slug)
    return qr_picture(_qr(request, registration), "Check-in code")


def _qr(request: HttpRequest, registration: Registration) -> segno.QRCode:
    path = reverse("tournaments:check_in_code", args=[code_of(registration.pk)])
    # Any mask can be read; to try all eight for the prettiest takes most of the time.
    return segno.make(request.build_absolute_uri(path), error="m", micro=False, mask=3)


@staff_page(permissions.can_open_desk)
def badges(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """A badge for each player on the roster, with the code to check in by; by name."""
    rows = tournament.registrations.filter(state__in=queries.TAKES_A_PLACE)
    printed = [
        (entry, _qr(request, entry).svg_data_uri(border=2, light="#fff"))
        for entry in rows.select_related("player")
    ]
    return desk_page(
        request, tournament, actor, "tournaments/registration/badges.html", {"badges": printed}
    )
