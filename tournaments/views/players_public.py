"""One player of an event: rounds, and the standing worked out."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.sheets.identities import identities_beside_names
from tournaments.sheets.placings import place_with_cut
from tournaments.sheets.round_lines import round_lines
from tournaments.sheets.workings import sums
from tournaments.views.polling import event_page, polled


@require_safe
@polled
def player(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """Why this player stands where they stand, term by term."""
    registration = get_object_or_404(
        queries.players(tournament).select_related("player"), number=number
    )
    registration.tournament = tournament
    snapshot = queries.newest_snapshot(tournament)
    context = {
        "registration": registration,
        "identities": identities_beside_names(tournament, actor.player),
        "rounds": round_lines(registration),
        "snapshot": snapshot,
        "standing": snapshot.rows.filter(registration=registration).first() if snapshot else None,
        "placing": place_with_cut(tournament, number),
        "sums": sums(registration, snapshot.round) if snapshot else [],
    }
    template = "tournaments/public/player.html"
    return event_page(request, tournament, actor, template, "standings", context)
