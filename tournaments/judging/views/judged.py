"""What judges look back on: calls, penalties and rulings cited, of a player and of the event."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404

from core.csv_tables import CSV
from core.downloads import attached
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.judging import exports as judging_exports
from tournaments.judging import queries as judging_queries
from tournaments.judging.forms.calls import PastCallsForm
from tournaments.judging.pages import judged as pages
from tournaments.judging.pages.judging import figures_of
from tournaments.judging.queries import cited_at
from tournaments.models import Tournament
from tournaments.web.views.staff_pages import desk_page, staff_page


@staff_page(permissions.can_judge)
def conduct(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Penalties, calls, notes and deck checks of one player."""
    rows = tournament.registrations.select_related("player", "tournament")
    place = get_object_or_404(rows, number=number)
    context = {"place": place, "conduct": pages.conduct(place)}
    return desk_page(
        request, tournament, actor, "tournaments/judging/penalty_history.html", context
    )


@staff_page(permissions.can_head_judge)
def judged(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The report of the judges, to be read or printed."""
    context = {"report": pages.report(tournament)}
    return desk_page(request, tournament, actor, "tournaments/judging/judged.html", context)


@staff_page(permissions.can_head_judge)
def judged_csv(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The same for a spreadsheet, a row for each call, penalty and local ruling."""
    document = pages.document(pages.report(tournament))
    return attached(judging_exports.judged_csv(document), f"{tournament.slug}-judges.csv", CSV)


@staff_page(permissions.can_head_judge)
def judged_json(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The same as one document for programs."""
    document = pages.document(pages.report(tournament))
    return JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 1})


@staff_page(permissions.can_judge)
def event_cited(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Every ruling that was cited here, as it read that day, and where."""
    context = {"cited": cited_at(tournament)}
    return desk_page(request, tournament, actor, "tournaments/judging/cited.html", context)


CALLS = 50
"""Calls on one page."""


@staff_page(permissions.can_judge)
def calls_past(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Who answered what, the newest first, or the calls looked for."""
    rounds = judging_queries.rounds_with_calls(tournament)
    judges = judging_queries.judges_of_calls(tournament)
    form = PastCallsForm(request.GET, rounds=rounds, judges=judges)
    past = judging_queries.past_calls(tournament, **form.wanted)
    page = Paginator(past, CALLS).get_page(request.GET.get("page"))
    context = {"form": form, "page_obj": page, "is_used": any(form.wanted.values())}
    return desk_page(request, tournament, actor, "tournaments/judging/calls_past.html", context)


@staff_page(permissions.can_head_judge)
def judge_statistics(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """How many calls, how fast, how good: for the head judge."""
    context = {"figures": figures_of(tournament)}
    return desk_page(
        request, tournament, actor, "tournaments/judging/judge_statistics.html", context
    )
