"""Deck pages of players, visitors and staff, deck audiences, and deck checks."""

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
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import StaleVersion
from core.files import attachment_response, form_status
from core.form_fields import whole_number
from core.rate_limits import is_over, rate_limited, seconds_left, too_many_requests
from decks import services as decks_services
from decks.legality.verdicts import DeckVerdict
from decks.models import Side
from players.models import Player
from tournaments.decklists import deck_checks, pages, queries, services
from tournaments.decklists.forms import (
    AudiencesForm,
    DeckChangeForm,
    DeckCheckDrawForm,
    DeckCheckOutcomeForm,
    DeckCheckPickForm,
    DeckForm,
    side_or_404,
)
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.permissions import NOBODY, Actor, actor_of
from tournaments.models import DeckSubmission, Registration, Tournament
from tournaments.web.access import EventRequest, RegistrationRequest, event_view, registration_view
from tournaments.web.idempotency import idempotent
from tournaments.web.polling import NO_STORE, polled_page, render_event_page
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    ReasonForm,
    get_cleaned_data,
    render_desk_page,
    seen_log_entry,
    show_refusals,
    staff_page,
    use_time_zone,
)

SaveList = Callable[[DeckForm], services.SubmissionResult]


@dataclass(frozen=True)
class SubmittedList:
    """The result of a deck page request.

    `text` is the displayed list, submitted or stored. `received` is set if the list was just saved.
    `is_stale` is True if it was refused because of a newer list; a message explains it.
    """

    form: DeckForm
    text: str
    verdict: DeckVerdict | None = None
    received: services.SubmissionResult | None = None
    status: HTTPStatus = HTTPStatus.OK
    is_stale: bool = False

    @property
    def deck(self) -> decks_services.DeckView | None:
        """The parsed list, or None without a verdict or cards."""
        if self.verdict is None or not self.verdict.slots:
            return None
        return decks_services.deck_view(self.verdict)


def process_list(
    request: EventRequest, side: Side, stored: str, form_class: type[DeckForm], save: SaveList
) -> SubmittedList:
    """Check the submitted list, and save it with `do=save`; refusals become messages."""
    if request.method != "POST":
        form = form_class(initial={"text": stored})
        return SubmittedList(form, stored, _verdict_or_none(request, side, stored))
    form = form_class(request.POST, request.FILES, initial={"text": stored})
    if not form.is_valid():
        return SubmittedList(
            form, stored, _verdict_or_none(request, side, stored), status=form_status(form)
        )
    text = form.source_text
    # Put the text of an upload or link into the text box.
    shown = form_class(initial={**form.cleaned_data, "text": text, "file": None, "address": ""})
    if not _is_saving(request):
        return SubmittedList(shown, text, _verdict_or_none(request, side, text))
    with show_refusals(request) as outcome:
        return SubmittedList(shown, text, received=save(form))
    has_verdict = not isinstance(outcome.refusal, services.VERDICT_REFUSALS)
    verdict = _verdict_or_none(request, side, text) if has_verdict else None
    is_stale = isinstance(outcome.refusal, StaleVersion)
    return SubmittedList(shown, text, verdict, status=HTTPStatus.CONFLICT, is_stale=is_stale)


def _verdict_or_none(request: EventRequest, side: Side, text: str) -> DeckVerdict | None:
    with show_refusals(request):
        return services.get_verdict(request.event, side, text) if text else None
    return None


def add_receipt_message(request: EventRequest, received: services.SubmissionResult) -> None:
    receipt, version = received.receipt, received.submission.version
    if not received.is_new:
        with use_time_zone(request.event.time_zone):
            at = date_format(timezone.localtime(receipt.received_at), "EXACT_DATETIME_FORMAT")
        messages.info(
            request,
            gettext("Already received on %(at)s, as receipt %(receipt)s.")
            % {"receipt": receipt.number, "at": at},
        )
    elif version.is_legal:
        messages.success(
            request,
            gettext("Submitted, with receipt %(receipt)s. The list is legal.")
            % {"receipt": receipt.number},
        )
    else:
        messages.warning(
            request,
            gettext(
                "Submitted, with receipt %(receipt)s, but the list is illegal and cannot be "
                "locked. Fix the problems shown below, then save it again."
            )
            % {"receipt": receipt.number},
        )


def posted_receipt(request: HttpRequest) -> int | None:
    """Parse the newest receipt when the page was rendered; 0 before the first."""
    return whole_number(request.POST.get("seen", ""), 5)


def next_receipt(request: HttpRequest, submitted: SubmittedList, newest: int) -> int:
    """Return the receipt to send with the next form: unchanged after a check, else the newest."""
    seen = None if submitted.is_stale else posted_receipt(request)
    return newest if seen is None else seen


def comparison_context(request: HttpRequest, submission: DeckSubmission) -> dict[str, Any]:
    """Template context: the receipts, and the comparison of `older` and `newer` in the URL."""
    receipts = list(queries.receipts_of(submission))
    comparison = pages.compare_receipts(receipts, request.GET)
    if comparison is None and ("older" in request.GET or "newer" in request.GET):
        raise Http404("These receipts do not exist.")
    return {"receipts": receipts, "comparison": comparison}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_deck(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """Show the player's list for one side, with the verdict on each line.

    `do=save` saves the submitted list. Any other POST only checks it and takes no lock.
    """
    if request.method != "POST":
        return _my_deck_page(request, slug, side)
    if not _is_saving(request):
        return _check_my_deck(request, slug, side)
    # Check the limit before the write takes the lock of the event.
    if (counted := actor_of(request).counted) and is_over("deck_saves", counted):
        return too_many_requests(request, seconds_left(), is_own=True)
    return _save_my_deck(request, slug, side)


def _is_saving(request: HttpRequest) -> bool:
    return request.POST.get("do") == "save"


@registration_view
def _my_deck_page(request: RegistrationRequest, side: str) -> HttpResponse:
    event, registration, side_ = request.event, request.registration, side_or_404(side)
    if not event.has_decks:
        raise Http404("This game is played without decks.")
    submission = queries.submissions_of(registration).get(side_)
    stored = submission.version.text if submission else ""

    def save(form: DeckForm) -> services.SubmissionResult:
        text, seen = form.source_text, posted_receipt(request)
        return services.receive_deck(registration, side_, text, request.actor, seen=seen)

    submitted = process_list(request, side_, stored, DeckForm, save)
    if submitted.received:
        add_receipt_message(request, submitted.received)
        return redirect("tournaments:deck", event.slug, side)
    is_stored = submitted.text == stored and bool(stored)
    shared = _my_deck_context(event, side_, submission)
    context = {
        **shared,
        "seen": next_receipt(request, submitted, shared["seen"]),
        "form": submitted.form,
        "is_stored": is_stored,
        "verdict": submitted.verdict,
        "deck": submitted.deck,
        "deck_exports": export_links(registration, side) if is_stored else [],
        "rules": pages.deck_rules_in_words(event),
        "audiences": pages.audiences_in_words(event),
    }
    return _render_in_event_zone(
        request, "tournaments/decklists/deck.html", context, submitted.status
    )


_check_my_deck = rate_limited("expensive")(_my_deck_page)
_save_my_deck = idempotent(_my_deck_page)


def _my_deck_context(
    event: Tournament, side: Side, submission: DeckSubmission | None
) -> dict[str, Any]:
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


def _render_in_event_zone(
    request: EventRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    # Show timestamps and the deadline in the event's time zone.
    with use_time_zone(request.event.time_zone):
        return render(request, template, context, status=status)


@never_cache
@require_POST
@idempotent
@registration_view
def lock_my_deck(request: RegistrationRequest, side: str) -> HttpResponse:
    side_ = side_or_404(side)
    submission = get_object_or_404(request.registration.deck_submissions, side=side_)
    submission.registration = request.registration
    with show_refusals(request):
        services.lock_deck(submission, request.actor, seen=posted_receipt(request))
        messages.success(request, gettext("Your %(side)s deck is locked.") % {"side": side_.label})
    return redirect("tournaments:deck", request.event.slug, side)


@never_cache
@require_safe
@registration_view
def my_deck_receipt(request: RegistrationRequest, side: str, receipt: int) -> HttpResponse:
    side_, submission = _own_deck_or_404(request, side)
    context = {
        **_my_deck_context(request.event, side_, submission),
        "receipt": get_object_or_404(queries.receipts_of(submission), number=receipt),
    }
    return _render_in_event_zone(request, "tournaments/decklists/player_deck_receipt.html", context)


@never_cache
@require_safe
@registration_view
def my_deck_difference(request: RegistrationRequest, side: str) -> HttpResponse:
    """Compare two received lists, by default the last two."""
    side_, submission = _own_deck_or_404(request, side)
    context = {
        **_my_deck_context(request.event, side_, submission),
        **comparison_context(request, submission),
    }
    return _render_in_event_zone(
        request, "tournaments/decklists/player_deck_difference.html", context
    )


def _own_deck_or_404(request: RegistrationRequest, side: str) -> tuple[Side, DeckSubmission]:
    side_ = side_or_404(side)
    submissions = request.registration.deck_submissions.select_related("version")
    return side_, get_object_or_404(submissions, side=side_)


@never_cache
@require_safe
@event_view
def deck_page(request: EventRequest, number: int, side: str) -> HttpResponse:
    """Show the deck by card type; 404 for readers who may not see it."""
    submission = _visible_deck_or_404(request, number, side)
    context: dict[str, Any] = {
        "submission": submission,
        "player": submission.registration.player,
        "deck": None,
        "deck_exports": export_links(submission.registration, side),
    }
    with show_refusals(request):
        verdict = services.get_verdict(request.event, side, submission.version.text)
        context["deck"] = decks_services.deck_view(verdict, submission.version.decklist.title)
    return render_event_page(request, "tournaments/decklists/deck_page.html", "decks", context)


@never_cache
@require_safe
@event_view
def export_deck(request: EventRequest, number: int, side: str, form: str) -> HttpResponse:
    """Download the deck. If the format cannot hold the list, redirect to the deck page."""
    submission = _visible_deck_or_404(request, number, side)
    if form not in dict(decks_services.export_form_choices(request.event.game)):
        raise Http404("Decks of this game cannot be exported in this format.")
    text, title = submission.version.text, submission.version.decklist.title
    with show_refusals(request):
        verdict = services.get_verdict(request.event, side, text)
        file = decks_services.export_verdict(verdict, form, title)
        return attachment_response(file.body, file.filename, file.content_type)
    return redirect("tournaments:deck_page", request.event.slug, number, side)


def export_links(registration: Registration, side: str) -> list[tuple[str, str]]:
    """(label, URL) of each available export format."""
    tournament = registration.tournament
    place = [tournament.slug, registration.number, side]
    return [
        (label, reverse("tournaments:deck_export", args=[*place, form]))
        for form, label in decks_services.export_form_choices(tournament.game)
    ]


def _visible_deck_or_404(request: EventRequest, number: int, side: str) -> DeckSubmission:
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
    raise Http404("This deck does not exist.")


@require_safe
@partial(polled_page, for_players=NO_STORE)
def deck_list(request: EventRequest) -> HttpResponse:
    """List the decks the reader may see; 404 if there are none.

    The page may be specific to the player, so a player's page is never cached. Judges see only what
    a player or visitor sees here; all decks are listed on the desk.
    """
    event, player = request.event, request.actor.player
    if not visibility.has_decks_page(event, player):
        raise Http404("You cannot see any decks of this event.")
    context = {
        "players": pages.deck_lists(visibility.decks_for_reader(event, player)),
        "everybody_sees": player is None or _visitors_see_same_decks(event, player),
    }
    return render_event_page(request, "tournaments/decklists/decks.html", "decks", context)


def _visitors_see_same_decks(tournament: Tournament, player: Player) -> bool:
    if not visibility.has_decks_page(tournament, None):
        return False
    for_player, for_visitors = (
        visibility.decks_for_reader(tournament, reader).exclude(registration__player=player)
        for reader in (player, None)
    )
    # Visitors see a subset of what players see, so equal counts mean equal sets.
    return for_player.count() == for_visitors.count()


# Staff pages


@staff_page(event_permissions.can_judge)
def deck_overview(request: EventRequest) -> HttpResponse:
    rows = []
    for entry in request.event.roster():
        by_side = {deck.side: deck for deck in entry.deck_submissions.all()}
        rows.append((entry, [(side, by_side.get(side.value)) for side in Side]))
    submitted = [deck for _, decks_of in rows for _, deck in decks_of if deck is not None]
    problems = queries.deck_problems_of_event(request.event, [entry for entry, _ in rows])
    lock = queries.event_deck_lock(request.event)
    context = {
        "rows": rows,
        "submitted": len(submitted),
        "expected": len(rows) * len(Side),
        "locked": sum(lock is not None or deck.locked_at is not None for deck in submitted),
        "illegal": sum(not deck.version.is_legal for deck in submitted),
        "waived": [problem for problem in problems if problem.waiver],
        "lock": lock,
        "reason_form": ReasonForm(),
    }
    return render_desk_page(request, "tournaments/decklists/deck_check.html", context)


def _deck_or_404(tournament: Tournament, number: int, side: str) -> DeckSubmission:
    submissions = DeckSubmission.objects.filter(registration__tournament=tournament)
    submission = get_object_or_404(
        submissions.select_related("registration__player", "version"),
        registration__number=number,
        side=side_or_404(side),
    )
    submission.registration.tournament = tournament
    return submission


@staff_page(event_permissions.can_judge)
def staff_deck(request: EventRequest, number: int, side: str) -> HttpResponse:
    """Show a list with its verdict under the event's current rules."""
    submission = _deck_or_404(request.event, number, side)
    verdict = None
    with show_refusals(request):
        verdict = services.get_verdict(request.event, side, submission.version.text)
    context = {
        **_staff_deck_context(submission),
        "receipts": list(queries.receipts_of(submission)),
        "verdict": verdict,
        "deck": decks_services.deck_view(verdict) if verdict and verdict.slots else None,
        "waiver": queries.deck_waivers(request.event).get(submission.registration_id),
        "deck_exports": export_links(submission.registration, side),
        "reason_form": ReasonForm(),
    }
    return render_desk_page(request, "tournaments/decklists/deck_of.html", context)


def _staff_deck_context(submission: DeckSubmission) -> dict[str, Any]:
    return {
        "submission": submission,
        "registration": submission.registration,
        "side": Side(submission.side),
        "lock": queries.deck_lock(submission.registration.tournament, submission),
    }


@staff_page(event_permissions.can_judge)
def staff_deck_receipt(request: EventRequest, number: int, side: str, receipt: int) -> HttpResponse:
    submission = _deck_or_404(request.event, number, side)
    context = {
        **_staff_deck_context(submission),
        "receipt": get_object_or_404(queries.receipts_of(submission), number=receipt),
    }
    return render_desk_page(request, "tournaments/decklists/deck_receipt.html", context)


@staff_page(event_permissions.can_judge)
def staff_deck_difference(request: EventRequest, number: int, side: str) -> HttpResponse:
    submission = _deck_or_404(request.event, number, side)
    context = {**_staff_deck_context(submission), **comparison_context(request, submission)}
    return render_desk_page(request, "tournaments/decklists/deck_difference.html", context)


@staff_page(event_permissions.can_judge, READ + WRITE)
def change_deck(request: EventRequest, number: int, side: str) -> HttpResponse:
    event = request.event
    side_, registration = side_or_404(side), _registration_or_404(event, number)
    if not event.has_decks:
        raise Http404("This game is played without decks.")
    submission = queries.submissions_of(registration).get(side_)
    stored = submission.version.text if submission else ""

    def save(form: DeckForm) -> services.SubmissionResult:
        text, reason = form.source_text, form.cleaned_data["reason"]
        seen = posted_receipt(request)
        return services.change_deck_for_player(
            registration, side_, text, request.actor, reason, seen=seen
        )

    submitted = process_list(request, side_, stored, DeckChangeForm, save)
    if submitted.received:
        add_receipt_message(request, submitted.received)
        return redirect("tournaments:deck_of", event.slug, number, side)
    newest = queries.receipts_of(submission).first()
    context = {
        "form": submitted.form,
        "verdict": submitted.verdict,
        "is_stored": submitted.text == stored and bool(stored),
        "submission": submission,
        "registration": registration,
        "side": side_,
        "lock": queries.deck_lock(event, submission),
        "seen": next_receipt(request, submitted, newest.number if newest else 0),
    }
    return render_desk_page(
        request, "tournaments/decklists/deck_change.html", context, submitted.status
    )


def _registration_or_404(tournament: Tournament, number: int) -> Registration:
    registrations = tournament.registrations.select_related("player")
    registration = get_object_or_404(registrations, number=number)
    registration.tournament = tournament
    return registration


@staff_page(event_permissions.can_judge, WRITE)
def lock_deck(request: EventRequest, number: int, side: str) -> HttpResponse:
    submission = _deck_or_404(request.event, number, side)
    with show_refusals(request):
        services.lock_deck_by_staff(submission, request.actor)
        messages.success(request, gettext("%(submission)s is locked.") % {"submission": submission})
    return redirect("tournaments:deck_of", request.event.slug, number, side)


@staff_page(event_permissions.can_judge, WRITE)
def unlock_deck(request: EventRequest, number: int, side: str) -> HttpResponse:
    submission = _deck_or_404(request.event, number, side)
    with show_refusals(request):
        cleaned = get_cleaned_data(
            ReasonForm(request.POST), gettext("Give a reason for unlocking the deck.")
        )
        services.unlock_deck(submission, request.actor, cleaned["reason"])
        messages.success(
            request, gettext("%(submission)s can be changed again.") % {"submission": submission}
        )
    return redirect("tournaments:deck_of", request.event.slug, number, side)


@staff_page(event_permissions.can_judge, READ + WRITE)
def deck_waiver(request: EventRequest, number: int) -> HttpResponse:
    """Waive a player's missing and illegal decks with a reason, or withdraw the waiver."""
    event = request.event
    registration = _registration_or_404(event, number)
    if request.method == "POST":
        name = registration.player.name
        with show_refusals(request):
            if request.POST.get("do") == "withdraw":
                services.withdraw_waiver(registration, request.actor)
                messages.success(
                    request, gettext("The waiver for %(name)s was withdrawn.") % {"name": name}
                )
            else:
                cleaned = get_cleaned_data(
                    ReasonForm(request.POST), gettext("Give a reason for the waiver.")
                )
                services.waive_deck_problems(registration, request.actor, cleaned["reason"])
                messages.success(
                    request, gettext("The deck problems of %(name)s were waived.") % {"name": name}
                )
            return redirect("tournaments:desk", event.slug)
        return redirect("tournaments:deck_waiver", event.slug, number)
    problems = queries.deck_problems_of_event(event, [registration])
    context = {
        "registration": registration,
        "open_problems": [problem for problem in problems if problem.waiver is None],
        "waived": [problem for problem in problems if problem.waiver],
        "reason_form": ReasonForm(),
    }
    return render_desk_page(request, "tournaments/decklists/deck_waiver.html", context)


@staff_page(event_permissions.can_run, WRITE)
def lock_all_decks(request: EventRequest) -> HttpResponse:
    with show_refusals(request):
        services.lock_all_decks(request.event, request.actor)
        messages.success(
            request, gettext("All decks are locked. Only the staff can change lists now.")
        )
    return redirect("tournaments:deck_check", request.event.slug)


@staff_page(event_permissions.can_run, WRITE)
def reopen_all_decks(request: EventRequest) -> HttpResponse:
    with show_refusals(request):
        cleaned = get_cleaned_data(
            ReasonForm(request.POST), gettext("Give a reason for unlocking the decks.")
        )
        services.reopen_all_decks(request.event, request.actor, cleaned["reason"])
        messages.success(request, gettext("Players can change their lists again."))
    return redirect("tournaments:deck_check", request.event.slug)


@staff_page(event_permissions.can_run, WRITE)
def reveal_decks(request: EventRequest) -> HttpResponse:
    """Show all decks to everyone, or hide them again, with `revealed` set to yes or no."""
    revealed = request.POST.get("revealed") == "yes"
    services.set_decks_revealed(request.event, request.actor, revealed=revealed)
    messages.success(
        request,
        gettext("Everyone can see the decks.") if revealed else gettext("The decks are hidden."),
    )
    return redirect("tournaments:deck_check", slug=request.event.slug)


# Audiences, and the event as a player sees it


@staff_page(event_permissions.can_run, READ + WRITE)
def deck_audiences(request: EventRequest) -> HttpResponse:
    """Set the audience and start time of each stage, in the event's time zone."""
    event = request.event
    with use_time_zone(event.time_zone):
        sent = request.POST if request.method == "POST" else None
        form = AudiencesForm(sent, event, list(event.stages.all()))
        if form.is_valid():
            with show_refusals(request):
                services.set_audiences(
                    event,
                    request.actor,
                    form.chosen,
                    identities_shown=form.identities_shown,
                    seen_log=seen_log_entry(request),
                )
                messages.success(request, gettext("Saved."))
                return redirect("tournaments:audiences", slug=event.slug)
        refused = 422 if form.errors else 409
        status = refused if request.method == "POST" else 200
        context = {
            "form": form,
            "seen": event.log.newest_id(),
            "audiences": pages.audiences_in_words(event),
        }
        return render_desk_page(
            request, "tournaments/decklists/audiences.html", context, status=status
        )


@staff_page(event_permissions.can_run)
def preview_event(request: EventRequest) -> HttpResponse:
    """Preview the event as player number ?player=, or as an anonymous visitor without it."""
    chosen: Registration | None = None
    viewer = NOBODY
    if number := request.GET.get("player", ""):
        roster = request.event.registrations.select_related("player__user")
        chosen = get_object_or_404(roster, number=whole_number(number, 5) or 0)
        # With the player's staff roles, if they have an account.
        viewer = Actor(user=chosen.player.user, player=chosen.player)
    context = {
        "chosen": chosen,
        "roster": request.event.registrations.select_related("player"),
        "preview": pages.preview_for(request.event, viewer),
        "audiences": pages.audiences_in_words(request.event),
    }
    return render_desk_page(request, "tournaments/decklists/preview.html", context)


# Deck checks


# By default, suggest one table in ten for a check.
USUAL_SHARE = 10


@staff_page(event_permissions.can_judge)
def deck_check_list(request: EventRequest) -> HttpResponse:
    """List past draws, with forms to draw more tables or to pick one."""
    round_ = queries.round_at_tables(request.event)
    left = queries.checkable_tables(round_) if round_ else []
    usual = max(1, -(-len(left) // USUAL_SHARE))
    context = {
        "draws": pages.draws_with_checks(request.event),
        "round": round_,
        "left": len(left),
        "draw_form": DeckCheckDrawForm(initial={"count": usual}),
        "pick_form": DeckCheckPickForm(),
    }
    return render_desk_page(request, "tournaments/decklists/deck_checks.html", context)


@staff_page(event_permissions.can_judge, WRITE)
def draw_deck_checks(request: EventRequest) -> HttpResponse:
    """Draw tables of the current round at random, or check the given `table`."""
    form = (
        DeckCheckPickForm(request.POST)
        if "table" in request.POST
        else DeckCheckDrawForm(request.POST)
    )
    round_ = queries.round_at_tables(request.event)
    if round_ is None:
        messages.error(request, gettext("No round is being played, so there is no table to check."))
    elif not form.is_valid():
        messages.error(request, gettext("Enter a number of tables, or the number of a table."))
    else:
        with show_refusals(request):
            if isinstance(form, DeckCheckPickForm):
                drawn = deck_checks.pick_table(round_, request.actor, form.cleaned_data["table"])
            else:
                drawn = deck_checks.draw_tables(round_, request.actor, form.cleaned_data["count"])
            for number, entry in queries.players_without_deck(drawn, round_):
                name = entry.player.name
                messages.warning(
                    request,
                    gettext("Table %(number)s: %(name)s has not submitted a deck.")
                    % {"number": number, "name": name},
                )
    return redirect("tournaments:deck_checks", slug=request.event.slug)


@staff_page(event_permissions.can_judge, READ + WRITE)
def deck_check(request: EventRequest, pk: int) -> HttpResponse:
    """Show a deck as a tick list, and record the outcome."""
    check = get_object_or_404(queries.checks_with_cards(request.event), pk=pk)
    initial = {"outcome": check.outcome, "note": check.note}
    form = DeckCheckOutcomeForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with show_refusals(request):
            deck_checks.record_outcome(check, request.actor, **form.cleaned_data)
            messages.success(
                request, gettext("Checked: %(submission)s.") % {"submission": check.submission}
            )
            return redirect("tournaments:deck_checks", slug=request.event.slug)
    context = {
        "check": check,
        "ticks": pages.tick_list(check),
        "by_type": request.GET.get("order") != "list",
        # A re-check under other rules makes a new version of an unchanged list.
        "changed_since": check.submission.version.text != check.version.text,
        "form": form,
    }
    return render_desk_page(request, "tournaments/decklists/deck_check_of.html", context)


@staff_page(event_permissions.can_judge)
def print_deck_checks(request: EventRequest, number: int) -> HttpResponse:
    checks = queries.checks_with_cards(request.event).filter(draw__number=number)
    draw = get_object_or_404(request.event.deck_check_draws, number=number)
    context = {"draw": draw, "lists": [pages.tick_list(check) for check in checks]}
    return render_desk_page(request, "tournaments/decklists/deck_check_print.html", context)
