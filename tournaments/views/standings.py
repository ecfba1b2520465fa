"""The standings after a round."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import StandingSnapshot, Tournament
from tournaments.sheets import tables
from tournaments.views.polling import event_page, polled


@require_safe
@polled
def standings(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The newest standings, or with ?round=n those after round n."""
    snapshot = snapshot_asked_for(request, tournament)
    visible = list(queries.visible_rounds(tournament))
    context = {
        "snapshot": snapshot,
        "table": tables.standings_table(tournament, snapshot, actor.player) if snapshot else None,
        "closed": [round_ for round_ in visible if round_.is_closed],
        "current": next((round_ for round_ in visible if not round_.is_closed), None),
        "tie_breakers": tables.tie_breakers_in_words(tournament),
    }
    template = "tournaments/public/standings.html"
    return event_page(request, tournament, actor, template, "standings", context)


def snapshot_asked_for(request: HttpRequest, tournament: Tournament) -> StandingSnapshot | None:
    """The snapshot of ?round=n, else the newest; Http404 for a round without standings."""
    asked = request.GET.get("round", "")
    if not asked:
        return queries.newest_snapshot(tournament)
    # More digits than any round has: the database would refuse the number.
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 5 else 0
    snapshot = queries.newest_snapshot(tournament, number)
    if snapshot is None:
        raise Http404("No standings after this round.")
    return snapshot
