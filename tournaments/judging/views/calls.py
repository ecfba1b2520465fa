"""Pages of judge calls: calling, queue, answers and statistics."""

from http import HTTPStatus

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from rulings.forms import cite_among
from rulings.models import JudgeCall
from tournaments.event import permissions, visibility
from tournaments.event import queries as event_queries
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
from tournaments.web.views.access import EventRequest, TableRequest, table_view
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
def call_list(request: EventRequest) -> HttpResponse:
    """List open calls with their age; 304 to a poll if unchanged."""
    etag = _etag(request)
    if is_fragment(request) and request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    return _page(request, StaffCallForm())


def _etag(request: EventRequest) -> str:
    """Changes with every call, and every minute because the page shows ages."""
    user = request.actor.user
    newest = event_queries.newest_log_id(request.event, log_actions.JUDGE_CALLS)
    role = event_queries.role_of(user, request.event) if user else ""
    return f'"{newest}-{int(timezone.now().timestamp()) // 60}-{role}"'


def _page(request: EventRequest, form: StaffCallForm, status: int = 200) -> HttpResponse:
    etag = _etag(request)
    queue = pages.queue(request.event, request.actor, timezone.now())
    context = {"calls": queue, "form": form, "etag": etag}
    part = "#live" if is_fragment(request) else ""
    response = desk_page(request, f"tournaments/judging/calls.html{part}", context, status)
    response["ETag"] = etag
    return response


@staff_page(permissions.can_open_desk, WRITE)
def call_new(request: EventRequest) -> HttpResponse:
    """Enter a call at the desk for a table."""
    form, pairing = StaffCallForm(request.POST), None
    if form.is_valid():
        pairing = event_queries.table_now(request.event, form.cleaned_data["table"])
        if pairing is None:
            form.add_error("table", "No match is being played at this table.")
    if pairing is None:
        return _page(request, form, status=422)
    with RefusalsShown(request, calls.NoCallNow):
        calls.raise_call(pairing, request.actor, form.cleaned_data["about"])
        messages.success(request, f"Table {pairing.table_number} waits for a judge.")
    return redirect("tournaments:calls", request.event.slug)


@staff_page(permissions.can_judge, WRITE)
def call_take(request: EventRequest, pk: int) -> HttpResponse:
    """Assign the call to this judge."""
    call = call_or_404(request.event, pk).call
    with RefusalsShown(request, calls.CallIsTaken, calls.CallIsOver, calls.HeadJudgeOnly):
        calls.take(request.event, call, request.actor)
        messages.success(request, f"You have the call of table {_table(call)}.")
    return redirect("tournaments:calls", request.event.slug)


@staff_page(permissions.can_judge, WRITE)
def call_give_back(request: EventRequest, pk: int) -> HttpResponse:
    """Release the call."""
    call = call_or_404(request.event, pk).call
    with RefusalsShown(request, calls.CallIsOver, calls.NotYourCall):
        calls.give_back(request.event, call, request.actor)
        messages.success(request, f"The call of table {_table(call)} is free again.")
    return redirect("tournaments:calls", request.event.slug)


@staff_page(permissions.can_judge, WRITE)
def call_escalate(request: EventRequest, pk: int) -> HttpResponse:
    """Leave the call to the head judge."""
    event = request.event
    call, form = call_or_404(event, pk).call, EscalateForm(request.POST)
    if not form.is_valid():
        messages.error(request, TOO_LONG)
        return redirect("tournaments:call", event.slug, pk)
    with RefusalsShown(request, calls.CallIsOver, calls.NotYourCall):
        calls.escalate(event, call, request.actor, form.cleaned_data["reason"])
        messages.success(request, f"Table {_table(call)} waits for the head judge.")
    return redirect("tournaments:calls", event.slug)


@staff_page(permissions.can_judge, WRITE)
def call_appeal(request: EventRequest, pk: int) -> HttpResponse:
    """Enter an appeal for a player."""
    event = request.event
    call, form = call_or_404(event, pk).call, CallForm(request.POST)
    if not form.is_valid():
        messages.error(request, TOO_LONG)
        return redirect("tournaments:call", event.slug, pk)
    with RefusalsShown(request, calls.NoCallNow, calls.CannotAppeal, calls.CallIsOver):
        calls.appeal(event, call, request.actor, form.cleaned_data["about"])
        messages.success(request, f"Table {_table(call)} waits for the head judge.")
    return redirect("tournaments:calls", event.slug)


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
def call(request: EventRequest, pk: int) -> HttpResponse:
    """Show a call, and record its answer."""
    found = call_or_404(request.event, pk)
    if request.method == "POST":
        return _answer(request, found)
    form = CallAnswerForm(call=found.call, initial={"rulings": request.GET.get("rulings", "")})
    return _call_page(request, found, form, PenaltyPart(request.event, found.pairing))


def _answer(request: EventRequest, found: TableCall) -> HttpResponse:
    event = request.event
    form = CallAnswerForm(request.POST, call=found.call)
    cite_among(form, visibility.rulings_for(request.actor))
    part = PenaltyPart(event, found.pairing, request.POST)
    if not all([form.is_valid(), part.is_valid()]):
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _call_page(request, found, form, part, status)
    # All or nothing: a refused clock change or penalty leaves the call open.
    with RefusalsShown(request, *ANSWER_REFUSALS) as outcome, transaction.atomic():
        calls.answer(event, found.call, request.actor, form.answer())
        next_ = _give_penalty(request, form, part)
    if outcome.refusal is not None:
        now = call_or_404(event, found.call.pk)
        return _call_page(request, now, form, part, HTTPStatus.CONFLICT)
    messages.success(request, f"Table {found.pairing.table_number} has its answer.")
    return redirect(next_ or reverse("tournaments:calls", args=[event.slug]))


def _give_penalty(request: EventRequest, form: CallAnswerForm, part: PenaltyPart) -> str:
    """Give the chosen penalty, or return the URL to review a severe penalty first."""
    wanted = part.wanted
    if wanted is None:
        return ""
    code = wanted.infraction.code
    if part.needs_a_look(penalties.expected(request.event, wanted.place, code)):
        return part.address()
    said = form.answer()
    penalties.give(
        request.event,
        wanted.place,
        request.actor,
        infraction=code,
        kind=wanted.kind,
        pairing=part.pairing,
        text=said.text,
        cited=said.cited,
    )
    return ""


def _call_page(
    request: EventRequest,
    found: TableCall,
    form: CallAnswerForm,
    part: PenaltyPart,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    pairing = found.pairing
    address = reverse("tournaments:call", args=[request.event.slug, found.call.pk])
    label = f"the call of table {pairing.table_number}, round {pairing.round.number}"
    request.session["citing"] = {"label": label, "url": address}
    context = {
        "page": pages.call_page(request.event, found, request.actor, timezone.now()),
        "call": found.call,
        "pairing": pairing,
        "form": form,
        "part": part,
        "appeal_form": CallForm(),
        "escalate_form": EscalateForm(),
    }
    return desk_page(request, "tournaments/judging/call.html", context, status=status)


@never_cache
@require_POST
@once
@table_view
def call_judge(request: TableRequest) -> HttpResponse:
    """Call a judge to the player's table."""
    with RefusalsShown(request, calls.NoCallNow):
        said = cleaned(CallForm(request.POST), TOO_LONG)
        calls.raise_call(request.table.pairing, request.actor, said["about"])
        messages.success(request, "A judge is called. Stay at your table and stop playing.")
    return redirect("tournaments:my_event", request.event.slug)


@never_cache
@require_POST
@once
@table_view
def withdraw_call(request: TableRequest) -> HttpResponse:
    """Cancel the player's own call."""
    with RefusalsShown(request, calls.NotYourCall, calls.CallIsOver):
        calls.withdraw(request.table.pairing, request.actor)
        messages.success(request, "Call cancelled.")
    return redirect("tournaments:my_event", request.event.slug)


@never_cache
@require_POST
@once
@table_view
def appeal_answer(request: TableRequest, pk: int) -> HttpResponse:
    """Appeal a judge's answer at the player's table."""
    at_table = JudgeCall.objects.filter(match=request.table.match)
    answered = get_object_or_404(at_table.select_related("match"), pk=pk)
    with RefusalsShown(request, calls.NoCallNow, calls.CannotAppeal, calls.CallIsOver):
        said = cleaned(CallForm(request.POST), TOO_LONG)
        calls.appeal(request.event, answered, request.actor, said["about"])
        messages.success(request, "The head judge is called. Stay at your table and stop playing.")
    return redirect("tournaments:my_event", request.event.slug)


@staff_page(permissions.can_judge)
def calls_past(request: EventRequest) -> HttpResponse:
    """List closed calls, newest first, with filters."""
    rounds = queries.rounds_with_calls(request.event)
    judges = queries.judges_of_calls(request.event)
    form = PastCallsForm(request.GET, rounds=rounds, judges=judges)
    past = queries.past_calls(request.event, **form.wanted)
    page = Paginator(past, CALLS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page_obj": page, "is_used": any(form.wanted.values())}
    return desk_page(request, "tournaments/judging/calls_past.html", context)


@staff_page(permissions.can_head_judge)
def judge_statistics(request: EventRequest) -> HttpResponse:
    """Show statistics on calls, waits and appeals; head judge only."""
    context = {"figures": pages.figures_of(request.event)}
    return desk_page(request, "tournaments/judging/judge_statistics.html", context)
