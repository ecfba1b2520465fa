"""The result of a player's own table: told, confirmed or disputed."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches import records
from matches.models import Match, MatchState
from matches.scoring import MatchResult
from matches.services import AlreadySettled, ImpossibleResult, NothingToConfirm
from tournaments.results.forms.results import AnswerForm, ResultForm
from tournaments.results.pages.results import open_report, result_in_words
from tournaments.results.services import results
from tournaments.web.views.access import MyTable, my_table
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import told

REFUSALS = (results.NotPlayable, AlreadySettled, ImpossibleResult, NothingToConfirm)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@once
def report(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """Tell the result; the others at the table will be asked."""
    mine = my_table(request, slug, number, table)
    told_before = None if request.POST else _told_before(mine.match)
    form = ResultForm(request.POST or None, match=mine.match, told=told_before)
    status = 422 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        with told(request, *REFUSALS):
            match = results.report(mine.pairing, mine.seat, form.result, mine.actor)
            _tell(request, mine, match)
            return redirect("tournaments:my_event", slug)
        status = 409
    elif mine.match.is_settled:
        return redirect("tournaments:table", *mine.place)
    return _page(request, mine, "tournaments/results/report.html", {"form": form}, status)


def _told_before(match: Match) -> MatchResult:
    """The form begins with the report that is open: to correct it is quicker than to repeat it."""
    if match.state == MatchState.OPEN:
        return MatchResult()
    report = open_report(match)
    return records.from_document(report.result) if report else MatchResult()


def _tell(request: HttpRequest, mine: MyTable, match: Match) -> None:
    """Say what has happened; only after it has been recorded."""
    is_pod = match.rule.most_seats > 2
    other = "Another player at your table" if is_pod else "Your opponent"
    if match.state == MatchState.PROPOSED:
        messages.success(request, f"Recorded. {other} is asked to confirm it.")
    elif match.state == MatchState.DISPUTED:
        told = "The table does not agree" if is_pod else f"{other} told another result"
        messages.warning(request, f"Recorded. {told}, so the staff will decide.")
    else:
        both = "Two of you" if is_pod else "You both"
        messages.success(request, f"Recorded. {both} told the same, so the result is confirmed.")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@once
def confirm(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """Show what the other player said; a POST says yes to it."""
    mine = my_table(request, slug, number, table)
    if request.method == "POST":
        return _answer(request, mine, says_yes=True)
    return _ask(request, mine)


def _ask(request: HttpRequest, mine: MyTable, form: AnswerForm | None = None) -> HttpResponse:
    """The other player's report word for word, and the question whether it is right."""
    report = open_report(mine.match)
    if report is None or report.seat_id == mine.seat.pk:
        return redirect("tournaments:my_event", mine.tournament.slug)
    told_result = records.from_document(report.result)
    context = {
        "report": report,
        "result": result_in_words(mine.match, told_result),
        "form": form or AnswerForm(initial={"report": report.pk}),
    }
    return _page(request, mine, "tournaments/results/confirm.html", context)


@never_cache
@require_POST
@once
def dispute(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """Say no to what the other player said; the staff decide."""
    return _answer(request, my_table(request, slug, number, table), says_yes=False)


def _answer(request: HttpRequest, mine: MyTable, *, says_yes: bool) -> HttpResponse:
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _ask(request, mine, form)
    asked, note = form.cleaned_data["report"], form.cleaned_data["note"]
    with told(request, *REFUSALS):
        if says_yes:
            results.confirm(mine.pairing, mine.seat, asked, mine.actor)
            messages.success(request, "Confirmed. The result stands.")
        else:
            results.dispute(mine.pairing, mine.seat, asked, mine.actor, note)
            messages.warning(request, "Disputed. The staff see it and will come to your table.")
    return redirect("tournaments:my_event", mine.tournament.slug)


def _page(
    request: HttpRequest, mine: MyTable, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    shared = {
        "tournament": mine.tournament,
        "here": "me",
        "is_playing": True,
        "round": mine.pairing.round,
        "table": mine.pairing.table_number,
        "rule": mine.match.rule,
        "is_pod": mine.match.seats.count() > 2,
        "me": mine.seat,
    }
    page = template
    return render(request, page, {**shared, **context}, status=status)
