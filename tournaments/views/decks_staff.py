"""Deck lists behind the desk: who has handed in what, and is it legal."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from decks import services as deck_services
from decks.legality.verdict import Verdict
from decks.models import Side
from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.forms.staff import ReasonForm
from tournaments.models import DeckSubmission, Tournament
from tournaments.services import decks
from tournaments.views.behind import desk_page, staff_page, told


@require_safe
@staff_page(permissions.can_judge)
def deck_check(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """A line for each player, with both decks."""
    rows = []
    for entry in queries.roster(tournament):
        by_side = {deck.side: deck for deck in entry.deck_submissions.all()}
        rows.append((entry, [(side, by_side.get(side.value)) for side in Side]))
    handed_in = [deck for _, decks_of in rows for _, deck in decks_of if deck is not None]
    context = {
        "rows": rows,
        "handed_in": len(handed_in),
        "wanted": len(rows) * len(Side),
        "locked": sum(deck.locked_at is not None for deck in handed_in),
        "illegal": sum(not deck.version.is_legal for deck in handed_in),
    }
    return desk_page(request, tournament, actor, "deck_check.html", context)


def _deck_or_404(tournament: Tournament, number: int, side: str) -> DeckSubmission:
    if side not in Side.values:
        raise Http404("A deck is a corp or a runner deck.")
    decks_here = DeckSubmission.objects.filter(registration__tournament=tournament)
    return get_object_or_404(
        decks_here.select_related("registration__player", "registration__tournament", "version"),
        registration__number=number,
        side=side,
    )


@require_safe
@staff_page(permissions.can_judge)
def deck_of(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int, side: str
) -> HttpResponse:
    """One list with the verdict on each line, judged anew by the rules of the event."""
    submission = _deck_or_404(tournament, number, side)
    verdict: Verdict | None = None
    with told(request, deck_services.NoCards):
        verdict = decks.verdict(tournament, Side(side), submission.version.text)
    context = {"submission": submission, "verdict": verdict, "reason_form": ReasonForm()}
    return desk_page(request, tournament, actor, "deck_of.html", context)


@require_POST
@staff_page(permissions.can_judge)
def deck_unlock(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int, side: str
) -> HttpResponse:
    """Let the player change a locked list; the reason goes into the log."""
    submission = _deck_or_404(tournament, number, side)
    form = ReasonForm(request.POST)
    if form.is_valid():
        with told(request, decks.DeckIsLocked):
            decks.unlock(submission, actor, form.cleaned_data["reason"])
            messages.success(request, f"{submission} can be changed again.")
    else:
        messages.error(request, "Say why the deck may be changed.")
    places = [tournament.slug, number, side]
    return redirect(reverse("tournaments:deck_of", args=places))


@require_POST
@staff_page(permissions.can_run)
def reveal(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Show all decks to everybody, or hide them again, as `revealed` (yes or no) says."""
    revealed = request.POST.get("revealed") == "yes"
    decks.set_revealed(tournament, actor, revealed=revealed)
    messages.success(request, "Everybody sees the decks." if revealed else "The decks are hidden.")
    return redirect("tournaments:deck_check", slug=tournament.slug)
