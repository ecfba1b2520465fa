"""The bracket of a cut and the plan of a round robin, for everybody."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.event.pages import identities_beside_names
from tournaments.models import Tournament
from tournaments.results.pages.bracket import bracket_drawing
from tournaments.results.pages.placings import placing_lines
from tournaments.results.pages.schedule import schedule_of
from tournaments.rounds import elimination
from tournaments.web.views.polling import event_page, polled


@require_safe
@polled
def bracket(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Who meets whom, drawn and as a table; empty until the first games are published."""
    stage = queries.cut_of_event(tournament)
    context: dict[str, Any] = {}
    if stage is not None and queries.is_public_cut(stage):
        cut = elimination.cut_of(stage)
        context = {
            "stage": stage,
            "cut": cut,
            "identities": identities_beside_names(tournament, actor.player),
            "bracket": bracket_drawing(cut, actor.player),
            "placings": placing_lines(tournament, cut, actor.player)[: len(cut.entries)],
        }
    template = "tournaments/results/bracket.html"
    return event_page(request, tournament, actor, template, "bracket", context)


@require_safe
@polled
def schedule(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Who meets whom in which round, and every result; empty until round 1 is published."""
    stage = queries.round_robin_of_event(tournament)
    context = {
        "is_round_robin": queries.is_round_robin(tournament),
        "schedule": schedule_of(stage, actor.player) if stage is not None else None,
    }
    template = "tournaments/results/schedule.html"
    return event_page(request, tournament, actor, template, "schedule", context)
