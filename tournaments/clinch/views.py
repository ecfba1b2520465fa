"""The public page with scenarios of the last round, or chances before it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.clinch.pages import chances_table, needs_table
from tournaments.clinch.queries import is_calculating
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.web.views.polling import event_page, polled


@require_safe
@polled
def needs(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Show the scenarios or chances of all players; 404 if the event does not show them."""
    if not tournament.shows_needs:
        raise Http404
    needs = needs_table(tournament)
    chances = None if needs else chances_table(tournament)
    context = {
        "needs": needs,
        "chances": chances,
        "is_calculating": not needs and not chances and is_calculating(tournament),
    }
    return event_page(
        request, tournament, actor, "tournaments/clinch/needs.html", "standings", context
    )
