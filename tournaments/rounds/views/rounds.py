"""Staff pages to run rounds, their clocks and the stages."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from core.form_fields import whole_number
from core.text import counted
from tournaments.event import permissions, queries
from tournaments.models import Pairing, Round, Tournament
from tournaments.rounds.drafts.making import RoundStillOpen
from tournaments.rounds.forms import MOST_AT_ONCE, MinutesForm, TableMinutesForm
from tournaments.rounds.pages.clocks import controls
from tournaments.rounds.pages.stages import stage_lines
from tournaments.rounds.services import clock, rounds
from tournaments.web.views.access import EventRequest, round_or_404
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    ReasonForm,
    RefusalsShown,
    cleaned,
    desk_page,
    staff_page,
)

REFUSALS = (rounds.WrongState, rounds.NotADraft, clock.ClockMoved, clock.OutOfMeasure)
HOW_MANY = f"Say how many minutes: a whole number from 1 to {MOST_AT_ONCE}."


@staff_page(permissions.can_run, WRITE)
def start(request: EventRequest, number: int) -> HttpResponse:
    with RefusalsShown(request, rounds.WrongState, rounds.NotADraft):
        rounds.start(round_or_404(request, number), request.actor)
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(permissions.can_run, WRITE)
def close(request: EventRequest, number: int) -> HttpResponse:
    with RefusalsShown(request, rounds.ResultsMissing, rounds.WrongState, rounds.NotADraft):
        round_ = round_or_404(request, number)
        rounds.close(round_, request.actor)
        messages.success(request, _("You closed %(round)s.") % {"round": round_.in_sentence})
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(permissions.can_run, WRITE)
def reopen_round(request: EventRequest, number: int) -> HttpResponse:
    """Reopen the last round with a reason for the log."""
    with RefusalsShown(request, RoundStillOpen, rounds.NotADraft):
        said = cleaned(ReasonForm(request.POST), "Say why the round is opened again.")
        round_ = round_or_404(request, number)
        rounds.reopen(round_, request.actor, said["reason"])
        messages.success(request, _("You reopened %(round)s.") % {"round": round_.in_sentence})
    return redirect("tournaments:desk", slug=request.event.slug)


@staff_page(permissions.can_run, WRITE)
def pause(request: EventRequest, number: int) -> HttpResponse:
    with RefusalsShown(request, *REFUSALS):
        clock.pause(round_or_404(request, number), request.actor)
    return _desk(request.event)


@staff_page(permissions.can_run, WRITE)
def resume(request: EventRequest, number: int) -> HttpResponse:
    seen = whole_number(request.POST.get("seen", ""), 18)
    with RefusalsShown(request, *REFUSALS):
        clock.resume(round_or_404(request, number), request.actor, seen)
    return _desk(request.event)


@staff_page(permissions.can_run, WRITE)
def add(request: EventRequest, number: int) -> HttpResponse:
    """Add minutes for the whole room, or take them away."""
    round_ = round_or_404(request, number)
    with RefusalsShown(request, *REFUSALS):
        said = cleaned(MinutesForm(request.POST), HOW_MANY)
        minutes = said["minutes"]
        clock.add(round_, minutes, request.actor, said["seen"])
        done = "added" if minutes > 0 else "taken"
        messages.success(request, f"{counted(abs(minutes), 'minute')} {done}: {round_.name}.")
    return _desk(request.event)


@once
@staff_page(permissions.can_judge, READ + WRITE)
def add_to_table(request: EventRequest, number: int) -> HttpResponse:
    """Add minutes for one table; `?table=` fills in its number."""
    round_ = round_or_404(request, number)
    if request.method != "POST":
        form = TableMinutesForm(initial={"table": request.GET.get("table")})
        return _table_page(request, round_, form)
    form = TableMinutesForm(request.POST)
    pairing = _table_of(round_, form)
    if pairing is None:
        return _table_page(request, round_, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    minutes, table = form.cleaned_data["minutes"], pairing.table_number
    with RefusalsShown(request, *REFUSALS):
        clock.add_to_table(
            pairing, minutes, request.actor, form.cleaned_data["reason"], form.cleaned_data["seen"]
        )
        done = "more for" if minutes > 0 else "taken from"
        messages.success(request, f"{counted(abs(minutes), 'minute')} {done} table {table}.")
    return _desk(request.event)


def _table_of(round_: Round, form: TableMinutesForm) -> Pairing | None:
    """Return the table with the typed number; add a form error if there is none."""
    if not form.is_valid():
        return None
    tables = queries.pairings_by_table(round_).filter(table_number=form.cleaned_data["table"])
    pairing = tables.first()
    if pairing is None:
        form.add_error("table", "This round has no such table.")
        return None
    pairing.round = round_
    return pairing


def _table_page(
    request: EventRequest, round_: Round, form: TableMinutesForm, status: int = HTTPStatus.OK
) -> HttpResponse:
    context = {"round": round_, "form": form, "controls": controls(round_)}
    return desk_page(request, "tournaments/rounds/clock_table.html", context, status)


def _desk(tournament: Tournament) -> HttpResponse:
    return redirect(reverse("tournaments:desk", args=[tournament.slug]) + "#clock")


@staff_page(permissions.can_open_desk)
def stages(request: EventRequest) -> HttpResponse:
    latest = queries.latest_round(request.event)
    can_stop = latest is not None and latest.is_closed and not request.event.is_finished
    context = {"lines": stage_lines(request.event), "can_stop": can_stop}
    return desk_page(request, "tournaments/rounds/stages.html", context)
