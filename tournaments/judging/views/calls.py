"""Pages of judge calls: calling, queue, answers and statistics."""

from http import HTTPStatus

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from rulings.forms import cite_among
from rulings.models import JudgeCall
from tournaments.event import permissions, visibility
from tournaments.event import queries as event_queries
from tournaments.event.actors import Actor
from tournaments.judging import queries
from tournaments.judging.forms.calls import (
    CallAnswerForm,
    CallForm,
    EscalateForm,
    PastCallsForm,
    PenaltyPart,
    StaffCallForm,
)
from tournaments.judging.pages import calls as pages
from tournaments.judging.queries import TableCall
from tournaments.judging.services import calls, penalties
from tournaments.judging.views.penalties import PENALTY_REFUSALS
from tournaments.models import Tournament, log_actions
from tournaments.rounds.services import clock, rounds
from tournaments.web.views.access import my_table
from tournaments.web.views.idempotent import once
from tournaments.web.views.polling import is_fragment
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    RefusalsShown,
    cleaned,
    desk_page,
    staff_page,
)

TOO_LONG = "Say it in at most 200 letters."
CALLS_PER_PAGE = 50
ANSWER_REFUSALS = (
    *(calls.CallIsOver, calls.HeadJudgeOnly, clock.OutOfMeasure, rounds.WrongState),
    *PENALTY_REFUSALS,
)


@staff_page(permissions.can_open_desk)
def call_list(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """List open calls with their age; 304 to a poll if unchanged."""
    etag = _etag(tournament, actor)
    if is_fragment(request) and request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    return _page(request, tournament, actor, StaffCallForm())


def _etag(tournament: Tournament, actor: Actor) -> str:
    """Changes with every call, and every minute because the page shows ages."""
    newest = event_queries.newest_log_id(tournament, log_actions.JUDGE_CALLS)
    role = event_queries.role_of(actor.user, tournament) if actor.user else ""
    return f'"{newest}-{int(timezone.now().timestamp()) // 60}-{role}"'


def _page(
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    form: StaffCallForm,
    status: int = 200,
) -> HttpResponse:
    etag = _etag(tournament, actor)
    context = {"calls": pages.queue(tournament, actor, timezone.now()), "form": form, "etag": etag}
    template = (
        "tournaments/judging/calls.html#live"
        if is_fragment(request)
        else "tournaments/judging/calls.html"
    )
    response = desk_page(request, tournament, actor, template, context, status=status)
    response["ETag"] = etag
    return response


@staff_page(permissions.can_open_desk, WRITE)
def call_new(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Enter a call at the desk for a table."""
    form = StaffCallForm(request.POST)
    pairing = (
        event_queries.table_now(tournament, form.cleaned_data["table"]) if form.is_valid() else None
    )
    if form.is_valid() and pairing is None:
        form.add_error("table", "No match is being played at this table.")
    if pairing is None:
        return _page(request, tournament, actor, form, status=422)
    with RefusalsShown(request, calls.NoCallNow):
        calls.raise_call(pairing, actor, form.cleaned_data["about"])
        messages.success(request, f"Table {pairing.table_number} waits for a judge.")
    return redirect("tournaments:calls", tournament.slug)


@staff_page(permissions.can_judge, WRITE)
def call_take(request: HttpRequest, tournament: Tournament, actor: Actor, pk: int) -> HttpResponse:
    """Assign the call to this judge."""
    call = call_or_404(tournament, pk).call
    with RefusalsShown(request, calls.CallIsTaken, calls.CallIsOver, calls.HeadJudgeOnly):
        calls.take(tournament, call, actor)
        messages.success(request, f"You have the call of table {_table(call)}.")
    return redirect("tournaments:calls", tournament.slug)


@staff_page(permissions.can_judge, WRITE)
def call_give_back(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Release the call."""
    call = call_or_404(tournament, pk).call
    with RefusalsShown(request, calls.CallIsOver, calls.NotYourCall):
        calls.give_back(tournament, call, actor)
        messages.success(request, f"The call of table {_table(call)} is free again.")
    return redirect("tournaments:calls", tournament.slug)


@staff_page(permissions.can_judge, WRITE)
def call_escalate(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Leave the call to the head judge."""
    call, form = call_or_404(tournament, pk).call, EscalateForm(request.POST)
    if not form.is_valid():
        messages.error(request, TOO_LONG)
        return redirect("tournaments:call", tournament.slug, pk)
    with RefusalsShown(request, calls.CallIsOver, calls.NotYourCall):
        calls.escalate(tournament, call, actor, form.cleaned_data["reason"])
        messages.success(request, f"Table {_table(call)} waits for the head judge.")
    return redirect("tournaments:calls", tournament.slug)


@staff_page(permissions.can_judge, WRITE)
def call_appeal(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Enter an appeal for a player."""
    call, form = call_or_404(tournament, pk).call, CallForm(request.POST)
    if not form.is_valid():
        messages.error(request, TOO_LONG)
        return redirect("tournaments:call", tournament.slug, pk)
    with RefusalsShown(request, calls.NoCallNow, calls.CannotAppeal, calls.CallIsOver):
        calls.appeal(tournament, call, actor, form.cleaned_data["about"])
        messages.success(request, f"Table {_table(call)} waits for the head judge.")
    return redirect("tournaments:calls", tournament.slug)


def call_or_404(tournament: Tournament, pk: int) -> TableCall:
    """Get a call of this event with its table, or raise Http404."""
    found = queries.table_call(tournament, pk)
    if found is None:
        raise Http404("No such call.")
    return found


def _table(call: JudgeCall) -> int | None:
    return queries.table_of(call.match).table_number


@once
@staff_page(permissions.can_judge, READ + WRITE)
def call(request: HttpRequest, tournament: Tournament, actor: Actor, pk: int) -> HttpResponse:
    """Show a call, and record its answer."""
    found = call_or_404(tournament, pk)
    if request.method == "POST":
        return _answer(request, tournament, actor, found)
    form = CallAnswerForm(call=found.call, initial={"rulings": request.GET.get("rulings", "")})
    return _call_page(
        request, tournament, actor, found, form, PenaltyPart(tournament, found.pairing)
    )


def _answer(
    request: HttpRequest, tournament: Tournament, actor: Actor, found: TableCall
) -> HttpResponse:
    form = CallAnswerForm(request.POST, call=found.call)
    cite_among(form, visibility.rulings_for(actor))
    part = PenaltyPart(tournament, found.pairing, request.POST)
    if not all([form.is_valid(), part.is_valid()]):
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _call_page(request, tournament, actor, found, form, part, status)
    # All or nothing: a refused clock change or penalty leaves the call open.
    with RefusalsShown(request, *ANSWER_REFUSALS) as outcome, transaction.atomic():
        calls.answer(tournament, found.call, actor, form.answer())
        next_ = _give_penalty(tournament, actor, form, part)
    if outcome.refusal is not None:
        now = call_or_404(tournament, found.call.pk)
        return _call_page(request, tournament, actor, now, form, part, HTTPStatus.CONFLICT)
    messages.success(request, f"Table {found.pairing.table_number} has its answer.")
    return redirect(next_ or reverse("tournaments:calls", args=[tournament.slug]))


def _give_penalty(
    tournament: Tournament, actor: Actor, form: CallAnswerForm, part: PenaltyPart
) -> str:
    """Give the chosen penalty, or return the URL to review a severe penalty first."""
    wanted = part.wanted
    if wanted is None:
        return ""
    code = wanted.infraction.code
    if part.needs_a_look(penalties.expected(tournament, wanted.place, code)):
        return part.address()
    said = form.answer()
    penalties.give(
        tournament,
        wanted.place,
        actor,
        infraction=code,
        kind=wanted.kind,
        pairing=part.pairing,
        text=said.text,
        cited=said.cited,
    )
    return ""


def _call_page(
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    found: TableCall,
    form: CallAnswerForm,
    part: PenaltyPart,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    pairing = found.pairing
    address = reverse("tournaments:call", args=[tournament.slug, found.call.pk])
    label = f"the call of table {pairing.table_number}, round {pairing.round.number}"
    request.session["citing"] = {"label": label, "url": address}
    context = {
        "page": pages.call_page(tournament, found, actor, timezone.now()),
        "call": found.call,
        "pairing": pairing,
        "form": form,
        "part": part,
        "appeal_form": CallForm(),
        "escalate_form": EscalateForm(),
    }
    return desk_page(
        request, tournament, actor, "tournaments/judging/call.html", context, status=status
    )


@never_cache
@require_POST
@once
def call_judge(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """Call a judge to the player's table."""
    mine = my_table(request, slug, number, table)
    with RefusalsShown(request, calls.NoCallNow):
        said = cleaned(CallForm(request.POST), TOO_LONG)
        calls.raise_call(mine.pairing, mine.actor, said["about"])
        messages.success(request, "A judge is called. Stay at your table and stop playing.")
    return redirect("tournaments:my_event", slug)


@never_cache
@require_POST
@once
def withdraw_call(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """Cancel the player's own call."""
    mine = my_table(request, slug, number, table)
    with RefusalsShown(request, calls.NotYourCall, calls.CallIsOver):
        calls.withdraw(mine.pairing, mine.actor)
        messages.success(request, "Call cancelled.")
    return redirect("tournaments:my_event", slug)


@never_cache
@require_POST
@once
def appeal_answer(
    request: HttpRequest, slug: str, number: int, table: int, pk: int
) -> HttpResponse:
    """Appeal a judge's answer at the player's table."""
    mine = my_table(request, slug, number, table)
    answered = get_object_or_404(JudgeCall.objects.select_related("match"), pk=pk, match=mine.match)
    with RefusalsShown(request, calls.NoCallNow, calls.CannotAppeal, calls.CallIsOver):
        said = cleaned(CallForm(request.POST), TOO_LONG)
        calls.appeal(mine.tournament, answered, mine.actor, said["about"])
        messages.success(request, "The head judge is called. Stay at your table and stop playing.")
    return redirect("tournaments:my_event", slug)


@staff_page(permissions.can_judge)
def calls_past(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """List closed calls, newest first, with filters."""
    rounds = queries.rounds_with_calls(tournament)
    judges = queries.judges_of_calls(tournament)
    form = PastCallsForm(request.GET, rounds=rounds, judges=judges)
    past = queries.past_calls(tournament, **form.wanted)
    page = Paginator(past, CALLS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page_obj": page, "is_used": any(form.wanted.values())}
    return desk_page(request, tournament, actor, "tournaments/judging/calls_past.html", context)


@staff_page(permissions.can_head_judge)
def judge_statistics(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Show statistics on calls, waits and appeals; head judge only."""
    context = {"figures": pages.figures_of(tournament)}
    return desk_page(
        request, tournament, actor, "tournaments/judging/judge_statistics.html", context
    )
