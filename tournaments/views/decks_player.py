"""Hand in a deck: paste, check, save, lock."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from decks import services as deck_services
from decks.legality.verdict import Verdict
from decks.models import Side
from tournaments import queries
from tournaments.actors import Actor
from tournaments.forms.player import DeckForm
from tournaments.models import DeckSubmission, Registration, Tournament
from tournaments.services import decks
from tournaments.views.access import registration_or_404
from tournaments.views.behind import told


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def deck(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """The player's list of one side, with the verdict on every line.

    `do=save` keeps what was typed; anything else only checks it.
    """
    side_ = _side_or_404(side)
    registration, actor = registration_or_404(request, slug)
    submission = queries.submissions_of(registration).get(side_)
    kept = submission.version.text if submission else ""
    form = DeckForm(request.POST or None, initial={"text": kept})
    text, is_saving = kept, False
    if request.method == "POST" and form.is_valid():
        text, is_saving = form.cleaned_data["text"], request.POST.get("do") == "save"
    verdict: Verdict | None = None
    with told(request, deck_services.NoCards):
        if is_saving and _save(request, registration, side_, text, actor):
            return redirect("tournaments:deck", slug, side)
        verdict = decks.verdict(registration.tournament, side_, text) if text else None
    context = {
        **_context(registration.tournament, side_, submission),
        "form": form,
        "is_kept": text == kept and bool(kept),
        "verdict": verdict,
    }
    return render(request, "tournaments/player/deck.html", context)


def _context(
    tournament: Tournament, side: Side, submission: DeckSubmission | None
) -> dict[str, Any]:
    return {
        "tournament": tournament,
        "here": "me",
        "is_playing": True,
        "side": side,
        "other": Side.RUNNER if side is Side.CORP else Side.CORP,
        "submission": submission,
        "is_locked": bool(submission and submission.locked_at) or bool(tournament.decks_locked_at),
        "rules": decks.deck_rules(tournament),
    }


def _save(
    request: HttpRequest, registration: Registration, side: Side, text: str, actor: Actor
) -> bool:
    """Whether the list was kept; a refusal is told, and what was typed stays on the page."""
    with told(request, decks.DeckIsLocked) as answer:
        submission = decks.hand_in(registration, side, text, actor)
        _tell_saved(request, submission)
    return answer.refusal is None


def _tell_saved(request: HttpRequest, submission: DeckSubmission) -> None:
    if submission.version.is_legal:
        messages.success(request, "Saved. The list is legal: lock it when you are done.")
    else:
        messages.warning(
            request,
            "Saved as a draft: the list breaks a rule, so it cannot be locked yet. "
            "What is to mend is marked below.",
        )


@never_cache
@require_POST
def deck_lock(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """Fix the saved list of one side."""
    side_ = _side_or_404(side)
    registration, actor = registration_or_404(request, slug)
    submission = get_object_or_404(registration.deck_submissions, side=side_)
    submission.registration = registration
    with told(request, decks.DeckNotLegal):
        decks.lock(submission, actor)
        messages.success(request, f"Your {side_.label} deck is locked.")
    return redirect("tournaments:deck", slug, side)


def _side_or_404(side: str) -> Side:
    if side not in Side.values:
        raise Http404("A deck is a Corp or a Runner deck.")
    return Side(side)
