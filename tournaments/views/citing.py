"""What judges have cited at an event."""

from django.http import HttpRequest, HttpResponse

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.queries.citing import cited_at
from tournaments.views.behind import desk_page, staff_page


@staff_page(permissions.can_judge)
def event_cited(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Every ruling that was cited here, as it read that day, and where."""
    context = {"cited": cited_at(tournament)}
    return desk_page(request, tournament, actor, "cited.html", context)
