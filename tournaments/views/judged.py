"""What judges look back on: the history of a player at the event, and the report of the event."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404

from tournaments import exports, permissions
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.sheets import judged as sheets
from tournaments.views.behind import desk_page, staff_page
from tournaments.views.downloads import as_file


@staff_page(permissions.can_judge)
def conduct(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Penalties, calls, notes and deck checks of one player."""
    rows = tournament.registrations.select_related("player", "tournament")
    place = get_object_or_404(rows, number=number)
    context = {"place": place, "conduct": sheets.conduct(place)}
    return desk_page(request, tournament, actor, "penalty_history.html", context)


@staff_page(permissions.can_head_judge)
def judged(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The report of the judges, to be read or printed."""
    context = {"report": sheets.report(tournament)}
    return desk_page(request, tournament, actor, "judged.html", context)


@staff_page(permissions.can_head_judge)
def judged_csv(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The same for a spreadsheet, a row for each call, penalty and local ruling."""
    document = sheets.document(sheets.report(tournament))
    return as_file(exports.judged_csv(document), f"{tournament.slug}-judges")


@staff_page(permissions.can_head_judge)
def judged_json(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The same as one document for programs."""
    document = sheets.document(sheets.report(tournament))
    return JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 1})
