"""Decks locked and opened by the staff, one or all, and shown to everybody."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.forms.staff import ReasonForm
from tournaments.models import DeckSubmission, Tournament
from tournaments.services import decks
from tournaments.views.behind import WRITE, staff_page, told, typed
from tournaments.views.deck_lists import side_or_404


def _deck_or_404(tournament: Tournament, number: int, side: str) -> DeckSubmission:
    return get_object_or_404(
        DeckSubmission.objects.select_related("registration__player", "registration__tournament"),
        registration__tournament=tournament,
        registration__number=number,
        side=side_or_404(side),
    )


@staff_page(permissions.can_judge, WRITE)
def deck_lock_of(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int, side: str
) -> HttpResponse:
    """Fix the list of a player as it is."""
    submission = _deck_or_404(tournament, number, side)
    with told(request):
        decks.lock_by_staff(submission, actor)
        messages.success(request, f"{submission} is locked.")
    return redirect("tournaments:deck_of", tournament.slug, number, side)


@staff_page(permissions.can_judge, WRITE)
def deck_unlock(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int, side: str
) -> HttpResponse:
    """Let the player change a locked list; the reason goes into the log."""
    submission = _deck_or_404(tournament, number, side)
    with told(request, decks.DeckIsLocked):
        said = typed(ReasonForm(request.POST), "Say why the deck may be changed.")
        decks.unlock(submission, actor, said["reason"])
        messages.success(request, f"{submission} can be changed again.")
    return redirect("tournaments:deck_of", tournament.slug, number, side)


@staff_page(permissions.can_run, WRITE)
def lock_all(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """From now on only the staff change lists."""
    with told(request):
        decks.lock_all(tournament, actor)
        messages.success(request, "All decks are locked. Only the staff change lists now.")
    return redirect("tournaments:deck_check", tournament.slug)


@staff_page(permissions.can_run, WRITE)
def reopen_all(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Let the players change their lists again; the reason goes into the log."""
    with told(request, decks.DeckIsLocked):
        said = typed(ReasonForm(request.POST), "Say why the decks may be changed again.")
        decks.reopen_all(tournament, actor, said["reason"])
        messages.success(request, "Players can change their lists again.")
    return redirect("tournaments:deck_check", tournament.slug)


@staff_page(permissions.can_run, WRITE)
def reveal(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Show all decks to everybody, or hide them again, as `revealed` (yes or no) says."""
    revealed = request.POST.get("revealed") == "yes"
    decks.set_revealed(tournament, actor, revealed=revealed)
    messages.success(request, "Everybody sees the decks." if revealed else "The decks are hidden.")
    return redirect("tournaments:deck_check", slug=tournament.slug)
