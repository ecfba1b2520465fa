"""The deck lists of an event, as far as whoever looks may see them now."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments import visibility
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.sheets.decklists import deck_lists
from tournaments.views.polling import SECRET, event_page, polled


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
        "everybody_sees": visibility.has_decks_page(tournament, None),
    }
    template = "tournaments/public/decks.html"
    return event_page(request, tournament, actor, template, "decks", context)
