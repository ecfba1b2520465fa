"""Decks of the player, and public decks of an event."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import Refusal, StaleVersion
from core.form_fields import whole_number
from core.rate_limits import is_over, rate_limited, seconds_left, too_many
from core.uploads import status_of
from decks import services as deck_services
from decks.legality.verdict import Verdict
from decks.models import Side
from decks.services import ShownDeck, shown_deck
from players.models import Player
from tournaments.decklists import deck_verdicts, queries
from tournaments.decklists.forms import DeckForm, side_or_404
from tournaments.decklists.pages import decks as pages
from tournaments.decklists.pages.audiences import audiences_in_words
from tournaments.decklists.services import decks
from tournaments.event import visibility
from tournaments.event.actors import actor_of
from tournaments.models import DeckReceipt, DeckSubmission, Registration, Tournament
from tournaments.web.views.access import (
    EventRequest,
    RegistrationRequest,
    event_view,
    registration_view,
)
from tournaments.web.views.idempotent import once
from tournaments.web.views.polling import SECRET, event_page, polled
from tournaments.web.views.staff_pages import RefusalsShown, in_zone

Keep = Callable[[DeckForm], decks.Received]


@dataclass(frozen=True)
class TypedList:
    """The result of a deck page request.

    `text` is the displayed list, submitted or stored. `received` is set if the list was just saved.
    `is_stale` is True if it was refused because of a newer list; a message explains it.
    """

    form: DeckForm
    text: str
    verdict: Verdict | None = None
    received: decks.Received | None = None
    status: HTTPStatus = HTTPStatus.OK
    is_stale: bool = False

    @property
    def deck(self) -> ShownDeck | None:
        """The parsed list, or None without a verdict or cards."""
        if self.verdict is None or not self.verdict.slots:
            return None
        return shown_deck(self.verdict)


def typed_list(
    request: EventRequest, side: Side, kept: str, form_class: type[DeckForm], keep: Keep
) -> TypedList:
    """Check the submitted list, and save it with `do=save`.

    A refusal becomes a message, and the form keeps the input.
    """
    if request.method != "POST":
        form = form_class(initial={"text": kept})
        return TypedList(form, kept, _judged(request, side, kept))
    form = form_class(request.POST, request.FILES, initial={"text": kept})
    if not form.is_valid():
        return TypedList(form, kept, _judged(request, side, kept), status=status_of(form))
    text = form.source_text()
    # Put the text of an upload or link into the text box.
    shown = form_class(initial={**form.cleaned_data, "text": text, "file": None, "address": ""})
    if not _saves(request):
        return TypedList(shown, text, _judged(request, side, text))
    refusals = (*deck_verdicts.NOT_JUDGED, decks.DeckIsLocked, decks.TooManyLists, StaleVersion)
    with RefusalsShown(request, *refusals) as outcome:
        return TypedList(shown, text, received=keep(form))
    not_judged = isinstance(outcome.refusal, deck_verdicts.NOT_JUDGED)
    judged = None if not_judged else _judged(request, side, text)
    is_stale = isinstance(outcome.refusal, StaleVersion)
    return TypedList(shown, text, judged, status=HTTPStatus.CONFLICT, is_stale=is_stale)


def _judged(request: EventRequest, side: Side, text: str) -> Verdict | None:
    with RefusalsShown(request, *deck_verdicts.NOT_JUDGED):
        return deck_verdicts.verdict(request.event, side, text) if text else None
    return None


def add_receipt_message(request: EventRequest, received: decks.Received) -> None:
    """Add a message with the receipt, new or existing, and the next step."""
    receipt, version = received.receipt, received.submission.version
    if not received.is_new:
        with in_zone(request.event.time_zone):
            at = date_format(timezone.localtime(receipt.received_at), "j F Y, H:i:s")
        messages.info(request, f"Already received, as receipt {receipt.number}, on {at}.")
    elif version.is_legal:
        messages.success(request, f"Saved, as receipt {receipt.number}. The list is legal.")
    else:
        messages.warning(
            request,
            f"Saved as a draft, receipt {receipt.number}. The list is illegal, so it cannot be "
            "locked. Fix the lines marked below.",
        )


def seen_receipt(request: HttpRequest) -> int | None:
    """Parse the newest receipt when the page was rendered; 0 before the first."""
    return whole_number(request.POST.get("seen", ""), 5)


def seen_next(request: HttpRequest, given: TypedList, newest: int) -> int:
    """The receipt to send with the next form: unchanged after a check, else the newest."""
    seen = None if given.is_stale else seen_receipt(request)
    return newest if seen is None else seen


def receipt_or_404(submission: DeckSubmission, number: int) -> DeckReceipt:
    """Get a receipt of this deck, or raise Http404."""
    if number > 32_767:
        raise Http404("No such receipt.")
    receipt = queries.receipts_of(submission).filter(number=number).first()
    if receipt is None:
        raise Http404("No such receipt.")
    return receipt


def comparison_of(request: HttpRequest, submission: DeckSubmission) -> dict[str, Any]:
    """Template context: the receipts, and the comparison of `older` and `newer` in the URL."""
    receipts = list(queries.receipts_of(submission))
    comparison: pages.Comparison | None = pages.two_asked(receipts, request.GET)
    if comparison is None and ("older" in request.GET or "newer" in request.GET):
        raise Http404("No such receipts.")
    return {"receipts": receipts, "comparison": comparison}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def deck(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """Show the player's list for one side, with the verdict on each line.

    `do=save` saves the submitted list. Any other POST only checks it and takes no lock.
    """
    if request.method != "POST":
        return _deck(request, slug, side)
    if not _saves(request):
        return _checked(request, slug, side)
    # Check the limit before the write takes the lock of the event.
    if (who := actor_of(request).counted) and is_over("deck_saves", who):
        return too_many(request, seconds_left(), is_own=True)
    return _kept_once(request, slug, side)


def _saves(request: HttpRequest) -> bool:
    return request.POST.get("do") == "save"


@registration_view
def _deck(request: RegistrationRequest, side: str) -> HttpResponse:
    event, registration, side_ = request.event, request.registration, side_or_404(side)
    if not event.has_decks:
        raise Http404("This game is played without decks.")
    submission = queries.submissions_of(registration).get(side_)
    kept = submission.version.text if submission else ""

    def keep(form: DeckForm) -> decks.Received:
        text, seen = form.source_text(), seen_receipt(request)
        return decks.receive(registration, side_, text, request.actor, seen=seen)

    given = typed_list(request, side_, kept, DeckForm, keep)
    if given.received:
        add_receipt_message(request, given.received)
        return redirect("tournaments:deck", event.slug, side)
    is_kept = given.text == kept and bool(kept)
    shared = _context(event, side_, submission)
    context = {
        **shared,
        "seen": seen_next(request, given, shared["seen"]),
        "form": given.form,
        "is_kept": is_kept,
        "verdict": given.verdict,
        "deck": given.deck,
        "deck_exports": export_links(registration, side) if is_kept else [],
        "rules": pages.deck_rules_in_words(event),
        "audiences": audiences_in_words(event),
    }
    return _page(request, "tournaments/decklists/deck.html", context, given.status)


_checked = rate_limited("expensive")(_deck)
_kept_once = once(_deck)


def _context(event: Tournament, side: Side, submission: DeckSubmission | None) -> dict[str, Any]:
    lock = queries.deck_lock(event, submission)
    receipts = list(queries.receipts_of(submission))
    return {
        "tournament": event,
        "here": "me",
        "is_playing": True,
        "side": side,
        "other": Side.RUNNER if side is Side.CORP else Side.CORP,
        "submission": submission,
        "lock": lock,
        "is_locked": lock is not None or event.is_finished,
        "receipts": receipts,
        "seen": receipts[0].number if receipts else 0,
    }


def _page(
    request: EventRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    # Show timestamps and the deadline in the event's time zone.
    with in_zone(request.event.time_zone):
        return render(request, template, context, status=status)


@never_cache
@require_POST
@once
@registration_view
def deck_lock(request: RegistrationRequest, side: str) -> HttpResponse:
    """Lock the player's saved list for one side."""
    side_ = side_or_404(side)
    submission = get_object_or_404(request.registration.deck_submissions, side=side_)
    submission.registration = request.registration
    with RefusalsShown(request, decks.DeckNotLegal, StaleVersion):
        decks.lock(submission, request.actor, seen=seen_receipt(request))
        messages.success(request, f"Your {side_.label} deck is locked.")
    return redirect("tournaments:deck", request.event.slug, side)


@never_cache
@require_safe
@registration_view
def deck_receipt(request: RegistrationRequest, side: str, receipt: int) -> HttpResponse:
    """Show a list exactly as it was received."""
    side_, submission = _own_deck_or_404(request, side)
    context = {
        **_context(request.event, side_, submission),
        "receipt": receipt_or_404(submission, receipt),
    }
    return _page(request, "tournaments/decklists/player_deck_receipt.html", context)


@never_cache
@require_safe
@registration_view
def deck_difference(request: RegistrationRequest, side: str) -> HttpResponse:
    """Compare two received lists, by default the last two."""
    side_, submission = _own_deck_or_404(request, side)
    context = {
        **_context(request.event, side_, submission),
        **comparison_of(request, submission),
    }
    return _page(request, "tournaments/decklists/player_deck_difference.html", context)


def _own_deck_or_404(request: RegistrationRequest, side: str) -> tuple[Side, DeckSubmission]:
    side_ = side_or_404(side)
    submissions = request.registration.deck_submissions.select_related("version")
    return side_, get_object_or_404(submissions, side=side_)


@never_cache
@require_safe
@event_view
def deck_page(request: EventRequest, number: int, side: str) -> HttpResponse:
    """Show the deck by card type; 404 for readers who may not see it."""
    submission = _submission_or_404(request, number, side)
    context: dict[str, Any] = {
        "submission": submission,
        "player": submission.registration.player,
        "deck": None,
        "deck_exports": export_links(submission.registration, side),
    }
    with RefusalsShown(request, Refusal):
        verdict = deck_verdicts.verdict(request.event, Side(side), submission.version.text)
        context["deck"] = deck_services.shown_deck(verdict, submission.version.decklist.title)
    return event_page(request, "tournaments/decklists/deck_page.html", "decks", context)


@never_cache
@require_safe
@event_view
def deck_export(request: EventRequest, number: int, side: str, form: str) -> HttpResponse:
    """Download the deck. If the format cannot hold the list, redirect to the deck page."""
    submission = _submission_or_404(request, number, side)
    if form not in dict(deck_services.export_forms(request.event.game)):
        raise Http404("Decks of this game are not written in this form.")
    with RefusalsShown(request, Refusal):
        return _download(request.event, submission, form)
    return redirect("tournaments:deck_page", request.event.slug, number, side)


def export_links(registration: Registration, side: str) -> list[tuple[str, str]]:
    """(label, URL) of each available export format."""
    tournament = registration.tournament
    place = [tournament.slug, registration.number, side]
    return [
        (label, reverse("tournaments:deck_export", args=[*place, form]))
        for form, label in deck_services.export_forms(tournament.game)
    ]


def _submission_or_404(request: EventRequest, number: int, side: str) -> DeckSubmission:
    submissions = DeckSubmission.objects.filter(registration__tournament=request.event)
    submission = (
        submissions.select_related("registration__player", "version__decklist")
        .filter(registration__number=number, side=side)
        .first()
    )
    # Answer the same for a missing and a hidden deck.
    if submission is not None:
        submission.registration.tournament = request.event
        if visibility.can_see_deck(request.actor, submission):
            return submission
    raise Http404("No such deck.")


def _download(tournament: Tournament, submission: DeckSubmission, form: str) -> HttpResponse:
    verdict = deck_verdicts.verdict(tournament, Side(submission.side), submission.version.text)
    file = deck_services.export_of(verdict, form, submission.version.decklist.title)
    disposition = content_disposition_header(as_attachment=True, filename=file.filename)
    headers = {"Content-Disposition": disposition or "attachment"}
    return HttpResponse(file.body, content_type=file.content_type, headers=headers)


@require_safe
@partial(polled, for_players=SECRET)
def deck_list(request: EventRequest) -> HttpResponse:
    """List the decks the reader may see; 404 if there are none.

    The page may be specific to the player, so a player's page is never cached. Judges see only what
    a player or visitor sees here; all decks are listed on the desk.
    """
    event, player = request.event, request.actor.player
    if not visibility.has_decks_page(event, player):
        raise Http404("No decks of this event are shown to you.")
    context = {
        "players": pages.deck_lists(visibility.decks_for_reader(event, player)),
        "everybody_sees": player is None or _everybody_sees(event, player),
    }
    return event_page(request, "tournaments/decklists/decks.html", "decks", context)


def _everybody_sees(tournament: Tournament, player: Player) -> bool:
    """Return True if visitors see all decks that this player sees, except their own."""
    if not visibility.has_decks_page(tournament, None):
        return False
    mine, theirs = (
        visibility.decks_for_reader(tournament, who).exclude(registration__player=player)
        for who in (player, None)
    )
    # Visitors see a subset of what players see, so equal counts mean equal sets.
    return mine.count() == theirs.count()
