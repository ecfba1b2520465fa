"""Add a pasted or uploaded list of players after a preview."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from core.rate_limits import lists_limited
from core.text import counted
from core.uploads import status_of
from tournaments.event import permissions, queries
from tournaments.models import Tournament, log_actions
from tournaments.registration.forms import LAYOUT_LABELS, NAMES, USE_LABELS, ListForm
from tournaments.registration.roster_plan import Action, PlannedEntry, preview
from tournaments.registration.services import rosters
from tournaments.registration.services.registrations import OrderIsFixed
from tournaments.registration.services.rosters import LONGEST_REASON, NewEntry, RosterHasChanged
from tournaments.rounds.services.late_entries import TooLate
from tournaments.web.views.access import EventRequest
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    RefusalsShown,
    desk_page,
    seen_id,
    staff_page,
)


@lists_limited
@staff_page(permissions.can_run, READ + WRITE)
def roster_list(request: EventRequest, kind: str) -> HttpResponse:
    """Enter a list: names or a table with column titles, selected by `kind`.

    With `edit` the submitted text returns to the form.
    """
    form = ListForm(request.POST or None, request.FILES or None, initial={"kind": kind})
    status = HTTPStatus.OK
    if "edit" in request.POST:
        form = ListForm(initial={"kind": kind, "text": request.POST.get("text", "")})
    elif request.method == "POST":
        if form.is_valid():
            return _preview(request, form)
        status = status_of(form)
    context = {"form": form, "kind": kind}
    return desk_page(request, "tournaments/registration/roster_list.html", context, status=status)


def _plan(tournament: Tournament, form: ListForm) -> list[PlannedEntry]:
    existing = tournament.registrations.values_list("number", "player__name")
    return preview(form.cleaned_data["roster"], existing)


@dataclass(frozen=True)
class PreviewLine:
    """A preview line with the organiser's choices so far.

    `answer` is the choice for a similar name: "add" for a different player, "skip", or "" if open.
    """

    entry: PlannedEntry
    is_ticked: bool
    answer: str
    typed_name: str


def _preview(
    request: EventRequest,
    form: ListForm,
    taken: Container[object] | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Render each line with its planned action; `taken` are the ticked lines, None at first."""
    event = request.event
    roster, plan, names = form.cleaned_data["roster"], _plan(event, form), form.typed_names
    actions = [entry.action for entry in plan]
    lines = [
        PreviewLine(
            entry,
            entry.action == Action.ADD if taken is None else entry.line.line in taken,
            request.POST.get(f"similar-{entry.line.line}", ""),
            names.get(entry.line.line, ""),
        )
        for entry in plan
    ]
    context: dict[str, Any] = {
        "lines": lines,
        "kind": form.cleaned_data["kind"],
        "text": form.cleaned_data["text"],
        "layout": roster.layout,
        "layouts": LAYOUT_LABELS,
        "columns": roster.columns,
        "uses": USE_LABELS.items(),
        "notices": roster.notices,
        "adding": actions.count(Action.ADD),
        "similar": actions.count(Action.SIMILAR),
        "duplicates": sum(action.is_duplicate for action in actions),
        "payers": sum(entry.marks_paid(()) for entry in plan),
        "unusable": actions.count(Action.INVALID) + actions.count(Action.HEADING),
        "seen": queries.newest_log_id(event, log_actions.ROSTER_CHANGES),
        "next_round": queries.next_round_number(event),
        "is_too_late": queries.is_too_late(event),
    }
    return desk_page(request, "tournaments/registration/roster_preview.html", context, status)


@lists_limited
@staff_page(permissions.can_run, WRITE)
def roster_apply(request: EventRequest) -> HttpResponse:
    """Add the ticked lines of the preview, and similar names marked as different players.

    A repeated click adds no duplicates: the roster has changed since, so the preview is shown
    again.
    """
    form = ListForm(request.POST)
    if not form.is_valid():
        context = {"form": form, "kind": request.POST.get("kind", NAMES)}
        return desk_page(request, "tournaments/registration/roster_list.html", context, status=422)
    plan = _plan(request.event, form)
    taken = {entry.line.line for entry in plan if f"take-{entry.line.line}" in request.POST}
    # Lines with a newly typed name had no checkbox and are always added.
    taken |= {
        entry.line.line
        for entry in plan
        if entry.action == Action.ADD and form.typed_names.get(entry.line.line)
    }
    if problem := _unanswered(request, plan, form):
        messages.error(request, problem)
        return _preview(request, form, taken, status=422)
    taken |= {
        entry.line.line
        for entry in plan
        if entry.action == Action.SIMILAR and request.POST[f"similar-{entry.line.line}"] == "add"
    }
    untaken = {entry.line.line for entry in plan} - taken
    wanted = [entry.line for entry in plan if entry.is_wanted(taken, untaken)]
    payers = [entry.existing_id or 0 for entry in plan if entry.marks_paid(taken)]
    if not wanted and not payers:
        messages.error(request, "No line is ticked. Tick the players to add.")
        return _preview(request, form, taken, status=422)
    with RefusalsShown(request, RosterHasChanged, OrderIsFixed, TooLate):
        added = rosters.add_entries(
            request.event,
            [NewEntry.of_line(line) for line in wanted],
            request.actor,
            seen=seen_id(request) or 0,
            payers=payers,
            late_reason=request.POST.get("late_reason", "").strip()[:LONGEST_REASON],
        )
        messages.success(request, _outcome(len(added), len(plan) - len(added)))
        return redirect("tournaments:roster", slug=request.event.slug)
    return _preview(request, form, taken)


def _unanswered(request: HttpRequest, plan: Iterable[PlannedEntry], form: ListForm) -> str:
    """Return the first open question or error, or ""."""
    for entry in plan:
        number, line = entry.line.line, entry.line
        is_left_out = entry.action == Action.INVALID or (
            entry.action.is_duplicate and f"take-{number}" not in request.POST
        )
        if entry.action == Action.SIMILAR and f"similar-{number}" not in request.POST:
            return f"Line {number}: is {line.name} a different person? Choose an answer."
        # Never skip a newly typed name silently.
        if is_left_out and form.typed_names.get(number):
            return f"Line {number}: {entry.reason}"
    return ""


def _outcome(added: int, skipped: int) -> str:
    """For example "8 players added, 2 lines skipped"."""
    done = f"{counted(added, 'player')} added"
    return f"{done}, {counted(skipped, 'line')} skipped." if skipped else f"{done}."
