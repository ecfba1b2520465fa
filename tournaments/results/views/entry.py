"""Staff enter results row by row; a closed round first shows the effects of a change."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from core.errors import ReasonMissing, Refusal, StaleVersion
from core.rate_limits import Busy
from matches import queries as match_queries
from matches import records
from matches.models import Match
from matches.scoring import Faction, codes_of, marks_of, scoring_rule
from matches.services import ImpossibleResult
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.event.history import EventIsFinished
from tournaments.models import Pairing, Round
from tournaments.results.forms.game_questions import filled_in
from tournaments.results.forms.results import EntryForm, columns_of
from tournaments.results.pages.results import latest_result, result_in_words, tables_with_reports
from tournaments.results.queries.impact import impact
from tournaments.results.queries.tables import confirms_itself_at, newest_result_entry
from tournaments.results.services import results
from tournaments.results.services.results import NotPlayable
from tournaments.rounds import elimination
from tournaments.rounds.pages import clocks
from tournaments.web.views.access import EventRequest, round_or_404, table_or_404
from tournaments.web.views.polling import is_fragment
from tournaments.web.views.staff_pages import (
    WRITE,
    abilities,
    desk_page,
    in_zone,
    is_htmx,
    row_cache,
    staff_page,
    typed_before,
)

REFUSALS = (
    StaleVersion,
    ImpossibleResult,
    NotPlayable,
    results.ImpactChanged,
    ReasonMissing,
    Busy,
    EventIsFinished,
)
ROW = "tournaments/results/_result_row.html"
CLOSED_MEANWHILE = "The round is closed now. Save again to see what the change affects."
# Form field with the mark of the impact that the user saw.
MARK = "impact"
LOOK_AGAIN = "Something else has changed. Check again, then apply."
SAY_WHY = "Say why the result changes, then apply."


@dataclass(frozen=True)
class EntryRow:
    """A table with its form; `refusals` explain why it was not saved.

    `undo` is the log entry that undoes the `saved` change. At `counts_at` an open report is
    confirmed automatically.
    """

    pairing: Pairing
    form: EntryForm
    refusals: tuple[str, ...] = ()
    saved: str = ""
    undo: int | None = None
    counts_at: datetime | None = None
    is_stale: bool = False

    @property
    def says(self) -> tuple[object, ...]:
        """Cache key: all data shown in the row."""
        match, round_ = self.pairing.match, self.pairing.round
        assert match is not None
        event = round_.stage.tournament
        # Choosing a faction changes the version of the event, but not of the match.
        version = event.hall_version if match.rule.has_roles else event.version
        table = self.pairing.table_number
        return match.pk, match.version, table, round_.is_closed, self.counts_at, version


def entry_row(
    pairing: Pairing,
    data: Any = None,
    saved: str = "",
    factions: Mapping[str, Faction] | None = None,
) -> EntryRow:
    """Return the row of a table, filled with the settled result or the latest report."""
    form = _form(pairing, data, factions)
    return EntryRow(pairing, form, saved=saved, counts_at=_counts_at(pairing))


def _form(
    pairing: Pairing, data: Any = None, factions: Mapping[str, Faction] | None = None
) -> EntryForm:
    assert pairing.match is not None
    return EntryForm(
        data,
        match=pairing.match,
        initial_result=latest_result(pairing.match),
        prefix=f"t{pairing.table_number}",
        in_a_row=True,
        factions=factions,
    )


def _counts_at(pairing: Pairing) -> datetime | None:
    assert pairing.match is not None
    round_ = pairing.round
    moments = (
        confirms_itself_at(round_.stage.tournament, round_, report)
        for report in pairing.match.reports.all()
    )
    return next((moment for moment in moments if moment is not None), None)


@staff_page(permissions.can_enter_results)
def result_entry(request: EventRequest, number: int) -> HttpResponse:
    """Show all tables of the round, or the rows alone with 304 while nothing has changed."""
    round_ = round_or_404(request, number)
    if not is_fragment(request) or round_.is_draft:
        return _page(request, round_)
    etag = f'"{queries.newest_log_id(request.event)}"'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    context = {"round": round_, "rows": _rows(round_), **_shape(round_), **row_cache(request)}
    response = desk_page(request, "tournaments/results/_result_rows.html", context)
    response["ETag"] = etag
    return response


def _page(
    request: EventRequest, round_: Round, refused: EntryRow | None = None, status: int = 200
) -> HttpResponse:
    if round_.is_draft:
        return redirect("tournaments:draft", slug=request.event.slug, number=round_.number)
    rows = _rows(round_, refused)
    waiting = sum(not row.pairing.match.is_settled for row in rows if row.pairing.match)
    context = {
        "round": round_,
        "clock": clocks.face(round_),
        "rows": rows,
        "waiting": waiting,
        "level_tables": elimination.undecided_tables(round_),
        **_shape(round_),
        **_codes(round_),
        **row_cache(request),
    }
    return desk_page(request, "tournaments/results/results.html", context, status=status)


def _rows(round_: Round, refused: EntryRow | None = None) -> list[EntryRow]:
    """Return a row for each table; `refused` replaces the row of its table."""
    has_roles = scoring_rule(round_.stage.scoring_rule).has_roles
    factions = None if has_roles else match_queries.factions()
    rows = [_untouched_row(pairing, factions) for pairing in tables_with_reports(round_)]
    return [refused if refused and refused.pairing == row.pairing else row for row in rows]


def _untouched_row(pairing: Pairing, factions: Mapping[str, Faction] | None) -> EntryRow:
    # Build the form lazily: most rows come from the template cache.
    form: Any = SimpleLazyObject(lambda: _form(pairing, factions=factions))
    return EntryRow(pairing, form, counts_at=_counts_at(pairing))


def _shape(round_: Round) -> dict[str, Any]:
    # The columns depend on the scoring rule.
    rule = scoring_rule(round_.stage.scoring_rule)
    return {"rule": rule, "columns": columns_of(round_.stage.tournament.game_played, rule)}


def _codes(round_: Round) -> dict[str, Any]:
    """Return the result codes that can be typed instead of filling in a row."""
    rule = scoring_rule(round_.stage.scoring_rule)
    fills = {keys: asdict(filled) for keys, filled in filled_in(rule).items()}
    return {"codes": codes_of(rule), "marks": marks_of(rule), "filled_in": fills}


@staff_page(permissions.can_enter_results, WRITE)
def enter(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Save the row of one table; a refused row is shown again with its input."""
    round_ = round_or_404(request, number)
    pairing = table_or_404(round_, table)
    row = entry_row(pairing, request.POST)
    if not row.form.is_valid():
        refused = EntryRow(pairing, row.form, tuple(row.form.contradictions))
        return row_or_page(request, refused, 422)
    if round_.is_closed and is_htmx(request):
        refused = EntryRow(pairing, row.form, (CLOSED_MEANWHILE,))
        return row_or_page(request, refused, 409)
    try:
        if preview := impact_page(request, pairing, row.form):
            return preview
        saved = record_decision(pairing, row.form, request.actor, seen_impact(request, pairing))
    except REFUSALS as refusal:
        refused = _refused(round_, table, request.POST, refusal)
        return row_or_page(request, refused, 409)
    entry = newest_result_entry(pairing)
    fresh = entry_row(table_or_404(round_, table), saved=saved)
    fresh = replace(fresh, undo=entry.pk if entry else None)
    if not is_htmx(request):
        messages.success(request, saved)
    return row_or_page(request, fresh, 200)


def record_decision(
    pairing: Pairing, form: EntryForm, actor: Actor, seen_impact: str | None = None
) -> str:
    """Save the form; return the change as text."""
    assert pairing.match is not None
    before = records.summary(records.settled_result(pairing.match))
    match = results.decide(
        pairing,
        form.result,
        actor,
        seen_version=form.cleaned_data["seen"],
        note=form.cleaned_data["note"],
        force=form.force,
        seen_impact=seen_impact,
        cited=form.cleaned_data.get("cited", ()),
    )
    after = records.summary(form.result)
    if before in ("no result", after):
        return f"Table {pairing.table_number}: {_points(match)}."
    return f"Table {pairing.table_number} was {before}. Now: {after}."


def _points(match: Match) -> str:
    seats = match.seats.select_related("player")
    return ", ".join(f"{seat.player.name} {seat.points}" for seat in seats)


def _refused(round_: Round, table: int, data: Any, refusal: Refusal) -> EntryRow:
    """Return the row with its input; a stale row has the new version, so saving it again works."""
    pairing = table_or_404(round_, table)
    assert pairing.match is not None
    if isinstance(refusal, StaleVersion):
        data = data.copy()
        data[f"t{table}-seen"] = str(pairing.match.version)
    form = entry_row(pairing, data).form
    return EntryRow(pairing, form, (str(refusal),), is_stale=isinstance(refusal, StaleVersion))


def row_or_page(request: EventRequest, row: EntryRow, status: int) -> HttpResponse:
    """Render the row alone for htmx; else the page, or a redirect to it after success."""
    round_ = round_or_404(request, row.pairing.round.number)
    if is_htmx(request):
        context = {**abilities(request), "row": row, "round": round_, "as_answer": True}
        context |= _shape(round_)
        with in_zone(request.event.time_zone):
            return render(request, ROW, context, status=status)
    if status == 200:
        page = reverse("tournaments:results", args=[request.event.slug, round_.number])
        return redirect(f"{page}#table-{row.pairing.table_number}")
    return _page(request, round_, row, status)


def seen_impact(request: HttpRequest, pairing: Pairing) -> str | None:
    """Return the mark of the impact the user saw; None while the round is still played."""
    return request.POST.get(MARK, "") if pairing.round.is_closed else None


def impact_page(request: EventRequest, pairing: Pairing, form: EntryForm) -> HttpResponse | None:
    """Return the page with the impact of the valid form; None once the user has seen it.

    Does not check for results changed since: the service refuses them.
    """
    match = form.match
    if not pairing.round.is_closed or form.cleaned_data["seen"] != match.version:
        return None
    touched, seen = impact(pairing, form.result), request.POST.get(MARK)
    recorded = records.settled_result(match)
    wants_reason = results.wants_reason(pairing, recorded, form.result)
    note = form.reason() if wants_reason else form["note"]
    lacks_reason = wants_reason and not form.cleaned_data["note"]
    if seen == touched.mark and not lacks_reason:
        return None
    if seen is not None:
        messages.warning(request, SAY_WHY if seen == touched.mark else LOOK_AGAIN)
    context = {
        "pairing": pairing,
        "match": match,
        "impact": touched,
        "note": note,
        "before": result_in_words(match, recorded),
        "after": result_in_words(match, records.with_losses(match, form.result)),
        "kept": typed_before(request.POST, MARK, note.html_name),
    }
    status = HTTPStatus.OK if seen is None else HTTPStatus.CONFLICT
    return desk_page(request, "tournaments/results/impact.html", context, status=status)
