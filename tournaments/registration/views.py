"""Pages to join, check in at the door, begin day 2 and report missing players."""

from typing import Any

import segno
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import ordinal
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core import rate_limits
from core.addresses import counted_address, shared_url
from core.errors import Refusal
from core.files import qr_code_response
from core.form_fields import whole_number
from core.text import with_full_stop
from tournaments.decklists.queries import event_deck_lock
from tournaments.event import history, visibility
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import actor_of
from tournaments.models import Pairing, Registration, RegistrationState, Tournament
from tournaments.models.codes import (
    CODE_LENGTH,
    check_in_code,
    normal_join_code,
    registration_of_code,
)
from tournaments.registration import guests, no_shows, roster_changes, services
from tournaments.registration.forms import JoinForm, MeetingForm, NumbersForm
from tournaments.registration.pages import meeting_lines, players_at_table
from tournaments.registration.roster_views import entry_or_404, payment_counts, roster_etag
from tournaments.registration.services import Arrival, DoorOutcome
from tournaments.web.access import (
    EventRequest,
    RegistrationRequest,
    event_view,
    registration_view,
    round_or_404,
    table_or_404,
)
from tournaments.web.idempotency import idempotent
from tournaments.web.polling import is_fragment, polled_page, render_event_page
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    render_desk_page,
    show_refusals,
    staff_page,
    use_time_zone,
)

NOT_FOUND = 404


@require_safe
def enter_join_code(request: HttpRequest) -> HttpResponse:
    if typed := _normal_code(request.GET.get("code", "")):
        return redirect("tournaments:join_code", typed)
    return render(request, "tournaments/registration/join.html")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_event(request: EventRequest, code: str) -> HttpResponse:
    actor = request.actor = actor_of(request)
    if wait := rate_limits.wait_before_code(request, actor.counted, _normal_code(code)):
        return rate_limits.too_many_requests(request, wait)
    event = Tournament.objects.by_join_code(code)
    if event is None:
        return _wrong_code_page(request, code)
    plays = event.registration_of(actor.player) is not None
    can_join = event.can_join(actor.player)
    # Do not reveal private events that nobody can join.
    if not (plays or can_join or visibility.can_see(actor, event)):
        return _wrong_code_page(request, code)
    rate_limits.record_right_code(request, _normal_code(code))
    if plays:
        return redirect("tournaments:my_event", event.slug)
    request.event = event
    return _join_page(request) if can_join else _closed_page(request)


def _normal_code(code: str) -> str:
    return normal_join_code(code)[: 2 * CODE_LENGTH]


def _wrong_code_page(request: EventRequest, code: str) -> HttpResponse:
    """Answer the same for every wrong code."""
    rate_limits.record_wrong_code(request, request.actor.counted)
    context = {"code": _normal_code(code)}
    return render(request, "tournaments/registration/join_wrong.html", context, status=NOT_FOUND)


def _closed_page(request: EventRequest) -> HttpResponse:
    event = request.event
    is_open = event.accepts_registrations
    context = {
        "tournament": event,
        "is_too_late": is_open and event.is_too_late_to_join(),
        "is_full": is_open and event.is_full(),
        "is_by_invitation": is_open and not event.admits(request.actor.player),
        "invites": event.qualifying_series_names(),
    }
    return render(request, "tournaments/registration/join_closed.html", context)


def _join_page(request: EventRequest) -> HttpResponse:
    event, player = request.event, request.actor.player
    form = JoinForm(request.POST or None, tournament=event)
    if request.method == "POST" and (player is not None or form.is_valid()):
        with show_refusals(request) as answer:
            return _register(request, form)
        if answer.refusal:
            return redirect(request.path)
    context = {
        "tournament": event,
        "form": form,
        "player": player,
        "player_count": event.registrations.not_waiting().count(),
        "takes_waiting": event.takes_waiting(),
        "decks": _decks_in_words(event),
    }
    return render(request, "tournaments/registration/join_code.html", context)


def _decks_in_words(event: Tournament) -> str:
    """Return what players must do about decks; empty if the event requires none."""
    if not (event.has_decks and event.decks_required):
        return ""
    if event_deck_lock(event):
        return _(
            "This event requires decklists, but they are already locked: ask the staff to submit "
            "yours."
        )
    if event.decks_close_at is None:
        return _("This event requires decklists: submit them on your event page.")
    with use_time_zone(event.time_zone):
        deadline = date_format(timezone.localtime(event.decks_close_at), "LONG_DATETIME_FORMAT")
    return _(
        "This event requires decklists: submit them on your event page by %(deadline)s "
        "(%(time_zone)s)."
    ) % {"deadline": deadline, "time_zone": event.time_zone}


def _register(request: EventRequest, form: JoinForm) -> HttpResponse:
    event, actor, address = request.event, request.actor, counted_address(request)
    if actor.player is not None:
        registration = services.register_player(event, actor.player, actor, address=address)
    else:
        registration = services.register_guest(
            event, user=actor.user, address=address, **form.cleaned_data
        )
        if actor.user is None:
            # The page shows the personal link once.
            context = {
                "tournament": event,
                "player": registration.player,
                "link": guests.start_session(request, registration),
                "welcome": _joined_in_words(registration),
                "decks": _decks_in_words(event),
            }
            return render(request, "tournaments/registration/joined.html", context)
    messages.success(request, _joined_in_words(registration))
    return redirect("tournaments:my_event", event.slug)


def _joined_in_words(registration: Registration) -> str:
    tournament = registration.tournament
    if registration.state == RegistrationState.WAITING:
        place = ordinal(registration.waiting_position())
        return _("%(tournament)s is full. You are %(place)s on the waiting list.") % {
            "tournament": tournament,
            "place": place,
        }
    return with_full_stop(_("You are registered for %(tournament)s") % {"tournament": tournament})


# Check-in at the door


@staff_page(event_permissions.can_open_desk, READ + WRITE)
def tick_list(request: EventRequest) -> HttpResponse:
    """Check-in list by name; each tap toggles a player."""
    if request.method == "POST" and "paid" in request.POST:
        return _tick_paid(request)
    if request.method == "POST":
        return _tick_player(request)
    etag = roster_etag(request)
    if is_fragment(request) and request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    page = "_tick_rows.html" if is_fragment(request) else "tick.html"
    context = {**_tick_context(request.event), "etag": etag, "paid": payment_counts(request)}
    response = render_desk_page(request, f"tournaments/registration/{page}", context)
    response["ETag"] = etag
    return response


def _tick_context(tournament: Tournament) -> dict[str, Any]:
    is_day_two = tournament.day_two_check_in_is_open()
    lines: list[tuple[Registration, bool]]
    if is_day_two:
        lines = [(entry, entry.day_two_at is not None) for entry in tournament.day_two_players()]
    else:
        entries = tournament.registrations.taking_places().select_related("player")
        lines = [(entry, entry.is_active) for entry in entries]
    return {"rows": lines, "here": sum(is_here for _, is_here in lines), "is_day_two": is_day_two}


def _tick_player(request: EventRequest) -> HttpResponse:
    event = request.event
    number, wish = request.POST.get("tick", "").partition(" ")[::2]
    rows = event.registrations.select_related("player", "tournament")
    entry = rows.filter(number=whole_number(number, 5) or 0).first()
    if entry is None:
        messages.error(request, _("No player has this number. Check the list again."))
        return redirect("tournaments:tick", slug=event.slug)
    refused = ""
    try:
        if wish == "here":
            services.check_in([entry], request.actor)
        else:
            services.undo_check_in(entry, request.actor)
    except Refusal as refusal:
        refused = str(refusal)
    if not is_fragment(request):
        return _back_to_tick_list(request, entry, refused)
    context = _tick_context(event)
    is_here = any(is_here for row, is_here in context["rows"] if row.pk == entry.pk)
    text = _("%(player)s is here.") if is_here else _("%(player)s is not here.")
    words = text % {"player": entry.player}
    return _tick_response(is_here, context["here"], words, refused)


def _tick_paid(request: EventRequest) -> HttpResponse:
    """Set whether a player has paid; `paid` is their number, then yes or no."""
    event = request.event
    if not event_permissions.can_mark_paid(request.actor, event):
        raise PermissionDenied
    typed, wish = request.POST["paid"].partition(" ")[::2]
    entry = entry_or_404(event, whole_number(typed, 5) or 0)
    has_paid, refused = wish == "yes", ""
    try:
        roster_changes.set_paid(event, [entry], request.actor, has_paid=has_paid)
    except Refusal as refusal:
        refused, has_paid = str(refusal), entry.paid_at is not None
    if not is_fragment(request):
        return _back_to_tick_list(request, entry, refused)
    counts = event.payment_count()
    text = _("%(player)s has paid.") if has_paid else _("%(player)s has not paid.")
    words = text % {"player": entry.player}
    return _tick_response(has_paid, counts.paid if counts else 0, words, refused)


def _back_to_tick_list(request: EventRequest, entry: Registration, refused: str) -> HttpResponse:
    if refused:
        messages.error(request, refused)
    page = reverse("tournaments:tick", args=[request.event.slug])
    return redirect(f"{page}#tick-{entry.number}")


def _tick_response(is_on: bool, count: int, words: str, refused: str) -> HttpResponse:
    answer = {"is_on": is_on, "count": count, "words": refused or words}
    return JsonResponse(answer, status=409 if refused else 200)


@staff_page(event_permissions.can_open_desk, READ + WRITE)
def scan_codes(request: EventRequest) -> HttpResponse:
    arrival, matches = None, list[Registration]()
    typed = request.POST.get("typed", "").strip()
    if request.method == "POST":
        arrival, matches = _check_in_typed_or_scanned(request, typed)
    paid = payment_counts(request)
    context: dict[str, Any] = {"arrival": arrival, "matches": matches, "typed": typed, "paid": paid}
    if is_fragment(request):
        response = render_desk_page(request, "tournaments/registration/_scanned.html", context)
        response["X-Outcome"] = (arrival.outcome if arrival else DoorOutcome.NO).value
        return response
    waiting = request.event.registrations.filter(state=RegistrationState.REGISTERED)
    context["names"] = waiting.values_list("number", "player__name")
    return render_desk_page(request, "tournaments/registration/scan.html", context)


def _check_in_typed_or_scanned(
    request: EventRequest, typed: str
) -> tuple[Arrival | None, list[Registration]]:
    if "paid" in request.POST:
        return _mark_paid_at_door(request), []
    if not typed:
        return services.check_in_by_code(
            request.event, request.POST.get("code", "")[:400], request.actor
        ), []
    matches = request.event.roster_suggestions(typed)
    if len(matches) == 1:
        return services.check_in_at_door(request.event, matches[0], request.actor), []
    if not matches:
        text = _("No player on the roster is called %(name)s.") % {"name": typed[:80]}
        return Arrival(DoorOutcome.NO, text), []
    return None, matches


def _mark_paid_at_door(request: EventRequest) -> Arrival:
    if not event_permissions.can_mark_paid(request.actor, request.event):
        raise PermissionDenied
    entry = entry_or_404(request.event, whole_number(request.POST["paid"], 5) or 0)
    try:
        roster_changes.set_paid(request.event, [entry], request.actor, has_paid=True)
        history.reload_registration(entry, "paid_at")
    except Refusal as refusal:
        words = _("Not marked as paid: %(reason)s") % {"reason": refusal}
        return Arrival(DoorOutcome.NO, words, entry)
    return Arrival(DoorOutcome.IN, _("Marked as paid."), entry)


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
    if not event_permissions.can_open_desk(request.actor, request.event):
        return render(request, "tournaments/registration/check_in_code.html")
    arrival = None
    if request.method == "POST":
        arrival = services.check_in_at_door(request.event, entry, request.actor)
    context = {"entry": entry, "arrival": arrival, "paid": payment_counts(request)}
    return render_desk_page(request, "tournaments/registration/check_in_one.html", context)


@require_safe
@registration_view
def my_check_in_qr(request: RegistrationRequest) -> HttpResponse:
    """Show the player's check-in code as a QR image; it does not identify an account."""
    return qr_code_response(_check_in_qr(request, request.registration), _("Check-in code"))


def _check_in_qr(request: HttpRequest, registration: Registration) -> segno.QRCode:
    path = reverse("tournaments:check_in_code", args=[check_in_code(registration.pk)])
    # Any mask is readable; trying all eight takes most of the time.
    return segno.make(shared_url(request, path), error="m", micro=False, mask=3)


@staff_page(event_permissions.can_open_desk)
def badges(request: EventRequest) -> HttpResponse:
    rows = request.event.registrations.taking_places()
    printed = [
        (entry, _check_in_qr(request, entry).svg_data_uri(border=2, light="#fff"))
        for entry in rows.select_related("player")
    ]
    return render_desk_page(request, "tournaments/registration/badges.html", {"badges": printed})


# Seats before round 1


@require_safe
@polled_page
def public_meeting(request: EventRequest) -> HttpResponse:
    """Show the seats of the meeting by name, until round 1 is published."""
    is_on = request.event.meeting_is_on()
    lines = meeting_lines(request.event, request.actor.player) if is_on else []
    context = {"lines": lines, "mine": next((line for line in lines if line.is_me), None)}
    return render_event_page(
        request, "tournaments/registration/public_meeting.html", "event", context
    )


@staff_page(event_permissions.can_run)
def meeting_desk(request: EventRequest) -> HttpResponse:
    return _meeting_page(request, MeetingForm())


@staff_page(event_permissions.can_run, WRITE)
def seat_meeting(request: EventRequest) -> HttpResponse:
    form = MeetingForm(request.POST)
    if not form.is_valid():
        return _meeting_page(request, form, status=422)
    with show_refusals(request):
        count = services.seat_meeting(request.event, request.actor, **form.cleaned_data)
        text = ngettext(
            "%(count)s player seated.",
            "%(count)s players seated.",
            count,
        )
        messages.success(request, text % {"count": count})
    return redirect("tournaments:meeting_desk", slug=request.event.slug)


@staff_page(event_permissions.can_run, WRITE)
def clear_meeting(request: EventRequest) -> HttpResponse:
    with show_refusals(request):
        services.clear_meeting(request.event, request.actor)
        messages.success(request, _("All seats were cleared."))
    return redirect("tournaments:meeting_desk", slug=request.event.slug)


def _meeting_page(request: EventRequest, form: MeetingForm, status: int = 200) -> HttpResponse:
    event = request.event
    context = {
        "form": form,
        "meeting_is_on": event.meeting_is_on(),
        "has_begun": event.rounds.published().exists(),
        "states": event.registrations.count_by_state(),
        "lines": meeting_lines(event),
    }
    return render_desk_page(
        request, "tournaments/registration/meeting.html", context, status=status
    )


# Day 2


@staff_page(event_permissions.can_run, READ + WRITE)
def day_two(request: EventRequest) -> HttpResponse:
    # A POST has the action open or close, or drop with the displayed numbers.
    event = request.event
    if request.method == "POST":
        return _change_day_two(request)
    context = {
        "begins": event.begins_day_two(),
        "is_open": event.day_two_check_in_is_open(),
        "all": event.day_two_players().count(),
        "missing": list(event.missing_on_day_two()),
    }
    return render_desk_page(request, "tournaments/registration/day_two.html", context)


def _change_day_two(request: EventRequest) -> HttpResponse:
    event, actor = request.event, request.actor
    action, page = request.POST.get("action"), "day_two"
    with show_refusals(request):
        if action == "open":
            services.open_day_two_check_in(event, actor)
            messages.success(request, _("Check-in for day 2 is open."))
            page = "tick"
        elif action == "close":
            services.close_day_two_check_in(event, actor)
            messages.success(request, _("Check-in for day 2 is closed."))
            page = "desk"
        else:
            form = NumbersForm(request.POST)
            numbers = form.cleaned_data["numbers"] if form.is_valid() else []
            dropped = services.drop_missing_on_day_two(event, numbers, actor)
            text = ngettext("%(count)s player dropped.", "%(count)s players dropped.", dropped)
            messages.success(request, text % {"count": dropped})
            # Dropped players may have places in a cut that already exists.
            page = "cut" if event.get_cut() else "desk"
    return redirect(f"tournaments:{page}", slug=event.slug)


# Missing players


@staff_page(event_permissions.can_open_desk)
def table_absences(request: EventRequest, number: int, table: int) -> HttpResponse:
    pairing = table_or_404(round_or_404(request, number), table)
    missed = {absence.registration_id for absence in pairing.open_absences()}
    context = {
        "pairing": pairing,
        "round": pairing.round,
        "players": [(entry, entry.pk in missed) for entry in players_at_table(pairing)],
        "is_missed": bool(missed),
        "is_reported": pairing.is_reported,
    }
    return render_desk_page(request, "tournaments/registration/absences.html", context)


@never_cache
@require_POST
@idempotent
@event_view
def report_missing(request: EventRequest, number: int, table: int) -> HttpResponse:
    pairing = _own_table_or_403(request, number, table)
    with show_refusals(request):
        missing = _posted_player(request, pairing)
        no_shows.mark_missing(pairing, missing, request.actor)
        text = _("Noted: %(player)s is missing at table %(table)s.")
        messages.success(request, text % {"player": missing.player, "table": table})
    return _back_to_table(request, pairing)


@never_cache
@require_POST
@idempotent
@event_view
def withdraw_missing_report(request: EventRequest, number: int, table: int) -> HttpResponse:
    pairing = _own_table_or_403(request, number, table)
    with show_refusals(request):
        present = _posted_player(request, pairing)
        no_shows.mark_present(pairing, present, request.actor)
        text = _("%(player)s is at table %(table)s.")
        messages.success(request, text % {"player": present.player, "table": table})
    return _back_to_table(request, pairing)


@staff_page(event_permissions.can_enter_results, WRITE)
def decide_no_show(request: EventRequest, number: int, table: int) -> HttpResponse:
    pairing = table_or_404(round_or_404(request, number), table)
    with show_refusals(request):
        no_shows.decide_no_show(pairing, request.actor)
        text = _("Table %(table)s is decided. You can undo this in the log.")
        messages.success(request, text % {"table": table})
    return redirect("tournaments:desk", slug=request.event.slug)


def _own_table_or_403(request: EventRequest, number: int, table: int) -> Pairing:
    pairing, player = table_or_404(round_or_404(request, number), table), request.actor.player
    sits_here = player is not None and players_at_table(pairing).filter(player=player).exists()
    if not sits_here and not event_permissions.can_open_desk(request.actor, request.event):
        raise PermissionDenied
    return pairing


def _posted_player(request: HttpRequest, pairing: Pairing) -> Registration:
    number = whole_number(request.POST.get("player", ""), 5) or 0
    player = players_at_table(pairing).filter(number=number).first()
    if player is None:
        raise no_shows.NotMissed(_("Choose one of the players at %(table)s.") % {"table": pairing})
    return player


def _back_to_table(request: EventRequest, pairing: Pairing) -> HttpResponse:
    slug = request.event.slug
    if event_permissions.can_open_desk(request.actor, request.event):
        table = pairing.table_number or 0
        return redirect("tournaments:absences", slug, pairing.round.number, table)
    return redirect("tournaments:my_event", slug=slug)
