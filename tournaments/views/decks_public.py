"""The deck lists of an event, as far as whoever looks may see them now."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from players.models import Player
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
        "everybody_sees": actor.player is None or _everybody_sees(tournament, actor.player),
    }
    template = "tournaments/public/decks.html"
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
