"""Judge calls that are over: who answered what, and figures for the head judge."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse

from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.forms.calls import PastCallsForm
from tournaments.models import Tournament
from tournaments.sheets.call_figures import figures_of
from tournaments.views.behind import desk_page, staff_page

CALLS = 50
"""Calls on one page."""


@staff_page(permissions.can_judge)
def calls_past(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Who answered what, the newest first, or the calls looked for."""
    rounds = queries.rounds_with_calls(tournament)
    judges = queries.judges_of_calls(tournament)
    form = PastCallsForm(request.GET, rounds=rounds, judges=judges)
    past = queries.past_calls(tournament, **form.wanted)
    page = Paginator(past, CALLS).get_page(request.GET.get("page"))
    context = {"form": form, "page_obj": page, "is_used": any(form.wanted.values())}
    return desk_page(request, tournament, actor, "calls_past.html", context)


@staff_page(permissions.can_head_judge)
def judge_statistics(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """How many calls, how fast, how good: for the head judge."""
    context = {"figures": figures_of(tournament)}
    return desk_page(request, tournament, actor, "judge_statistics.html", context)
