"""Standings and pairings as they were at any moment of the event."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from tournaments import permissions, queries, visibility
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.queries import history
from tournaments.sheets import as_it_was as sheets
from tournaments.sheets.tables import standings_table
from tournaments.views.behind import desk_page, staff_page


@staff_page(permissions.can_open_desk)
def versions(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """All pairings that were drafted or published, all standings that were computed."""
    with_draft = visibility.can_see_drafts(actor, tournament)
    entries = queries.readable_log(tournament, with_draft=with_draft, with_checks=False)
    told = history.pairings_told(entries).select_related("round")
    if not with_draft:
        told = told.filter(action="round published")
    standings, pairings = sheets.versions(tournament), sheets.pairings_by_round(told)
    numbers = sorted(standings.keys() | pairings.keys())
    context = {
        "rounds": [
            (number, pairings.get(number, []), standings.get(number, [])) for number in numbers
        ]
    }
    return desk_page(request, tournament, actor, "versions.html", context)


@staff_page(permissions.can_open_desk)
def standings_then(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """One computation of the standings, and what differs from the one before."""
    snapshot = get_object_or_404(tournament.snapshots.select_related("round"), pk=pk)
    context = {
        "snapshot": snapshot,
        "table": standings_table(tournament, snapshot),
        "moved": sheets.moved(snapshot),
        "newest": queries.newest_snapshot(tournament, snapshot.round.number),
    }
    return desk_page(request, tournament, actor, "standings_then.html", context)
