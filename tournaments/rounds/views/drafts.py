"""Staff pages to pair a round, edit its draft and publish it."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from core.errors import ReasonMissing
from core.form_fields import whole_number
from engine.pairing.round_robin import RoundRobinOver
from tournaments.event import permissions, queries
from tournaments.models import Round, Tournament
from tournaments.rounds import elimination
from tournaments.rounds.drafts.making import RoundStillOpen
from tournaments.rounds.forms import ManualPairingForm, SwapForm
from tournaments.rounds.pages.draft import draft_page
from tournaments.rounds.pages.manual_pairings import manual_draft, swap_preview
from tournaments.rounds.services import drafting, rounds
from tournaments.web.views.access import EventRequest, round_or_404
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    ReasonForm,
    RefusalsShown,
    cleaned,
    desk_page,
    is_htmx,
    seen_id,
    staff_page,
)

CANNOT_PAIR = (
    drafting.EventTooLarge,
    drafting.NotEnoughPlayers,
    rounds.ResultsMissing,
    elimination.NoGameToPlay,
    RoundRobinOver,
    RoundStillOpen,
)
CANNOT_SEAT = (drafting.NotBySeats, rounds.DraftHasChanged, rounds.NotADraft)


@staff_page(permissions.can_run, WRITE)
def pair(request: EventRequest) -> HttpResponse:
    """Request the draft of round `number`; a second request does nothing.

    With a `reason`, the previous round is closed although results are missing.
    """
    asked = whole_number(request.POST.get("number", ""), 3)
    number = queries.next_round_number(request.event) if asked is None else asked
    reason = request.POST.get("reason", "").strip()[:500]
    with RefusalsShown(request, *CANNOT_PAIR):
        drafting.request_pairing(request.event, number, request.actor, force_reason=reason)
    return _draft_or_desk(request.event, number)


@staff_page(permissions.can_run)
def without_results(request: EventRequest, number: int) -> HttpResponse:
    """Explain the effect of pairing round `number` now, and ask for a reason."""
    if number > queries.next_round_number(request.event):
        raise Http404("No round before this one.")
    round_ = queries.latest_round(request.event)
    tables = list(queries.open_tables(round_)) if round_ and not round_.is_draft else []
    if round_ is None or round_.number != number - 1 or not tables or round_.is_closed:
        return redirect("tournaments:desk", slug=request.event.slug)
    context = {"number": number, "round": round_, "tables": tables, "reason_form": ReasonForm()}
    return desk_page(request, "tournaments/rounds/without_results.html", context)


def _draft_or_desk(tournament: Tournament, number: int) -> HttpResponse:
    # Without a draft yet, the desk shows the progress of the job.
    if queries.rounds(tournament).filter(number=number, state="draft").exists():
        return redirect("tournaments:draft", slug=tournament.slug, number=number)
    return redirect("tournaments:desk", slug=tournament.slug)


@staff_page(permissions.can_run)
def draft(request: EventRequest, number: int) -> HttpResponse:
    round_ = round_or_404(request, number)
    if not round_.is_draft:
        return redirect("tournaments:round", slug=request.event.slug, number=number)
    job = queries.pairing_job(request.event, number)
    context = {
        "round": round_,
        "draft": draft_page(round_),
        "seen": queries.newest_draft_change(request.event),
        "is_at_work": job is not None and job.is_live,
        "failed_job": job if job is not None and job.has_failed else None,
    }
    return desk_page(request, "tournaments/rounds/draft.html", context)


@staff_page(permissions.can_run, WRITE)
def discard(request: EventRequest, number: int) -> HttpResponse:
    """Discard the draft; with `again`, pair the round again."""
    event = request.event
    round_ = _round_or_none(request, number)
    if round_ is not None:
        with RefusalsShown(request, rounds.NotADraft) as outcome:
            drafting.discard_draft(round_, request.actor)
        if outcome.refusal is not None:
            return redirect("tournaments:desk", slug=event.slug)
    if "again" not in request.POST:
        return redirect("tournaments:desk", slug=event.slug)
    with RefusalsShown(request, *CANNOT_PAIR):
        drafting.request_pairing(event, number, request.actor)
    return _draft_or_desk(event, number)


def _round_or_none(request: EventRequest, number: int) -> Round | None:
    # A draft that is discarded already is no error.
    try:
        return round_or_404(request, number)
    except Http404:
        return None


@staff_page(permissions.can_run, WRITE)
def publish(request: EventRequest, number: int) -> HttpResponse:
    """Publish the draft; `without_latecomers` leaves out players who arrived since."""
    round_ = round_or_404(request, number)
    expected = (rounds.DraftIsOld, rounds.DraftHasChanged, rounds.NotADraft)
    with RefusalsShown(request, *expected):
        rounds.publish(
            round_,
            request.actor,
            leave_out_latecomers="without_latecomers" in request.POST,
            seen=seen_id(request),
        )
        words = _("The pairings of %(round)s are published.")
        messages.success(request, words % {"round": round_.in_sentence})
        return redirect("tournaments:desk", slug=request.event.slug)
    return _draft_or_desk(request.event, number)


@staff_page(permissions.can_run, READ + WRITE)
def by_hand(request: EventRequest, number: int) -> HttpResponse:
    """Edit tables and byes; show warnings before they are saved.

    `action` is add (another table), check, or save. Saving despite warnings requires `confirmed`.
    """
    event = request.event
    round_ = round_or_404(request, number)
    if not round_.is_draft or round_.stage.way.is_elimination:
        return redirect("tournaments:round", slug=event.slug, number=number)
    form = ManualPairingForm(
        request.POST if request.method == "POST" else None, manual_draft(round_)
    )
    context = {
        "round": round_,
        "form": form,
        "seen": seen_id(request) or queries.newest_draft_change(event),
    }
    if request.method == "POST" and is_htmx(request):
        return render(request, "tournaments/rounds/_hand_warnings.html", context)
    wants_save = request.POST.get("action") == "save"
    if wants_save and not form.errors and (form.confirmed or not form.warnings):
        with RefusalsShown(request, *CANNOT_SEAT) as outcome:
            seen = seen_id(request)
            drafting.pair_by_hand(round_, form.tables, form.byes, request.actor, seen=seen)
            messages.success(request, "The tables are kept as you chose them.")
            return redirect("tournaments:draft", slug=event.slug, number=number)
        if isinstance(outcome.refusal, rounds.DraftHasChanged):
            messages.warning(request, "Keep the tables below to replace that change with yours.")
            context["seen"] = queries.newest_draft_change(event)
    context["asks"] = wants_save and not form.errors
    status = 422 if wants_save else 200
    return desk_page(request, "tournaments/rounds/by_hand.html", context, status)


@staff_page(permissions.can_run)
def preview(request: EventRequest, number: int) -> HttpResponse:
    """Render the bar below the draft: rules broken by a swap of the selected players."""
    round_ = round_or_404(request, number)
    form = SwapForm(request.GET, list(queries.roster(request.event)))
    found = swap_preview(round_, *form.cleaned_data["player"]) if form.is_valid() else None
    context = {"preview": found, "ticked": len(set(request.GET.getlist("player")))}
    return render(request, "tournaments/rounds/_swap_bar.html", context)


@staff_page(permissions.can_run, WRITE)
def swap(request: EventRequest, number: int) -> HttpResponse:
    """Swap two players; if the swap breaks rules, show them and ask for confirmation."""
    round_ = round_or_404(request, number)
    form = SwapForm(request.POST, list(queries.roster(request.event)))
    if not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors["player"])))
        return redirect("tournaments:draft", slug=request.event.slug, number=number)
    one, other = form.cleaned_data["player"]
    found = swap_preview(round_, one, other) if round_.is_draft else None
    if found is not None and found.asks and request.POST.get("confirmed") != found.key:
        context = {"round": round_, "preview": found, "seen": seen_id(request) or ""}
        return desk_page(request, "tournaments/rounds/swap.html", context, status=409)
    with RefusalsShown(request, rounds.NotADraft, rounds.DraftHasChanged):
        drafting.swap_seats(round_, one, other, request.actor, seen=seen_id(request))
        messages.success(request, f"{one.player} and {other.player} have changed places.")
    return redirect("tournaments:draft", slug=request.event.slug, number=number)


@staff_page(permissions.can_run, WRITE)
def lock(request: EventRequest, number: int) -> HttpResponse:
    """Lock or unlock the `pairing`, as `locked` says."""
    round_ = round_or_404(request, number)
    address = reverse("tournaments:draft", args=[request.event.slug, number])
    keys = _keys([request.POST.get("pairing", "")])
    pairings = round_.pairings.select_related("round__stage__tournament")
    pairing = pairings.filter(pk__in=keys).first()
    if pairing is None:
        messages.error(request, "This table is not in the draft any more. Here it is as it stands.")
        return redirect(address)
    with RefusalsShown(request, rounds.WrongState, rounds.NotADraft) as outcome:
        drafting.set_lock(pairing, request.actor, locked=request.POST.get("locked") == "yes")
    return redirect(address if outcome.refusal else f"{address}#pairing-{pairing.pk}")


@staff_page(permissions.can_run, WRITE)
def rest(request: EventRequest, number: int) -> HttpResponse:
    """Re-pair all players who are not at a kept table; a published round requires a reason."""
    round_ = round_or_404(request, number)
    reason = request.POST.get("reason", "").strip()[:500]
    expected = (
        drafting.NothingToPair,
        ReasonMissing,
        rounds.WrongState,
        rounds.NotADraft,
    )
    keep = None if round_.is_draft else _keys(request.POST.getlist("keep"))
    with RefusalsShown(request, *expected):
        drafting.pair_the_rest(round_, request.actor, reason=reason, keep=keep)
        _show_job(request, number)
    page = "draft" if round_.is_draft else "change"
    return redirect(f"tournaments:{page}", slug=request.event.slug, number=number)


def _show_job(request: EventRequest, number: int) -> None:
    job = queries.pairing_job(request.event, number)
    if job is not None and job.has_failed:
        messages.error(request, job.error)
    elif job is not None and job.is_live:
        messages.info(request, "The other tables are being re-paired.")
    else:
        messages.success(request, "The other tables are re-paired.")


def _keys(typed: list[str]) -> list[int]:
    found = (whole_number(key, 18) for key in typed)
    return [key for key in found if key is not None]


@staff_page(permissions.can_run)
def change(request: EventRequest, number: int) -> HttpResponse:
    """Offer to unpublish a published round or re-pair its open tables."""
    round_ = round_or_404(request, number)
    if round_.is_draft:
        return redirect("tournaments:draft", slug=request.event.slug, number=number)
    shown = draft_page(round_)
    context = {
        "round": round_,
        "draft": shown,
        "reported": [row for row in shown.rows if queries.is_reported(row.pairing)],
        "open": [row for row in shown.rows if not queries.is_reported(row.pairing)],
        "reason_form": ReasonForm(),
    }
    return desk_page(request, "tournaments/rounds/change.html", context)


@staff_page(permissions.can_run, WRITE)
def unpublish(request: EventRequest, number: int) -> HttpResponse:
    round_ = round_or_404(request, number)
    with RefusalsShown(request, rounds.ResultsAreIn, rounds.WrongState, rounds.NotADraft):
        said = cleaned(ReasonForm(request.POST), "Say why you unpublish the round.")
        rounds.unpublish(round_, request.actor, said["reason"])
        words = _("You unpublished %(round)s. It is a draft again, and players no longer see it.")
        messages.success(request, words % {"round": round_.in_sentence})
        return redirect("tournaments:draft", slug=request.event.slug, number=number)
    return redirect("tournaments:change", slug=request.event.slug, number=number)
