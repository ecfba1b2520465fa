"""A list of players, pasted or uploaded: first what would happen, then it happens."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from core.form_fields import whole_number
from core.uploads import status_of
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Tournament, log_actions
from tournaments.registration.forms import NAMES, ListForm
from tournaments.registration.roster_plan import Action, PlannedEntry, preview
from tournaments.registration.services import rosters
from tournaments.registration.services.registrations import OrderIsFixed
from tournaments.registration.services.rosters import LONGEST_REASON, NewEntry, RosterHasChanged
from tournaments.rounds.services.late_entries import TooLate
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    RefusalsShown,
    desk_page,
    seen_id,
    staff_page,
)


@staff_page(permissions.can_run, READ + WRITE)
def roster_list(
    request: HttpRequest, tournament: Tournament, actor: Actor, kind: str
) -> HttpResponse:
    """Names, one to a line, or a table with a line of column names, as `kind` says.

    With `edit` the text of a list comes back to be changed.
    """
    form = ListForm(request.POST or None, request.FILES or None, initial={"kind": kind})
    status = HTTPStatus.OK
    if "edit" in request.POST:
        form = ListForm(initial={"kind": kind, "text": request.POST.get("text", "")})
    elif request.method == "POST":
        if form.is_valid():
            return _preview(request, tournament, actor, form)
        status = status_of(form)
    context = {"form": form, "kind": kind}
    return desk_page(
        request,
        tournament,
        actor,
        "tournaments/registration/roster_list.html",
        context,
        status=status,
    )


def _plan(tournament: Tournament, form: ListForm) -> list[PlannedEntry]:
    existing = tournament.registrations.values_list("number", "player__name")
    return preview(form.cleaned_data["roster"], existing)


def _preview(
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    form: ListForm,
    ticked: Sequence[str] = (),
) -> HttpResponse:
    plan = _plan(tournament, form)
    actions = [entry.action for entry in plan]
    context: dict[str, Any] = {
        "plan": plan,
        "kind": form.cleaned_data["kind"],
        "text": form.cleaned_data["text"],
        "notices": form.cleaned_data["roster"].notices,
        "adding": actions.count(Action.ADD),
        "duplicates": sum(action.is_duplicate for action in actions),
        "payers": sum(entry.marks_paid(()) for entry in plan),
        "unusable": actions.count(Action.INVALID),
        "ticked": list(ticked),
        "seen": queries.newest_log_id(tournament, log_actions.ROSTER_CHANGES),
        "next_round": queries.next_round_number(tournament),
        "is_too_late": queries.is_too_late(tournament),
    }
    return desk_page(
        request, tournament, actor, "tournaments/registration/roster_preview.html", context
    )


@staff_page(permissions.can_run, WRITE)
def roster_apply(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Do what the preview said. Duplicates come in only where they were ticked.

    The same click sent twice adds nobody twice: the roster has changed since,
    so the preview is shown again.
    """
    form = ListForm(request.POST)
    if not form.is_valid():
        context = {"form": form, "kind": request.POST.get("kind", NAMES)}
        return desk_page(
            request,
            tournament,
            actor,
            "tournaments/registration/roster_list.html",
            context,
            status=422,
        )
    ticked = request.POST.getlist("also")
    plan = _plan(tournament, form)
    also = {whole_number(line, 5) for line in ticked}
    entries = [NewEntry.of_line(planned.line) for planned in plan if planned.is_wanted(also)]
    with RefusalsShown(request, RosterHasChanged, OrderIsFixed, TooLate):
        added = rosters.add_entries(
            tournament,
            entries,
            actor,
            seen=seen_id(request) or 0,
            payers=[one.existing_id or 0 for one in plan if one.marks_paid(also)],
            late_reason=request.POST.get("late_reason", "").strip()[:LONGEST_REASON],
        )
        messages.success(request, _outcome(len(added), len(plan) - len(added)))
        return redirect("tournaments:roster", slug=tournament.slug)
    return _preview(request, tournament, actor, form, ticked)


def _outcome(added: int, left_out: int) -> str:
    return f"Added: {added}." + (f" Left out: {left_out}." if left_out else "")
