"""The clock started, the round closed, and the close taken back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.drafts import RoundStillOpen
from tournaments.forms.staff import ReasonForm
from tournaments.models import Tournament
from tournaments.services import rounds
from tournaments.views.access import round_or_404
from tournaments.views.behind import WRITE, staff_page, told, typed


@staff_page(permissions.can_run, WRITE)
def start(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """The clock runs for everybody."""
    with told(request, rounds.WrongState, rounds.NotADraft):
        rounds.start(round_or_404(tournament, actor, number), actor)
    return redirect("tournaments:desk", slug=tournament.slug)


@staff_page(permissions.can_run, WRITE)
def close(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """The results are fixed and the standings computed."""
    with told(request, rounds.ResultsMissing, rounds.WrongState, rounds.NotADraft):
        rounds.close(round_or_404(tournament, actor, number), actor)
        messages.success(request, f"Round {number} is closed.")
    return redirect("tournaments:desk", slug=tournament.slug)


@staff_page(permissions.can_run, WRITE)
def reopen_round(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Take back the close of the last round, with a reason for the log."""
    with told(request, RoundStillOpen):
        said = typed(ReasonForm(request.POST), "Say why the round is opened again.")
        rounds.reopen(round_or_404(tournament, actor, number), actor, said["reason"])
        messages.success(request, f"Round {number} is open again.")
    return redirect("tournaments:desk", slug=tournament.slug)
