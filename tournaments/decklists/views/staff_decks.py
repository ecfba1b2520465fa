"""Staff pages of decks: overview, changes, locks, waivers and reveal."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from decks.models import Side
from decks.services import shown_deck
from tournaments.decklists import deck_verdicts, queries
from tournaments.decklists.forms import DeckChangeForm, DeckForm, side_or_404
from tournaments.decklists.services import audiences, decks, waivers
from tournaments.decklists.views.decks import (
    add_receipt_message,
    comparison_of,
    export_links,
    receipt_or_404,
    seen_next,
    seen_receipt,
    typed_list,
)
from tournaments.event import permissions
from tournaments.event import queries as event_queries
from tournaments.models import DeckSubmission, Registration, Tournament
from tournaments.web.views.access import EventRequest
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    ReasonForm,
    RefusalsShown,
    cleaned,
    desk_page,
    staff_page,
)


@staff_page(permissions.can_judge)
def deck_overview(request: EventRequest) -> HttpResponse:
    """List all players with both decks."""
    rows = []
    for entry in event_queries.roster(request.event):
        by_side = {deck.side: deck for deck in entry.deck_submissions.all()}
        rows.append((entry, [(side, by_side.get(side.value)) for side in Side]))
    handed_in = [deck for _, decks_of in rows for _, deck in decks_of if deck is not None]
    problems = queries.problems_to_show(request.event, [entry for entry, _ in rows])
    lock = queries.event_deck_lock(request.event)
    context = {
        "rows": rows,
        "handed_in": len(handed_in),
        "wanted": len(rows) * len(Side),
        "locked": sum(lock is not None or deck.locked_at is not None for deck in handed_in),
        "illegal": sum(not deck.version.is_legal for deck in handed_in),
        "waived": [problem for problem in problems if problem.waiver],
        "lock": lock,
        "reason_form": ReasonForm(),
    }
    return desk_page(request, "tournaments/decklists/deck_check.html", context)


def _deck_or_404(tournament: Tournament, number: int, side: str) -> DeckSubmission:
    decks_here = DeckSubmission.objects.filter(registration__tournament=tournament)
    submission = get_object_or_404(
        decks_here.select_related("registration__player", "version"),
        registration__number=number,
        side=side_or_404(side),
    )
    submission.registration.tournament = tournament
    return submission


@staff_page(permissions.can_judge)
def deck_of(request: EventRequest, number: int, side: str) -> HttpResponse:
    """Show a list with its verdict under the event's current rules."""
    submission = _deck_or_404(request.event, number, side)
    verdict = None
    with RefusalsShown(request, *deck_verdicts.NOT_JUDGED):
        verdict = deck_verdicts.verdict(request.event, Side(side), submission.version.text)
    context = {
        **_context(submission),
        "receipts": list(queries.receipts_of(submission)),
        "verdict": verdict,
        "deck": shown_deck(verdict) if verdict and verdict.slots else None,
        "waiver": queries.deck_waivers(request.event).get(submission.registration_id),
        "deck_exports": export_links(submission.registration, side),
        "reason_form": ReasonForm(),
    }
    return desk_page(request, "tournaments/decklists/deck_of.html", context)


def _context(submission: DeckSubmission) -> dict[str, Any]:
    return {
        "submission": submission,
        "registration": submission.registration,
        "side": Side(submission.side),
        "lock": queries.deck_lock(submission.registration.tournament, submission),
    }


@staff_page(permissions.can_judge)
def deck_receipt_of(request: EventRequest, number: int, side: str, receipt: int) -> HttpResponse:
    """Show a list exactly as it was received."""
    submission = _deck_or_404(request.event, number, side)
    context = {**_context(submission), "receipt": receipt_or_404(submission, receipt)}
    return desk_page(request, "tournaments/decklists/deck_receipt.html", context)


@staff_page(permissions.can_judge)
def deck_difference_of(request: EventRequest, number: int, side: str) -> HttpResponse:
    """Compare two lists of a player, by default the last two."""
    submission = _deck_or_404(request.event, number, side)
    context = {**_context(submission), **comparison_of(request, submission)}
    return desk_page(request, "tournaments/decklists/deck_difference.html", context)


@staff_page(permissions.can_judge, READ + WRITE)
def deck_change(request: EventRequest, number: int, side: str) -> HttpResponse:
    """Submit a list for the player, locked or not."""
    event = request.event
    side_, registration = side_or_404(side), _registration_or_404(event, number)
    if not event.has_decks:
        raise Http404("This game is played without decks.")
    submission = queries.submissions_of(registration).get(side_)
    kept = submission.version.text if submission else ""

    def keep(form: DeckForm) -> decks.Received:
        text, reason = form.source_text(), form.cleaned_data["reason"]
        seen = seen_receipt(request)
        return decks.change_for_player(registration, side_, text, request.actor, reason, seen=seen)

    given = typed_list(request, side_, kept, DeckChangeForm, keep)
    if given.received:
        add_receipt_message(request, given.received)
        return redirect("tournaments:deck_of", event.slug, number, side)
    newest = queries.receipts_of(submission).first()
    context = {
        "form": given.form,
        "verdict": given.verdict,
        "is_kept": given.text == kept and bool(kept),
        "submission": submission,
        "registration": registration,
        "side": side_,
        "lock": queries.deck_lock(event, submission),
        "seen": seen_next(request, given, newest.number if newest else 0),
    }
    return desk_page(request, "tournaments/decklists/deck_change.html", context, given.status)


def _registration_or_404(tournament: Tournament, number: int) -> Registration:
    registrations = tournament.registrations.select_related("player")
    registration = get_object_or_404(registrations, number=number)
    registration.tournament = tournament
    return registration


@staff_page(permissions.can_judge, WRITE)
def deck_lock_of(request: EventRequest, number: int, side: str) -> HttpResponse:
    """Lock a player's list as it is."""
    submission = _deck_or_404(request.event, number, side)
    with RefusalsShown(request):
        decks.lock_by_staff(submission, request.actor)
        messages.success(request, f"{submission} is locked.")
    return redirect("tournaments:deck_of", request.event.slug, number, side)


@staff_page(permissions.can_judge, WRITE)
def deck_unlock(request: EventRequest, number: int, side: str) -> HttpResponse:
    """Let the player change a locked list; the reason is logged."""
    submission = _deck_or_404(request.event, number, side)
    with RefusalsShown(request, decks.DeckIsLocked):
        said = cleaned(ReasonForm(request.POST), "Say why the deck may be changed.")
        decks.unlock(submission, request.actor, said["reason"])
        messages.success(request, f"{submission} can be changed again.")
    return redirect("tournaments:deck_of", request.event.slug, number, side)


@staff_page(permissions.can_judge, READ + WRITE)
def deck_waiver(request: EventRequest, number: int) -> HttpResponse:
    """Waive a player's missing and illegal decks with a reason, or withdraw the waiver."""
    event = request.event
    registration = _registration_or_404(event, number)
    if request.method == "POST":
        name = registration.player.name
        with RefusalsShown(request, waivers.NothingToWaive, waivers.WaiverReasonMissing):
            if request.POST.get("do") == "withdraw":
                waivers.withdraw_waiver(registration, request.actor)
                messages.success(request, f"The waiver for {name} is withdrawn.")
            else:
                said = cleaned(ReasonForm(request.POST), "Give a reason for the waiver.")
                waivers.waive(registration, request.actor, said["reason"])
                messages.success(request, f"The deck problems of {name} are waived.")
            return redirect("tournaments:desk", event.slug)
        return redirect("tournaments:deck_waiver", event.slug, number)
    problems = queries.problems_to_show(event, [registration])
    context = {
        "registration": registration,
        "open_problems": [problem for problem in problems if problem.waiver is None],
        "waived": [problem for problem in problems if problem.waiver],
        "reason_form": ReasonForm(),
    }
    return desk_page(request, "tournaments/decklists/deck_waiver.html", context)


@staff_page(permissions.can_run, WRITE)
def lock_all(request: EventRequest) -> HttpResponse:
    """Lock all decks of the event, so that only staff can change them."""
    with RefusalsShown(request):
        decks.lock_all(request.event, request.actor)
        messages.success(request, "All decks are locked. Only the staff change lists now.")
    return redirect("tournaments:deck_check", request.event.slug)


@staff_page(permissions.can_run, WRITE)
def reopen_all(request: EventRequest) -> HttpResponse:
    """Let players change their lists again; the reason is logged."""
    with RefusalsShown(request, decks.DeckIsLocked):
        said = cleaned(ReasonForm(request.POST), "Say why the decks may be changed again.")
        decks.reopen_all(request.event, request.actor, said["reason"])
        messages.success(request, "Players can change their lists again.")
    return redirect("tournaments:deck_check", request.event.slug)


@staff_page(permissions.can_run, WRITE)
def reveal(request: EventRequest) -> HttpResponse:
    """Show all decks to everyone, or hide them again, with `revealed` set to yes or no."""
    revealed = request.POST.get("revealed") == "yes"
    audiences.set_revealed(request.event, request.actor, revealed=revealed)
    messages.success(request, "Everybody sees the decks." if revealed else "The decks are hidden.")
    return redirect("tournaments:deck_check", slug=request.event.slug)
