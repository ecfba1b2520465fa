"""Standings, bracket and schedule for everybody."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.form_fields import whole_number
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.event.pages import identities_beside_names
from tournaments.models import StandingSnapshot, Tournament
from tournaments.results.pages.bracket import bracket_drawing
from tournaments.results.pages.schedule import schedule_of
from tournaments.results.pages.standings import (
    placing_lines,
    standings_table,
    tie_breakers_in_words,
)
from tournaments.rounds import elimination
from tournaments.web.views.polling import event_page, polled


@require_safe
@polled
def standings(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The newest standings, or with ?round=n those after round n."""
    snapshot = snapshot_asked_for(request, tournament)
    visible = list(queries.visible_rounds(tournament).select_related("stage"))
    context = {
        "snapshot": snapshot,
        "table": standings_table(tournament, snapshot, actor.player) if snapshot else None,
        "identities": identities_beside_names(tournament, actor.player),
        "closed": [one for one in visible if one.is_closed and not one.stage.way.is_elimination],
        "current": next((round_ for round_ in visible if not round_.is_closed), None),
        "tie_breakers": tie_breakers_in_words(tournament),
        **after_the_cut(request, tournament, actor),
    }
    template = "tournaments/results/standings.html"
    return event_page(request, tournament, actor, template, "standings", context)


def after_the_cut(request: HttpRequest, tournament: Tournament, actor: Actor) -> dict[str, object]:
    """With a cut its places come first; ?round=n shows the Swiss alone."""
    stage = queries.cut_of_event(tournament)
    if "round" in request.GET or stage is None or not queries.is_public_cut(stage):
        return {}
    cut = elimination.cut_of(stage)
    return {"cut": cut, "placings": placing_lines(tournament, cut, actor.player)}


def snapshot_asked_for(request: HttpRequest, tournament: Tournament) -> StandingSnapshot | None:
    """The snapshot of ?round=n, else the newest; Http404 for a round without standings."""
    asked = request.GET.get("round", "")
    if not asked:
        return queries.newest_snapshot(tournament)
    snapshot = queries.newest_snapshot(tournament, whole_number(asked, 4) or 0)
    if snapshot is None:
        raise Http404("No standings after this round.")
    return snapshot


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
