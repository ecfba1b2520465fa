"""Judge calls: raised from the phone or the desk, taken and answered by judges."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from rulings.models import JudgeCall
from rulings.services import CallIsOver, CallIsTaken
from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.forms.calls import CallAnswerForm, CallForm, StaffCallForm
from tournaments.models import Tournament
from tournaments.services import calls as call_services
from tournaments.services import clock, rounds
from tournaments.views.behind import desk_page, staff_page, told
from tournaments.views.once import once
from tournaments.views.polling import is_fragment
from tournaments.views.reports import my_table


@never_cache
@require_POST
@once
def call_judge(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """A player wants a judge at their table."""
    mine = my_table(request, slug, number, table)
    form = CallForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Say it in at most 200 letters.")
        return redirect("tournaments:my_event", slug)
    with told(request, call_services.NoCallNow):
        call_services.raise_call(mine.pairing, mine.actor, form.cleaned_data["about"])
        messages.success(request, "A judge is called. Stay at your table and stop playing.")
    return redirect("tournaments:my_event", slug)


@never_cache
@require_POST
@once
def withdraw_call(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """The player does not need the judge any more."""
    mine = my_table(request, slug, number, table)
    with told(request, call_services.NotYourCall, CallIsOver):
        call_services.withdraw(mine.pairing, mine.actor)
        messages.success(request, "The call is taken back.")
    return redirect("tournaments:my_event", slug)


@require_safe
@staff_page(permissions.can_open_desk)
def calls(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Who waits for a judge, and what was answered today; 304 to a poll while nothing is new."""
    if is_fragment(request) and request.headers.get("If-None-Match") == _etag(tournament):
        return HttpResponse(status=304)
    return _page(request, tournament, actor, StaffCallForm())


def _etag(tournament: Tournament) -> str:
    return f'"{queries.newest_log_id(tournament, "judge call")}"'


def _page(
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    form: StaffCallForm,
    status: int = 200,
) -> HttpResponse:
    etag = _etag(tournament)
    context = {
        "calls": queries.open_calls(tournament),
        "past": queries.past_calls(tournament),
        "form": form,
        "answer_form": CallAnswerForm(),
        "etag": etag,
    }
    template = "calls.html#live" if is_fragment(request) else "calls.html"
    response = desk_page(request, tournament, actor, template, context, status=status)
    response["ETag"] = etag
    return response


@require_POST
@staff_page(permissions.can_open_desk)
def call_new(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Somebody came to the desk: the call of their table is typed here."""
    form = StaffCallForm(request.POST)
    pairing = queries.table_now(tournament, form.cleaned_data["table"]) if form.is_valid() else None
    if form.is_valid() and pairing is None:
        form.add_error("table", "Nobody plays at this table now.")
    if pairing is None:
        return _page(request, tournament, actor, form, status=422)
    with told(request, call_services.NoCallNow):
        call_services.raise_call(pairing, actor, form.cleaned_data["about"])
        messages.success(request, f"Table {pairing.table_number} waits for a judge.")
    return redirect("tournaments:calls", tournament.slug)


@require_POST
@staff_page(permissions.can_judge)
def call_take(request: HttpRequest, tournament: Tournament, actor: Actor, pk: int) -> HttpResponse:
    """This judge goes to the table."""
    call = _call_or_404(tournament, pk)
    with told(request, CallIsTaken, CallIsOver):
        call_services.take(tournament, call, actor)
        table = queries.table_of(call.match).table_number
        messages.success(request, f"You have the call of table {table}.")
    return redirect("tournaments:calls", tournament.slug)


@require_POST
@staff_page(permissions.can_judge)
def call_answer(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """The call is dealt with; the minutes it took go on the clock of the table."""
    call = _call_or_404(tournament, pk)
    form = CallAnswerForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Give 0 to 60 minutes, and at most 2,000 letters of answer.")
        return redirect("tournaments:calls", tournament.slug)
    minutes = form.cleaned_data["minutes"] or 0
    refusals = (CallIsOver, clock.OutOfMeasure, rounds.WrongState)
    # Both or neither: a refused clock leaves the call open.
    with told(request, *refusals), transaction.atomic():
        call_services.answer(tournament, call, actor, form.cleaned_data["text"])
        if minutes:
            clock.add_to_table(queries.table_of(call.match), minutes, actor, "judge call")
        messages.success(request, "The call is answered.")
    return redirect("tournaments:calls", tournament.slug)


def _call_or_404(tournament: Tournament, pk: int) -> JudgeCall:
    return get_object_or_404(queries.calls_of(tournament), pk=pk)
