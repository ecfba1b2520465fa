"""From "pair the round" to published tables, by lot or as the organiser says."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from core.form_fields import whole_number
from engine.pairing.round_robin import RoundRobinOver
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Round, Tournament
from tournaments.rounds import elimination
from tournaments.rounds.drafts import RoundStillOpen
from tournaments.rounds.forms import HandForm
from tournaments.rounds.pages.by_hand import hand_sheet
from tournaments.rounds.pages.draft import draft_sheet
from tournaments.rounds.services import draft_guards, drafting, rounds
from tournaments.web.views.access import round_or_404
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    ReasonForm,
    desk_page,
    seen_id,
    staff_page,
    told,
)

CANNOT_PAIR = (
    rounds.NotEnoughPlayers,
    rounds.ResultsMissing,
    elimination.NoGameToPlay,
    RoundRobinOver,
    RoundStillOpen,
)
CANNOT_SEAT = (drafting.NotBySeats, draft_guards.DraftHasChanged, rounds.NotADraft)


@staff_page(permissions.can_run, WRITE)
def pair(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Ask for the draft of round `number`; asked twice, there is one.

    With a `reason` the round before is closed without the results that are missing.
    """
    asked = whole_number(request.POST.get("number", ""), 3)
    number = queries.next_round_number(tournament) if asked is None else asked
    reason = request.POST.get("reason", "").strip()[:500]
    with told(request, *CANNOT_PAIR):
        rounds.request_pairing(tournament, number, actor, force_reason=reason)
    return _draft_or_desk(tournament, number)


@staff_page(permissions.can_run)
def without_results(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """What it means to pair round `number` now, and the reason for it."""
    if number > queries.next_round_number(tournament):
        raise Http404("No round before this one.")
    round_ = queries.latest_round(tournament)
    tables = list(queries.open_tables(round_)) if round_ and not round_.is_draft else []
    if round_ is None or round_.number != number - 1 or not tables or round_.is_closed:
        return redirect("tournaments:desk", slug=tournament.slug)
    context = {"number": number, "round": round_, "tables": tables, "reason_form": ReasonForm()}
    return desk_page(request, tournament, actor, "tournaments/rounds/without_results.html", context)


def _draft_or_desk(tournament: Tournament, number: int) -> HttpResponse:
    """The draft when it is there already, else the desk, which waits for it."""
    if queries.rounds(tournament).filter(number=number, state="draft").exists():
        return redirect("tournaments:draft", slug=tournament.slug, number=number)
    return redirect("tournaments:desk", slug=tournament.slug)


@staff_page(permissions.can_run)
def draft(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """Who would meet whom, why, and at what price."""
    round_ = round_or_404(tournament, actor, number)
    if not round_.is_draft:
        return redirect("tournaments:round", slug=tournament.slug, number=number)
    job = queries.pairing_job(tournament, number)
    context = {
        "round": round_,
        "sheet": draft_sheet(round_),
        "seen": queries.newest_draft_change(tournament),
        "is_at_work": job is not None and job.is_live,
        "failed_job": job if job is not None and job.has_failed else None,
    }
    return desk_page(request, tournament, actor, "tournaments/rounds/draft.html", context)


@staff_page(permissions.can_run, WRITE)
def discard(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Throw the draft away; with `again` the round is paired anew at once."""
    round_ = _round_or_none(tournament, actor, number)
    if round_ is not None:
        with told(request, rounds.NotADraft) as outcome:
            drafting.discard_draft(round_, actor)
        if outcome.refusal is not None:
            return redirect("tournaments:desk", slug=tournament.slug)
    if "again" not in request.POST:
        return redirect("tournaments:desk", slug=tournament.slug)
    with told(request, *CANNOT_PAIR):
        rounds.request_pairing(tournament, number, actor)
    return _draft_or_desk(tournament, number)


def _round_or_none(tournament: Tournament, actor: Actor, number: int) -> Round | None:
    """A draft that somebody has thrown away already is no error."""
    try:
        return round_or_404(tournament, actor, number)
    except Http404:
        return None


@staff_page(permissions.can_run, WRITE)
def publish(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Everybody sees the tables; `without_latecomers` leaves out who came since."""
    round_ = round_or_404(tournament, actor, number)
    expected = (draft_guards.DraftIsOld, draft_guards.DraftHasChanged, rounds.NotADraft)
    with told(request, *expected):
        rounds.publish(
            round_,
            actor,
            leave_out_latecomers="without_latecomers" in request.POST,
            seen=seen_id(request),
        )
        messages.success(request, f"Round {number} is published.")
        return redirect("tournaments:desk", slug=tournament.slug)
    return _draft_or_desk(tournament, number)


@staff_page(permissions.can_run, READ + WRITE)
def by_hand(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Seats to choose; what they would break is said before they are kept.

    `action` is add (one more table), check, or save; saving against a warning wants `confirmed`.
    """
    round_ = round_or_404(tournament, actor, number)
    if not round_.is_draft or round_.stage.way.is_elimination:
        return redirect("tournaments:round", slug=tournament.slug, number=number)
    form = HandForm(request.POST if request.method == "POST" else None, hand_sheet(round_))
    context = {
        "round": round_,
        "form": form,
        "seen": seen_id(request) or queries.newest_draft_change(tournament),
    }
    if request.method == "POST" and getattr(request, "htmx", False):
        return render(request, "tournaments/rounds/_hand_warnings.html", context)
    wants_save = request.POST.get("action") == "save"
    if wants_save and not form.errors and (form.confirmed or not form.warnings):
        with told(request, *CANNOT_SEAT):
            drafting.pair_by_hand(round_, form.tables, form.byes, actor, seen=seen_id(request))
            messages.success(request, "The tables are kept as you chose them.")
            return redirect("tournaments:draft", slug=tournament.slug, number=number)
    context["asks"] = wants_save and not form.errors
    return desk_page(
        request,
        tournament,
        actor,
        "tournaments/rounds/by_hand.html",
        context,
        status=422 if wants_save else 200,
    )
