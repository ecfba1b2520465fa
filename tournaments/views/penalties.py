"""The penalties of an event: listed, and taken back. Judges alone see them."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.forms.penalties import WithdrawForm
from tournaments.forms.penalty_filter import PenaltyFilter
from tournaments.models import Tournament
from tournaments.queries import penalties as queries
from tournaments.services import penalties as services
from tournaments.services.registrations import OrderIsFixed
from tournaments.sheets import penalties as sheets
from tournaments.views.behind import READ, WRITE, desk_page, staff_page, told
from tournaments.views.once import once

REFUSALS = (
    services.AlreadyWithdrawn,
    services.CannotApply,
    services.NotForThisJudge,
    services.ReasonMissing,
    OrderIsFixed,
)


@staff_page(permissions.can_judge)
def penalties(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """All penalties, those that stand first, or those looked for."""
    given = list(queries.of_event(tournament))
    form = PenaltyFilter(request.GET, given)
    context = {
        "form": form,
        "lines": sheets.lines(form.chosen()),
        "given": len(given),
        "waiting": [one for one in given if one.waits],
    }
    return desk_page(request, tournament, actor, "penalties.html", context)


@once
@staff_page(permissions.can_judge, READ + WRITE)
def withdraw(request: HttpRequest, tournament: Tournament, actor: Actor, pk: int) -> HttpResponse:
    """Say what taking it back brings, then take it back, with a reason."""
    penalty = get_object_or_404(queries.of_event(tournament), pk=pk)
    form = WithdrawForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with told(request, *REFUSALS):
            services.withdraw(penalty, actor, form.cleaned_data["reason"])
            messages.success(request, f"Taken back: {penalty}.")
        page = reverse("tournaments:penalties", args=[tournament.slug])
        return redirect(f"{page}#penalty-{penalty.pk}")
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    tables = list(sheets.tables_of(penalty.registration).values())
    context = {
        "form": form,
        "penalty": penalty,
        "effect": sheets.brought_back(penalty, tables),
    }
    return desk_page(request, tournament, actor, "penalty_withdraw.html", context, status)
