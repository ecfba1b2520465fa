"""Hand in a deck: give the list, check it, save it, lock it; and everything handed in before."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import StaleVersion
from decks.models import Side
from tournaments.decklists import queries as deck_queries
from tournaments.decklists.forms import DeckForm
from tournaments.decklists.pages.deck_rules import deck_rules_in_words
from tournaments.decklists.pages.seeing import seeing
from tournaments.decklists.services import decks
from tournaments.decklists.views import deck_lists
from tournaments.decklists.views.deck_pages import export_links
from tournaments.event.actors import Actor
from tournaments.models import DeckSubmission, Registration
from tournaments.web.views.access import registration_or_404
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import in_zone, told


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@once
def deck(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """The player's list of one side, with the verdict on every line.

    `do=save` keeps what was given; anything else only checks it.
    """
    side_ = deck_lists.side_or_404(side)
    registration, actor = registration_or_404(request, slug)
    submission = deck_queries.submissions_of(registration).get(side_)
    kept = submission.version.text if submission else ""
    keep = _keeping(request, registration, side_, actor)
    given = deck_lists.typed_list(request, registration.tournament, side_, kept, DeckForm, keep)
    if given.received:
        deck_lists.tell_received(request, registration.tournament, given.received)
        return redirect("tournaments:deck", slug, side)
    is_kept = given.text == kept and bool(kept)
    shared = _context(registration, side_, submission)
    context = {
        **shared,
        "seen": deck_lists.seen_next(request, given, shared["seen"]),
        "form": given.form,
        "is_kept": is_kept,
        "verdict": given.verdict,
        "deck": given.deck,
        "deck_exports": export_links(registration, side) if is_kept else [],
        "rules": deck_rules_in_words(registration.tournament),
        "seeing": seeing(registration.tournament),
    }
    return _page(request, registration, "tournaments/decklists/deck.html", context, given.status)


def _keeping(
    request: HttpRequest, registration: Registration, side: Side, actor: Actor
) -> deck_lists.Keep:
    def keep(form: DeckForm) -> decks.Received:
        seen = deck_lists.seen_receipt(request)
        return decks.receive(registration, side, form.source_text(), actor, seen=seen)

    return keep


def _context(
    registration: Registration, side: Side, submission: DeckSubmission | None
) -> dict[str, Any]:
    tournament = registration.tournament
    lock = deck_queries.deck_lock(tournament, submission)
    receipts = list(deck_queries.receipts_of(submission))
    return {
        "tournament": tournament,
        "here": "me",
        "is_playing": True,
        "side": side,
        "other": Side.RUNNER if side is Side.CORP else Side.CORP,
        "submission": submission,
        "lock": lock,
        "is_locked": lock is not None or tournament.is_finished,
        "receipts": receipts,
        "seen": receipts[0].number if receipts else 0,
    }


def _page(
    request: HttpRequest,
    registration: Registration,
    template: str,
    context: dict[str, Any],
    status: int = 200,
) -> HttpResponse:
    # Stamps and the deadline are told in the zone of the event.
    with in_zone(registration.tournament.time_zone):
        return render(request, template, context, status=status)


@never_cache
@require_POST
@once
def deck_lock(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """Fix the saved list of one side."""
    side_ = deck_lists.side_or_404(side)
    registration, actor = registration_or_404(request, slug)
    submission = get_object_or_404(registration.deck_submissions, side=side_)
    submission.registration = registration
    with told(request, decks.DeckNotLegal, StaleVersion):
        decks.lock(submission, actor, seen=deck_lists.seen_receipt(request))
        messages.success(request, f"Your {side_.label} deck is locked.")
    return redirect("tournaments:deck", slug, side)


@never_cache
@require_safe
def deck_receipt(request: HttpRequest, slug: str, side: str, receipt: int) -> HttpResponse:
    """A list as it was received once, word for word."""
    side_, registration, submission = _own_deck_or_404(request, slug, side)
    context = {
        **_context(registration, side_, submission),
        "receipt": deck_lists.receipt_or_404(submission, receipt),
    }
    return _page(request, registration, "tournaments/decklists/player_deck_receipt.html", context)


@never_cache
@require_safe
def deck_difference(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """What changed between two lists handed in, by default the last two."""
    side_, registration, submission = _own_deck_or_404(request, slug, side)
    context = {
        **_context(registration, side_, submission),
        **deck_lists.comparison_of(request, submission),
    }
    return _page(
        request, registration, "tournaments/decklists/player_deck_difference.html", context
    )


def _own_deck_or_404(
    request: HttpRequest, slug: str, side: str
) -> tuple[Side, Registration, DeckSubmission]:
    side_ = deck_lists.side_or_404(side)
    registration, _ = registration_or_404(request, slug)
    submissions = registration.deck_submissions.select_related("version")
    return side_, registration, get_object_or_404(submissions, side=side_)
