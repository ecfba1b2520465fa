"""A player's own table: report, confirm or dispute the result; choose a faction in a pod."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches import records
from matches.models import Match, MatchState
from matches.scoring import MatchResult
from matches.services import AlreadySettled, FactionRefused, ImpossibleResult, NothingToConfirm
from tournaments.event import permissions
from tournaments.results.forms.results import AnswerForm, FactionsForm, ReportForm
from tournaments.results.pages.results import judged_games, open_report, report_in_words
from tournaments.results.queries.tables import faction_draft
from tournaments.results.services import results
from tournaments.web.views.access import (
    EventRequest,
    TableRequest,
    round_or_404,
    table_or_404,
    table_view,
)
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import READ, WRITE, RefusalsShown, desk_page, staff_page

REFUSALS = (results.NotPlayable, AlreadySettled, ImpossibleResult, NothingToConfirm)
FACTION_REFUSALS = (
    results.NoFactionsNow,
    results.NotPlayable,
    FactionRefused,
    AlreadySettled,
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@once
@table_view
def report(request: TableRequest) -> HttpResponse:
    """Report the result; the opponents are asked to confirm it."""
    pairing, match, seat = request.table
    reported_before = None if request.POST else _reported_before(match)
    form = ReportForm(
        request.POST or None,
        match=match,
        me=seat,
        initial_result=reported_before,
        code=request.GET.get("code", ""),
    )
    status = 422 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        with RefusalsShown(request, *REFUSALS):
            match = results.report(pairing, seat, form.result, request.actor)
            _say_what_happened(request, match)
            return redirect("tournaments:my_event", request.event.slug)
        status = 409
    elif match.is_settled:
        place = request.event.slug, pairing.round.number, pairing.table_number
        return redirect("tournaments:table", *place)
    return _page(request, "tournaments/results/report.html", {"form": form}, status)


def _reported_before(match: Match) -> MatchResult:
    # Start from the open report: correcting it is faster than entering it again.
    if match.state == MatchState.OPEN:
        return MatchResult()
    report = open_report(match)
    return records.from_document(report.result) if report else MatchResult()


def _say_what_happened(request: HttpRequest, match: Match) -> None:
    # Call only after the report is recorded.
    is_pod = match.rule.most_seats > 2
    other = "Another player at your table" if is_pod else "Your opponent"
    if match.state == MatchState.PROPOSED:
        messages.success(request, f"Recorded. {other} is asked to confirm it.")
    elif match.state == MatchState.DISPUTED:
        who = "The table" if is_pod else other
        messages.warning(request, f"Recorded. {who} does not agree, so the staff will decide.")
    else:
        both = "Two of you" if is_pod else "You both"
        messages.success(request, f"Recorded. {both} reported the same result, so it is confirmed.")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@once
@table_view
def confirm(request: TableRequest) -> HttpResponse:
    """Show the opponent's report; a POST confirms it."""
    if request.method == "POST":
        return _answer(request, says_yes=True)
    return _ask(request)


def _ask(request: TableRequest, form: AnswerForm | None = None) -> HttpResponse:
    """Render the opponent's report with the form to confirm or dispute it."""
    match = request.table.match
    report = open_report(match)
    if report is None or report.seat_id == request.table.seat.pk:
        return redirect("tournaments:my_event", request.event.slug)
    context = {
        "report": report,
        "reported": report_in_words(match, report),
        "judged": judged_games(match),
        "form": form or AnswerForm(initial={"report": report.pk}),
    }
    return _page(request, "tournaments/results/confirm.html", context)


@never_cache
@require_POST
@once
@table_view
def dispute(request: TableRequest) -> HttpResponse:
    return _answer(request, says_yes=False)


def _answer(request: TableRequest, *, says_yes: bool) -> HttpResponse:
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _ask(request, form)
    pairing, _, seat = request.table
    asked, note = form.cleaned_data["report"], form.cleaned_data["note"]
    with RefusalsShown(request, *REFUSALS):
        if says_yes:
            results.confirm(pairing, seat, asked, request.actor)
            messages.success(request, "Result confirmed.")
        else:
            results.dispute(pairing, seat, asked, request.actor, note)
            messages.warning(request, "Disputed. The staff see it and will come to your table.")
    return redirect("tournaments:my_event", request.event.slug)


def _page(
    request: TableRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    pairing, match, me = request.table
    shared = {
        "tournament": request.event,
        "here": "me",
        "is_playing": True,
        "round": pairing.round,
        "table": pairing.table_number,
        "rule": match.rule,
        "is_pod": match.seats.count() > 2,
        "me": me,
        "others": [seat for seat in match.seats.all() if seat.pk != me.pk],
    }
    return render(request, template, {**shared, **context}, status=status)


@never_cache
@require_POST
@once
@table_view
def choose_faction(request: TableRequest) -> HttpResponse:
    """Choose `faction`, then redirect to `next` or the player's own page."""
    pairing, _, seat = request.table
    with RefusalsShown(request, results.NotYourTurn, *FACTION_REFUSALS):
        results.choose_faction(pairing, seat, request.POST.get("faction", ""), request.actor)
        messages.success(request, "Your faction is recorded.")
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = reverse("tournaments:my_event", args=[request.event.slug])
    # Not `redirect`: it would try to reverse a value without a slash.
    return HttpResponseRedirect(back)


@staff_page(permissions.can_enter_results, READ + WRITE)
def set_factions(request: EventRequest, number: int, table: int) -> HttpResponse:
    pairing = table_or_404(round_or_404(request, number), table)
    draft = faction_draft(pairing.match, pairing.round)
    if draft is None:
        messages.info(request, "At this table no factions are chosen now.")
        return redirect("tournaments:table", request.event.slug, number, table)
    form = FactionsForm(request.POST or None, draft=draft)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        with RefusalsShown(request, *FACTION_REFUSALS):
            results.set_factions(pairing, form.chosen, request.actor)
            messages.success(request, "The factions are recorded.")
            return redirect("tournaments:table", request.event.slug, number, table)
        status = 409
    context = {"round": pairing.round, "pairing": pairing, "form": form}
    return desk_page(request, "tournaments/results/factions.html", context, status=status)
