"""The parts of an event: how each is paired and scored, and how far it is."""

from django.http import HttpRequest, HttpResponse

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.sheets.stages import stage_lines
from tournaments.views.behind import desk_page, staff_page


@staff_page(permissions.can_open_desk)
def stages(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """All stages, first to last, with their rounds."""
    context = {"lines": stage_lines(tournament)}
    return desk_page(request, tournament, actor, "stages.html", context)
