"""All deck lists of an event, once the organiser has revealed them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments import visibility
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.sheets.decklists import deck_lists
from tournaments.views.polling import event_page, polled


@require_safe
@polled
def decks(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Who played what; before the reveal there is no such page, for anybody."""
    if not visibility.shows_all_decks(tournament):
        raise Http404("The decks of this event are not revealed.")
    context = {"players": deck_lists(tournament)}
    template = "tournaments/public/decks.html"
    return event_page(request, tournament, actor, template, "decks", context)
