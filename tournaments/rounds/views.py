"""Staff pages to pair, edit, publish and run rounds, and their clocks."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.form_fields import whole_number
from tournaments.event import permissions as event_permissions
from tournaments.models import LogAction, Pairing, Round, Tournament
from tournaments.rounds import draft_changes, services
from tournaments.rounds.draft_pages import draft_page, manual_draft, swap_preview
from tournaments.rounds.forms import (
    MAX_MINUTES_AT_ONCE,
    ManualPairingForm,
    MinutesForm,
    SwapForm,
    TableMinutesForm,
)
from tournaments.rounds.pages import stage_lines
from tournaments.rounds.timing_pages import get_clock_controls
from tournaments.web.access import EventRequest, round_or_404
from tournaments.web.idempotency import idempotent
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    ReasonForm,
    get_cleaned_data,
    is_htmx,
    render_desk_page,
    seen_log_entry,
    show_refusals,
    staff_page,
)

PAIRING_REFRESH_SECONDS = "2"


@staff_page(event_permissions.can_run, WRITE)
def pair_round(request: EventRequest) -> HttpResponse:
    """Request the draft of round `number`; a second request does nothing.

    With a `reason`, the previous round is closed although results are missing. Before the day of
    the event, round 1 is paired only if the POST field `early` confirms it.
    """
    number = whole_number(request.POST.get("number", ""), 3)
    if number is None:
        number = request.event.next_round_number()
    is_early = request.event.is_before_its_day() and not request.event.is_practice
    if number == 1 and is_early and request.POST.get("early") != "yes":
        return render_desk_page(request, "tournaments/rounds/early.html", {}, status=409)
    reason = request.POST.get("reason", "").strip()[:500]
    with show_refusals(request):
        draft_changes.request_pairing(request.event, number, request.actor, force_reason=reason)
    return _redirect_to_draft_or_desk(request.event, number)


@staff_page(event_permissions.can_run)
def confirm_missing_results(request: EventRequest, number: int) -> HttpResponse:
    if number > request.event.next_round_number():
        raise Http404("No round before this one.")
    round_ = request.event.latest_round()
    tables = list(round_.open_tables()) if round_ and not round_.is_draft else []
    if round_ is None or round_.number != number - 1 or not tables or round_.is_closed:
        return redirect("tournaments:desk", slug=request.event.slug)
    context = {"number": number, "round": round_, "tables": tables, "reason_form": ReasonForm()}
    return render_desk_page(request, "tournaments/rounds/without_results.html", context)


def _redirect_to_draft_or_desk(tournament: Tournament, number: int) -> HttpResponse:
    is_drafted = tournament.rounds.filter(number=number, state="draft").exists()
    if is_drafted or _is_being_paired(tournament, number):
        return redirect("tournaments:draft", slug=tournament.slug, number=number)
    return redirect("tournaments:desk", slug=tournament.slug)


def _is_being_paired(tournament: Tournament, number: int) -> bool:
    job = tournament.pairing_job(number)
    return job is not None and job.is_live


def _waiting_page(request: EventRequest) -> HttpResponse:
    """Return a page that loads again until the draft is there."""
    response = render_desk_page(request, "tournaments/rounds/pairing.html", {})
    response["Refresh"] = PAIRING_REFRESH_SECONDS
    return response


@staff_page(event_permissions.can_run)
def draft_view(request: EventRequest, number: int) -> HttpResponse:
    job = request.event.pairing_job(number)
    if job is not None and not request.event.rounds.filter(number=number).exists():
        if job.has_failed:
            # The desk shows why, with a button to try again.
            return redirect("tournaments:desk", slug=request.event.slug)
        if job.is_live:
            return _waiting_page(request)
    round_ = round_or_404(request, number)
    if not round_.is_draft:
        return redirect("tournaments:round", slug=request.event.slug, number=number)
    context = {
        "round": round_,
        "draft": draft_page(round_),
        "seen": request.event.log.newest_draft_change(),
        "is_at_work": job is not None and job.is_live,
        "failed_job": job if job is not None and job.has_failed else None,
    }
    return render_desk_page(request, "tournaments/rounds/draft.html", context)


@staff_page(event_permissions.can_run, WRITE)
def discard_draft(request: EventRequest, number: int) -> HttpResponse:
    """Discard the draft; with `again`, pair the round again."""
    event = request.event
    # A draft that is discarded already is no error.
    round_ = event.rounds.select_related("stage__tournament").filter(number=number).first()
    if round_ is not None:
        with show_refusals(request) as outcome:
            draft_changes.discard_draft(round_, request.actor)
        if outcome.refusal is not None:
            return redirect("tournaments:desk", slug=event.slug)
    if "again" not in request.POST:
        return redirect("tournaments:desk", slug=event.slug)
    with show_refusals(request):
        draft_changes.request_pairing(event, number, request.actor)
    return _redirect_to_draft_or_desk(event, number)


@staff_page(event_permissions.can_run, WRITE)
def publish_round(request: EventRequest, number: int) -> HttpResponse:
    """Publish the draft; `without_latecomers` leaves out players who arrived since."""
    round_ = round_or_404(request, number)
    closes_registration = round_.number == 1 and request.event.registration_is_open
    with show_refusals(request):
        services.publish_round(
            round_,
            request.actor,
            leave_out_latecomers="without_latecomers" in request.POST,
            seen=seen_log_entry(request),
        )
        words = _("The pairings of %(round)s are published.") % {"round": round_.in_sentence}
        if closes_registration:
            words = _(
                "The pairings of round 1 are published. Registration is closed now. You can still "
                "add late players on the roster."
            )
        undo = _undo_page(request.event, LogAction.ROUND_PUBLISHED)
        messages.success(request, words, extra_tags=undo)
        return redirect("tournaments:desk", slug=request.event.slug)
    return _redirect_to_draft_or_desk(request.event, number)


def _undo_page(tournament: Tournament, action: LogAction) -> str:
    """Return the address that undoes the newest change of this kind."""
    entry = tournament.log.filter(action=action).order_by("-pk").first()
    return reverse("tournaments:log_undo", args=[tournament.slug, entry.pk]) if entry else ""


@staff_page(event_permissions.can_run, READ + WRITE)
def pair_by_hand(request: EventRequest, number: int) -> HttpResponse:
    """Edit tables and byes; show warnings before they are saved.

    `action` is add (another table), check, or save. Saving despite warnings requires `confirmed`.
    """
    event = request.event
    round_ = round_or_404(request, number)
    if not round_.is_draft or round_.is_in_cut:
        return redirect("tournaments:round", slug=event.slug, number=number)
    form = ManualPairingForm(
        request.POST if request.method == "POST" else None, manual_draft(round_)
    )
    context = {
        "round": round_,
        "form": form,
        "seen": seen_log_entry(request) or event.log.newest_draft_change(),
    }
    if request.method == "POST" and is_htmx(request):
        return render(request, "tournaments/rounds/_hand_warnings.html", context)
    wants_save = request.POST.get("action") == "save"
    if wants_save and not form.errors and (form.confirmed or not form.warnings):
        with show_refusals(request) as outcome:
            seen = seen_log_entry(request)
            draft_changes.pair_by_hand(round_, form.tables, form.byes, request.actor, seen=seen)
            messages.success(request, _("The tables are saved."))
            return redirect("tournaments:draft", slug=event.slug, number=number)
        if isinstance(outcome.refusal, services.DraftHasChanged):
            messages.warning(request, _("Save the tables below to replace that change with yours."))
            context["seen"] = event.log.newest_draft_change()
    context["needs_confirmation"] = wants_save and not form.errors
    status = 422 if wants_save else 200
    return render_desk_page(request, "tournaments/rounds/by_hand.html", context, status)


@staff_page(event_permissions.can_run)
def preview_swap(request: EventRequest, number: int) -> HttpResponse:
    """Render the bar below the draft: rules broken by a swap of the selected players."""
    round_ = round_or_404(request, number)
    form = SwapForm(request.GET, list(request.event.roster()))
    preview = swap_preview(round_, *form.cleaned_data["player"]) if form.is_valid() else None
    context = {"preview": preview, "ticked": len(set(request.GET.getlist("player")))}
    return render(request, "tournaments/rounds/_swap_bar.html", context)


@staff_page(event_permissions.can_run, WRITE)
def swap_seats(request: EventRequest, number: int) -> HttpResponse:
    round_ = round_or_404(request, number)
    form = SwapForm(request.POST, list(request.event.roster()))
    if not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors["player"])))
        return redirect("tournaments:draft", slug=request.event.slug, number=number)
    first, second = form.cleaned_data["player"]
    preview = swap_preview(round_, first, second) if round_.is_draft else None
    is_confirmed = preview is not None and request.POST.get("confirmed") == preview.key
    if preview is not None and preview.requires_confirmation and not is_confirmed:
        context = {"round": round_, "preview": preview, "seen": seen_log_entry(request) or ""}
        return render_desk_page(request, "tournaments/rounds/swap.html", context, status=409)
    with show_refusals(request):
        draft_changes.swap_seats(round_, first, second, request.actor, seen=seen_log_entry(request))
        messages.success(
            request,
            _("%(first)s and %(second)s were swapped.")
            % {"first": first.player, "second": second.player},
        )
    return redirect("tournaments:draft", slug=request.event.slug, number=number)


@staff_page(event_permissions.can_run, WRITE)
def set_lock(request: EventRequest, number: int) -> HttpResponse:
    round_ = round_or_404(request, number)
    address = reverse("tournaments:draft", args=[request.event.slug, number])
    keys = _parse_keys([request.POST.get("pairing", "")])
    pairings = round_.pairings.select_related("round__stage__tournament")
    pairing = pairings.filter(pk__in=keys).first()
    if pairing is None:
        messages.error(
            request, _("This table is no longer in the draft. The page shows the current draft.")
        )
        return redirect(address)
    with show_refusals(request) as outcome:
        draft_changes.set_lock(pairing, request.actor, locked=request.POST.get("locked") == "yes")
    return redirect(address if outcome.refusal else f"{address}#pairing-{pairing.pk}")


@staff_page(event_permissions.can_run, WRITE)
def pair_the_rest(request: EventRequest, number: int) -> HttpResponse:
    round_ = round_or_404(request, number)
    reason = request.POST.get("reason", "").strip()[:500]
    keep = None if round_.is_draft else _parse_keys(request.POST.getlist("keep"))
    with show_refusals(request):
        draft_changes.pair_the_rest(round_, request.actor, reason=reason, keep=keep)
        _add_job_message(request, number)
    page = "draft" if round_.is_draft else "change"
    return redirect(f"tournaments:{page}", slug=request.event.slug, number=number)


def _add_job_message(request: EventRequest, number: int) -> None:
    job = request.event.pairing_job(number)
    if job is not None and job.has_failed:
        messages.error(request, job.shown_error)
    elif job is not None and job.is_live:
        messages.info(request, _("The other tables are being re-paired."))
    else:
        messages.success(request, _("The other tables are re-paired."))


def _parse_keys(typed: list[str]) -> list[int]:
    return [key for text in typed if (key := whole_number(text, 18)) is not None]


@staff_page(event_permissions.can_run)
def change_round(request: EventRequest, number: int) -> HttpResponse:
    round_ = round_or_404(request, number)
    if round_.is_draft:
        return redirect("tournaments:draft", slug=request.event.slug, number=number)
    shown = draft_page(round_)
    context = {
        "round": round_,
        "draft": shown,
        "reported": [row for row in shown.rows if row.pairing.is_reported],
        "table_count": sum(row.pairing.table_number is not None for row in shown.rows),
        "open": [row for row in shown.rows if not row.pairing.is_reported],
        "repair_form": ReasonForm(auto_id="id_repair_%s"),
        "unpublish_form": ReasonForm(auto_id="id_unpublish_%s"),
    }
    return render_desk_page(request, "tournaments/rounds/change.html", context)


def _cleaned_reason(request: EventRequest, missing: str) -> str:
    reason: str = get_cleaned_data(ReasonForm(request.POST), missing)["reason"]
    return reason


@staff_page(event_permissions.can_run, WRITE)
def unpublish_round(request: EventRequest, number: int) -> HttpResponse:
    round_ = round_or_404(request, number)
    with show_refusals(request):
        reason = _cleaned_reason(request, _("Give the reason for unpublishing the round."))
        services.unpublish_round(round_, request.actor, reason)
        words = _("You unpublished %(round)s. It is a draft again, and players no longer see it.")
        messages.success(request, words % {"round": round_.in_sentence})
        return redirect("tournaments:draft", slug=request.event.slug, number=number)
    return redirect("tournaments:change", slug=request.event.slug, number=number)


# Rounds at the tables, their clocks, and the stages.


@staff_page(event_permissions.can_run, WRITE)
def start_round(request: EventRequest, number: int) -> HttpResponse:
    with show_refusals(request):
        services.start_round(round_or_404(request, number), request.actor)
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(event_permissions.can_run, WRITE)
def close_round(request: EventRequest, number: int) -> HttpResponse:
    with show_refusals(request):
        round_ = round_or_404(request, number)
        services.close_round(round_, request.actor)
        words = _("You closed %(round)s.") % {"round": round_.in_sentence}
        undo = _undo_page(request.event, LogAction.ROUND_CLOSED)
        messages.success(request, words, extra_tags=undo)
        if request.POST.get("next") == "finish":
            return redirect("tournaments:finish", slug=request.event.slug)
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(event_permissions.can_run, WRITE)
def close_and_pair(request: EventRequest, number: int) -> HttpResponse:
    round_ = round_or_404(request, number)
    with show_refusals(request):
        draft_changes.close_and_pair(round_, request.actor)
        # The log cannot undo the closing while there is a later round.
        words = _(
            "You closed {round}. To reopen it, discard the draft of the next round, then undo "
            'the closing in the <a href="{log}">event log</a>.'
        )
        log = reverse("tournaments:log", args=[request.event.slug])
        messages.success(request, format_html(words, round=round_.in_sentence, log=log))
        return _redirect_to_draft_or_desk(request.event, number + 1)
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(event_permissions.can_run, WRITE)
def reopen_round(request: EventRequest, number: int) -> HttpResponse:
    with show_refusals(request):
        reason = _cleaned_reason(request, _("Give the reason for reopening the round."))
        round_ = round_or_404(request, number)
        services.reopen_round(round_, request.actor, reason)
        messages.success(request, _("You reopened %(round)s.") % {"round": round_.in_sentence})
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(event_permissions.can_run, WRITE)
def pause_clock(request: EventRequest, number: int) -> HttpResponse:
    with show_refusals(request):
        services.pause_clock(round_or_404(request, number), request.actor)
    return _redirect_to_clock(request.event)


@staff_page(event_permissions.can_run, WRITE)
def resume_clock(request: EventRequest, number: int) -> HttpResponse:
    seen = whole_number(request.POST.get("seen", ""), 18)
    with show_refusals(request):
        services.resume_clock(round_or_404(request, number), request.actor, seen)
    return _redirect_to_clock(request.event)


@staff_page(event_permissions.can_run, WRITE)
def add_minutes(request: EventRequest, number: int) -> HttpResponse:
    round_ = round_or_404(request, number)
    with show_refusals(request):
        missing = _("Enter a whole number of minutes, from 1 to %(most)s.")
        cleaned = get_cleaned_data(
            MinutesForm(request.POST), missing % {"most": MAX_MINUTES_AT_ONCE}
        )
        minutes = cleaned["minutes"]
        services.add_minutes(round_, minutes, request.actor, cleaned["seen"])
        text = (
            ngettext(
                "%(minutes)s minute added: %(round)s.",
                "%(minutes)s minutes added: %(round)s.",
                minutes,
            )
            if minutes > 0
            else ngettext(
                "%(minutes)s minute removed: %(round)s.",
                "%(minutes)s minutes removed: %(round)s.",
                -minutes,
            )
        )
        messages.success(request, text % {"minutes": abs(minutes), "round": round_.name})
    return _redirect_to_clock(request.event)


@idempotent
@staff_page(event_permissions.can_judge, READ + WRITE)
def add_table_minutes(request: EventRequest, number: int) -> HttpResponse:
    """Add minutes for one table; `?table=` fills in its number."""
    round_ = round_or_404(request, number)
    if request.method != "POST":
        form = TableMinutesForm(initial={"table": request.GET.get("table")})
        return _table_minutes_page(request, round_, form)
    form = TableMinutesForm(request.POST)
    pairing = _find_table(round_, form)
    if pairing is None:
        return _table_minutes_page(request, round_, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    minutes, table = form.cleaned_data["minutes"], pairing.table_number
    with show_refusals(request):
        services.add_table_minutes(
            pairing, minutes, request.actor, form.cleaned_data["reason"], form.cleaned_data["seen"]
        )
        text = (
            ngettext(
                "%(minutes)s minute added for table %(table)s.",
                "%(minutes)s minutes added for table %(table)s.",
                minutes,
            )
            if minutes > 0
            else ngettext(
                "%(minutes)s minute removed from table %(table)s.",
                "%(minutes)s minutes removed from table %(table)s.",
                -minutes,
            )
        )
        messages.success(request, text % {"minutes": abs(minutes), "table": table})
    return _redirect_to_clock(request.event)


def _find_table(round_: Round, form: TableMinutesForm) -> Pairing | None:
    """Return the table with the typed number; add a form error if there is none."""
    if not form.is_valid():
        return None
    tables = round_.pairings.with_players().filter(table_number=form.cleaned_data["table"])
    pairing = tables.first()
    if pairing is None:
        form.add_error("table", _("There is no such table in this round."))
        return None
    pairing.round = round_
    return pairing


def _table_minutes_page(
    request: EventRequest, round_: Round, form: TableMinutesForm, status: int = HTTPStatus.OK
) -> HttpResponse:
    context = {"round": round_, "form": form, "controls": get_clock_controls(round_)}
    return render_desk_page(request, "tournaments/rounds/clock_table.html", context, status)


def _redirect_to_clock(tournament: Tournament) -> HttpResponse:
    return redirect(reverse("tournaments:desk", args=[tournament.slug]) + "#clock")


@staff_page(event_permissions.can_open_desk)
def stages(request: EventRequest) -> HttpResponse:
    latest = request.event.latest_round()
    can_stop = latest is not None and latest.is_closed and not request.event.is_finished
    context = {"lines": stage_lines(request.event), "can_stop": can_stop}
    return render_desk_page(request, "tournaments/rounds/stages.html", context)
