"""Public pages for standings, bracket and schedule."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db.models import Exists
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.form_fields import whole_number
from matches.scoring import scoring_rule
from tournaments.event import queries
from tournaments.event.pages import identities_beside_names
from tournaments.models import StandingSnapshot, Tournament
from tournaments.results.pages.bracket import best_of, bracket_drawing
from tournaments.results.pages.schedule import schedule_of
from tournaments.results.pages.standings import (
    CutLineDraw,
    made_cut_draw,
    placing_lines,
    planned_cut_draw,
    tie_breakers_in_words,
)
from tournaments.results.pages.standings_grid import StandingsGrid, standings_grid
from tournaments.rounds import elimination
from tournaments.web.pages import news
from tournaments.web.views.access import EventRequest
from tournaments.web.views.polling import event_page, polled

# Large columns of a round that these pages do not show.
LONG = "certificate", "relaxations"
NO_STANDINGS = "No standings after this round."


@require_safe
@partial(polled, reads=("round",))
def standings(request: EventRequest) -> HttpResponse:
    """Show live standings during a round, else the newest, or with ?round=n those after round n."""
    event, actor = request.event, request.actor
    rounds = queries.visible_rounds(event).select_related("stage").defer(*LONG)
    visible = list(rounds.annotate(has_bracket=Exists(queries.public_cuts(event))))
    grid = standings_grid(event, visible, _round_asked_for(request))
    if grid is None and "round" in request.GET:
        raise Http404(NO_STANDINGS)
    place = queries.registration_of(actor.player, event)
    has_cut = any(round_.stage.way.is_elimination for round_ in visible)
    counted = [round_ for round_ in visible if not round_.stage.way.is_elimination]
    context = {
        "grid": grid.seen_by(place.number) if grid and place else grid,
        "is_playing": place is not None,
        "has_bracket": visible[0].has_bracket if visible else False,
        "news": news(event, actor.player, visible[-1:]),
        "identities": identities_beside_names(event, actor.player),
        "closed": [round_ for round_ in counted if round_.is_closed],
        "current": next((round_ for round_ in counted if not round_.is_closed), None),
        "rule": scoring_rule(event.scoring_rule),
        "tie_breakers": tie_breakers_in_words(event),
        "draw": _cut_draw(event, visible) if _is_newest(grid) else None,
        **(after_the_cut(request) if has_cut else {}),
    }
    return event_page(request, "tournaments/results/standings.html", "standings", context)


def _is_newest(grid: StandingsGrid | None) -> bool:
    return grid is not None and not grid.live and grid.after == grid.stored


def _cut_draw(tournament: Tournament, visible: Sequence[Any]) -> CutLineDraw | None:
    """Return the random draw that decided the public cut, or that decides the planned cut."""
    if not visible[0].has_bracket:
        return planned_cut_draw(tournament)
    stage = queries.cut_of_event(tournament)
    return made_cut_draw(stage) if stage is not None else None


def _round_asked_for(request: HttpRequest) -> int | None:
    """Return the number of ?round=n, 0 if it is invalid; None without the parameter."""
    asked = request.GET.get("round", "")
    return whole_number(asked, 4) or 0 if asked else None


def after_the_cut(request: EventRequest) -> dict[str, Any]:
    """Return the places of the cut for the page; empty with ?round=n, which shows the Swiss."""
    stage = queries.cut_of_event(request.event)
    if "round" in request.GET or stage is None or not queries.cut_has_begun(stage):
        return {}
    cut = elimination.cut_of(stage)
    return {"cut": cut, "placings": placing_lines(request.event, cut, request.actor.player)}


def snapshot_asked_for(request: EventRequest) -> StandingSnapshot | None:
    """Return the snapshot of ?round=n, else the newest; Http404 for a round without standings."""
    asked = _round_asked_for(request)
    snapshot = queries.newest_snapshot(request.event, asked)
    if snapshot is None and asked is not None:
        raise Http404(NO_STANDINGS)
    return snapshot


@require_safe
@polled
def bracket(request: EventRequest) -> HttpResponse:
    """Show the bracket as drawing and table; empty until a cut is published."""
    stage = queries.cut_of_event(request.event)
    context: dict[str, Any] = {}
    if stage is not None and queries.cut_is_public(stage):
        cut = elimination.cut_of(stage)
        placings = placing_lines(request.event, cut, request.actor.player)[: len(cut.entries)]
        context = {
            "stage": stage,
            "cut": cut,
            "identities": identities_beside_names(request.event, request.actor.player),
            "bracket": bracket_drawing(cut, request.actor.player),
            "best_of": best_of(stage),
            "changes": queries.cut_changes(stage),
            "placings": placings,
            "has_places": any(line.name for line in placings),
        }
    return event_page(request, "tournaments/results/bracket.html", "bracket", context)


@require_safe
@polled
def schedule(request: EventRequest) -> HttpResponse:
    """Show the round robin by round with results; empty until round 1 is published."""
    stage = queries.round_robin_of_event(request.event)
    context = {
        "is_round_robin": queries.is_round_robin(request.event),
        "schedule": schedule_of(stage, request.actor.player) if stage is not None else None,
    }
    return event_page(request, "tournaments/results/schedule.html", "schedule", context)
