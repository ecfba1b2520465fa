"""One deck of an event, for whoever may see it, and its downloads."""

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
from tournaments import judging, visibility
from tournaments.actors import Actor
from tournaments.models import DeckSubmission, Registration, Tournament
from tournaments.views.access import event_or_404
from tournaments.views.behind import told
from tournaments.views.polling import event_page


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
        verdict = judging.verdict(tournament, Side(side), submission.version.text)
        context["deck"] = deck_services.shown_deck(verdict, submission.version.decklist.title)
    template = "tournaments/public/deck_page.html"
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
    verdict = judging.verdict(tournament, Side(submission.side), submission.version.text)
    file = deck_services.export_of(verdict, form, submission.version.decklist.title)
    disposition = content_disposition_header(as_attachment=True, filename=file.filename)
    headers = {"Content-Disposition": disposition or "attachment"}
    return HttpResponse(file.body, content_type=file.content_type, headers=headers)
