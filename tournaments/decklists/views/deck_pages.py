"""The decks of an event, for whoever may see them now, and their downloads."""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.errors import Refusal
from decks import services as deck_services
from decks.models import Side
from players.models import Player
from tournaments.decklists import deck_verdicts
from tournaments.decklists.pages.decklists import deck_lists
from tournaments.event import visibility
from tournaments.event.actors import Actor
from tournaments.models import DeckSubmission, Registration, Tournament
from tournaments.web.views.access import event_or_404
from tournaments.web.views.polling import SECRET, event_page, polled
from tournaments.web.views.staff_pages import told


@never_cache
@require_safe
def deck_page(request: HttpRequest, slug: str, number: int, side: str) -> HttpResponse:
    """The deck taken apart; whoever may not see it is told that there is none."""
    tournament, actor = event_or_404(request, slug)
    submission = _submission_or_404(tournament, actor, number, side)
    context: dict[str, Any] = {
        "submission": submission,
        "player": submission.registration.player,
        "deck": None,
        "deck_exports": export_links(submission.registration, side),
    }
    with told(request, Refusal):
        verdict = deck_verdicts.verdict(tournament, Side(side), submission.version.text)
        context["deck"] = deck_services.shown_deck(verdict, submission.version.decklist.title)
    template = "tournaments/decklists/deck_page.html"
    return event_page(request, tournament, actor, template, "decks", context)


@never_cache
@require_safe
def deck_export(request: HttpRequest, slug: str, number: int, side: str, form: str) -> HttpResponse:
    """The deck as a file; a list the form cannot hold is told on the page of the deck."""
    tournament, actor = event_or_404(request, slug)
    submission = _submission_or_404(tournament, actor, number, side)
    if form not in dict(deck_services.export_forms(tournament.game)):
        raise Http404("Decks of this game are not written in this form.")
    with told(request, Refusal):
        return _download(tournament, submission, form)
    return redirect("tournaments:deck_page", slug, number, side)


def export_links(registration: Registration, side: str) -> list[tuple[str, str]]:
    """(label, address) of every form the deck of this side can be downloaded in."""
    tournament = registration.tournament
    place = [tournament.slug, registration.number, side]
    return [
        (label, reverse("tournaments:deck_export", args=[*place, form]))
        for form, label in deck_services.export_forms(tournament.game)
    ]


def _submission_or_404(
    tournament: Tournament, actor: Actor, number: int, side: str
) -> DeckSubmission:
    submissions = DeckSubmission.objects.filter(registration__tournament=tournament)
    submission = (
        submissions.select_related("registration__player", "version__decklist")
        .filter(registration__number=number, side=side)
        .first()
    )
    # No deck and a hidden one are one answer.
    if submission is not None:
        submission.registration.tournament = tournament
        if visibility.can_see_deck(actor, submission):
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
def decks(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Who plays what. There is no such page for who sees nobody's decks.

    What stands on it may be for one player alone, so no cache keeps a player's page. Judges find
    here what everybody finds; all decks are at the desk.
    """
    if not visibility.has_decks_page(tournament, actor.player):
        raise Http404("No decks of this event are shown to you.")
    context = {
        "players": deck_lists(visibility.decks_for_reader(tournament, actor.player)),
        "everybody_sees": actor.player is None or _everybody_sees(tournament, actor.player),
    }
    template = "tournaments/decklists/decks.html"
    return event_page(request, tournament, actor, template, "decks", context)


def _everybody_sees(tournament: Tournament, player: Player) -> bool:
    """Whether a passer-by finds all decks of others that this player finds."""
    if not visibility.has_decks_page(tournament, None):
        return False
    mine, theirs = (
        visibility.decks_for_reader(tournament, who).exclude(registration__player=player)
        for who in (player, None)
    )
    # A passer-by never sees one that a player does not.
    return mine.count() == theirs.count()
