"""The same as the pages show, as files for spreadsheets."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from tournaments import exports, permissions, queries
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.sheets.placings import places_with_cut
from tournaments.views.behind import staff_page
from tournaments.views.polling import polled
from tournaments.views.standings import snapshot_asked_for


@require_safe
@polled
def standings_csv(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The newest standings with the places of a cut, or with ?round=n those after round n."""
    snapshot = snapshot_asked_for(request, tournament)
    if snapshot is None:
        raise Http404("No standings yet.")
    name = f"{tournament.slug}-standings-{snapshot.round.number}"
    is_newest = snapshot == queries.newest_snapshot(tournament)
    places = places_with_cut(tournament) if is_newest else None
    return as_file(exports.standings_csv(snapshot, places), name)


@staff_page(permissions.can_run)
def roster_export(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everybody on the roster, whatever the page searches for."""
    return as_file(exports.roster_csv(tournament), f"{tournament.slug}-roster")


def as_file(data: bytes, name: str) -> HttpResponse:
    """A CSV file to be kept under this name."""
    # An address has only ASCII letters, digits and hyphens, so every disk takes the name.
    disposition = content_disposition_header(as_attachment=True, filename=f"{name}.csv")
    headers = {"Content-Disposition": disposition or "attachment"}
    return HttpResponse(data, content_type="text/csv; charset=utf-8", headers=headers)
