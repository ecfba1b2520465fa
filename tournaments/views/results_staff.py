"""Results entered by staff, a line for each table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from core.errors import Refusal, StaleVersion
from matches import queries as match_queries
from matches import records
from matches.scoring import Faction, scoring_rule
from matches.services import ImpossibleResult
from tournaments import elimination, permissions
from tournaments.actors import Actor
from tournaments.forms.entry import EntryForm
from tournaments.forms.questions import columns_of
from tournaments.history import EventIsFinished
from tournaments.models import Pairing, Round, Tournament
from tournaments.services import results
from tournaments.services.results import NotPlayable
from tournaments.sheets.results import last_told, tables_with_results
from tournaments.views.access import round_or_404, table_or_404
from tournaments.views.behind import abilities, desk_page, staff_page


@dataclass(frozen=True)
class EntryRow:
    """One table with its form; `refusals` say why it was not saved."""

    pairing: Pairing
    form: EntryForm
    refusals: tuple[str, ...] = ()
    saved: str = ""
    is_stale: bool = False


def entry_row(
    pairing: Pairing,
    data: Any = None,
    saved: str = "",
    factions: Mapping[str, Faction] | None = None,
) -> EntryRow:
    """The row of a table, filled with what is settled or was told last."""
    assert pairing.match is not None
    form = EntryForm(
        data,
        match=pairing.match,
        told=last_told(pairing.match),
        prefix=f"t{pairing.table_number}",
        in_a_row=True,
        factions=factions,
    )
    return EntryRow(pairing, form, saved=saved)


@require_safe
@staff_page(permissions.can_enter_results)
def result_entry(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Every table of the round on one page."""
    return _page(request, tournament, actor, round_or_404(tournament, actor, number))


def _page(
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    round_: Round,
    refused: EntryRow | None = None,
    status: int = 200,
) -> HttpResponse:
    if round_.is_draft:
        return redirect("tournaments:draft", slug=tournament.slug, number=round_.number)
    has_roles = scoring_rule(round_.stage.scoring_rule).has_roles
    factions = None if has_roles else match_queries.factions()
    rows = [
        refused if refused and refused.pairing == pairing else entry_row(pairing, factions=factions)
        for pairing in tables_with_results(round_)
    ]
    waiting = sum(not row.form.match.is_settled for row in rows)
    context = {
        "round": round_,
        "rows": rows,
        "waiting": waiting,
        "level_tables": elimination.tables_without_a_word(round_),
        **_shape(round_),
    }
    return desk_page(request, tournament, actor, "results.html", context, status=status)


def _shape(round_: Round) -> dict[str, Any]:
    """What the rows of a round look like: that is a matter of the scoring rule."""
    rule = scoring_rule(round_.stage.scoring_rule)
    return {"rule": rule, "columns": columns_of(rule)}


@require_POST
@staff_page(permissions.can_enter_results)
def enter(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int, table: int
) -> HttpResponse:
    """One table from its row: saved, or refused with what was typed still there."""
    round_ = round_or_404(tournament, actor, number)
    pairing = table_or_404(round_, table)
    row = entry_row(pairing, request.POST)
    if not row.form.is_valid():
        refused = EntryRow(pairing, row.form, tuple(row.form.contradictions))
        return _row_or_page(request, tournament, actor, refused, 422)
    try:
        saved = decide(pairing, row.form, actor)
    except (StaleVersion, ImpossibleResult, NotPlayable, EventIsFinished) as refusal:
        refused = _refused(round_, table, request.POST, refusal)
        return _row_or_page(request, tournament, actor, refused, 409)
    fresh = entry_row(table_or_404(round_, table), saved=saved)
    if not getattr(request, "htmx", False):
        messages.success(request, saved)
    return _row_or_page(request, tournament, actor, fresh, 200)


def decide(pairing: Pairing, form: EntryForm, actor: Actor) -> str:
    """Record what the form holds; answers in words what changed."""
    assert pairing.match is not None
    before = records.summary(records.settled_result(pairing.match))
    results.decide(
        pairing,
        form.result,
        actor,
        seen_version=form.cleaned_data["seen"],
        note=form.cleaned_data["note"],
        force=form.force,
    )
    after = records.summary(form.result)
    if before in ("no result", after):
        return f"Table {pairing.table_number}: {after}."
    return f"Table {pairing.table_number} was {before}. Now: {after}."


def _refused(round_: Round, table: int, data: Any, refusal: Refusal) -> EntryRow:
    """The row with what was typed. A stale one carries the new version: saved again, it counts."""
    pairing = table_or_404(round_, table)
    assert pairing.match is not None
    if isinstance(refusal, StaleVersion):
        data = data.copy()
        data[f"t{table}-seen"] = str(pairing.match.version)
    form = entry_row(pairing, data).form
    return EntryRow(pairing, form, (str(refusal),), is_stale=isinstance(refusal, StaleVersion))


def _row_or_page(
    request: HttpRequest, tournament: Tournament, actor: Actor, row: EntryRow, status: int
) -> HttpResponse:
    round_ = round_or_404(tournament, actor, row.pairing.round.number)
    if getattr(request, "htmx", False):
        context = {**abilities(tournament, actor), "row": row, "round": round_, "as_answer": True}
        context |= _shape(round_)
        return render(request, "tournaments/staff/_result_row.html", context, status=status)
    if status == 200:
        page = reverse("tournaments:results", args=[tournament.slug, round_.number])
        return redirect(f"{page}#table-{row.pairing.table_number}")
    return _page(request, tournament, actor, round_, row, status)
