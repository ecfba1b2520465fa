"""The plan of a round robin, for everybody."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.sheets.round_robin import round_robin_sheet
from tournaments.views.polling import event_page, polled


@require_safe
@polled
def schedule(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Who meets whom in which round, and every result; empty until round 1 is published."""
    stage = queries.round_robin_of_event(tournament)
    context = {
        "is_round_robin": queries.is_round_robin(tournament),
        "sheet": round_robin_sheet(stage, actor.player) if stage is not None else None,
    }
    template = "tournaments/public/schedule.html"
    return event_page(request, tournament, actor, template, "schedule", context)
