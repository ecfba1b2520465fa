"""The staff page of one table: reports, decision and judge notes."""

from collections.abc import Iterable
from datetime import datetime
from operator import itemgetter
from typing import TypeAlias

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from core.errors import ReasonMissing, StaleVersion
from core.rate_limits import Busy
from matches import records
from matches.models import Match, ResultReport
from matches.scoring import MatchResult
from matches.services import ImpossibleResult
from rulings import queries as ruling_queries
from rulings import services as ruling_services
from rulings.forms import CiteForm, cite_among
from rulings.models import JudgeNote, NoteKind
from tournaments.event import permissions, visibility
from tournaments.models import Pairing
from tournaments.results.forms.results import DecisionForm, EntryForm
from tournaments.results.pages.bracket import cut_table
from tournaments.results.pages.results import dispute_of, latest_result, result_in_words
from tournaments.results.services.results import ImpactChanged, NotPlayable
from tournaments.results.views import entry
from tournaments.results.views.entry import record_decision
from tournaments.web.views.access import EventRequest, round_or_404, table_or_404
from tournaments.web.views.staff_pages import READ, WRITE, RefusalsShown, desk_page, staff_page

REFUSALS = (StaleVersion, ImpossibleResult, NotPlayable, ImpactChanged, ReasonMissing, Busy)
# Staff enter the games as played, including those decided by a penalty.
PLAYED = "played"
# Time; a report and its text; or the note of a decision that cites rulings.
HistoryLine: TypeAlias = tuple[datetime, ResultReport | None, str, JudgeNote | None]


def _table(request: EventRequest, number: int, table: int) -> tuple[Pairing, Match]:
    pairing = table_or_404(round_or_404(request, number), table)
    assert pairing.match is not None
    return pairing, pairing.match


def _address(request: EventRequest, pairing: Pairing) -> str:
    places = [request.event.slug, pairing.round.number, pairing.table_number]
    return reverse("tournaments:decide", args=places)


@staff_page(permissions.can_open_desk, READ + WRITE)
def decide(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Show the reports and settle the result.

    Staff without the right to enter results may read; judges may write notes.
    """
    pairing, match = _table(request, number, table)
    if request.method == "POST":
        return _settle(request, pairing)
    form = _form(request)(
        match=match,
        initial_result=_starting_point(request, match),
        is_locked=_is_locked(request),
    )
    return _page(request, pairing, form)


def _form(request: EventRequest) -> type[EntryForm]:
    # Only judges see notes, so only they may cite rulings.
    return DecisionForm if permissions.can_judge(request.actor, request.event) else EntryForm


def _is_locked(request: HttpRequest) -> bool:
    """Return False if staff enter the result as `played`, ignoring penalties."""
    return PLAYED not in request.GET and PLAYED not in request.POST


def _starting_point(request: HttpRequest, match: Match) -> MatchResult:
    """Return the result of the report named by `?report=`, else the latest result."""
    wanted = request.GET.get("report", "")
    for report in match.reports.all():
        if str(report.pk) == wanted:
            return records.from_document(report.result)
    return latest_result(match)


def _settle(request: EventRequest, pairing: Pairing) -> HttpResponse:
    if not permissions.can_enter_results(request.actor, request.event):
        messages.error(request, "You may write notes here, but not enter results.")
        return redirect(_address(request, pairing))
    assert pairing.match is not None
    locked = _is_locked(request)
    form = _form(request)(request.POST, match=pairing.match, is_locked=locked)
    cite_among(form, visibility.rulings_for(request.actor))
    if not form.is_valid():
        return _page(request, pairing, form, status=422)
    with RefusalsShown(request, *REFUSALS):
        if preview := entry.impact_page(request, pairing, form):
            return preview
        seen = entry.seen_impact(request, pairing)
        messages.success(request, record_decision(pairing, form, request.actor, seen))
        return redirect("tournaments:desk", slug=request.event.slug)
    pairing, match = _table(request, pairing.round.number, pairing.table_number or 0)
    typed = request.POST.copy()
    typed["seen"] = str(match.version)
    again = _form(request)(typed, match=match, is_locked=locked)
    cite_among(again, visibility.rulings_for(request.actor))
    return _page(request, pairing, again, status=409)


def _page(
    request: EventRequest,
    pairing: Pairing,
    form: EntryForm,
    note_form: CiteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    match = form.match
    if permissions.can_judge(request.actor, request.event):
        label = f"table {pairing.table_number}, round {pairing.round.number}"
        url = f"{_address(request, pairing)}#notes"
        request.session["citing"] = {"label": label, "url": url}
    sees_notes = visibility.can_see_notes(request.actor, request.event)
    notes = ruling_queries.notes_of(match) if sees_notes else ()
    context = {
        "pairing": pairing,
        "match": match,
        "form": form,
        "cut_table": cut_table(pairing),
        "dispute": dispute_of(match),
        "settled": result_in_words(match, records.settled_result(match)),
        "history": _history(match, notes),
        "notes": notes,
        "note_form": note_form or CiteForm(initial={"rulings": request.GET.get("rulings", "")}),
    }
    return desk_page(request, "tournaments/results/decide.html", context, status=status)


def _history(match: Match, notes: Iterable[JudgeNote]) -> list[HistoryLine]:
    reported: list[HistoryLine] = [
        (report.created_at, report, records.summary(records.from_document(report.result)), None)
        for report in match.reports.select_related("seat__player", "user__player")
    ]
    decided: list[HistoryLine] = [
        (note.created_at, None, "", note) for note in notes if note.kind == NoteKind.RESULT
    ]
    return sorted([*reported, *decided], key=itemgetter(0))


@staff_page(permissions.can_judge, WRITE)
def note(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Add a note to the match; it may cite the current version of a ruling."""
    pairing, match = _table(request, number, table)
    form = CiteForm(request.POST, among=visibility.rulings_for(request.actor))
    if not form.is_valid():
        entry = _form(request)(match=match, initial_result=latest_result(match))
        return _page(request, pairing, entry, form, status=422)
    with RefusalsShown(request, ruling_services.EmptyNote):
        ruling_services.write_note(
            match,
            request.actor.user,
            form.cleaned_data["text"],
            form.cleaned_data["rulings"],
            practice=request.event.practice_of_id is not None,
        )
        messages.success(request, "The note is saved.")
    return redirect(f"{_address(request, pairing)}#notes")
