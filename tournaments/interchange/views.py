"""An event as files: the page that offers them, and the files themselves."""

from collections.abc import Callable
from functools import partial

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import conditional_page, require_safe

from core.csv_tables import CSV
from core.downloads import attached
from core.rate_limits import rate_limited
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.interchange.exports import spreadsheets
from tournaments.interchange.services import exporting
from tournaments.interchange.services.exporting import Asked, Format
from tournaments.models import Tournament
from tournaments.results.pages.standings import places_with_cut
from tournaments.results.views.standings import snapshot_asked_for
from tournaments.web.views.access import event_or_404
from tournaments.web.views.polling import event_page, polled
from tournaments.web.views.staff_pages import StaffView, staff_page


@require_safe
def offered(request: HttpRequest, slug: str) -> HttpResponse:
    """Every format, who may have it, and the pairings as text to copy."""
    tournament, actor = event_or_404(request, slug)
    context = {
        "formats": [
            (format_, format_.why_not(tournament))
            for format_ in exporting.formats_for(actor, tournament)
        ],
        "pieces": exporting.pieces_of(tournament),
        "may_run": permissions.can_run(actor, tournament),
    }
    template = "tournaments/interchange/exports.html"
    response = event_page(request, tournament, actor, template, "exports", context)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def download(form: str) -> Callable[..., HttpResponse]:
    """The view of one file, closed to those who may not have it."""
    format_ = exporting.FORMATS[form]

    def answer(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
        return _file(request, format_, tournament, actor)

    if not format_.is_for_all:
        return staff_page(format_.may)(answer)
    limited = rate_limited("expensive")(conditional_page(_for_readers(answer)))
    return require_safe(limited)


def _for_readers(view: StaffView[[]]) -> Callable[..., HttpResponse]:
    def wrapper(request: HttpRequest, slug: str) -> HttpResponse:
        tournament, actor = event_or_404(request, slug)
        response = view(request, tournament, actor)
        # It depends on who reads: what stands in a file for a player is not for all.
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie"])
        return response

    return wrapper


def _file(
    request: HttpRequest, format_: Format, tournament: Tournament, actor: Actor
) -> HttpResponse:
    private = request.GET.get("private") == "1"
    if private and not permissions.can_run(actor, tournament):
        raise PermissionDenied
    page = request.build_absolute_uri(tournament.get_absolute_url())
    try:
        data = exporting.made(format_, Asked(tournament, actor, page, private))
    except exporting.NothingToExport as nothing:
        raise Http404(str(nothing)) from nothing
    return attached(data, format_.file_name(tournament), format_.media_type)


@require_safe
@partial(polled, reads=("round",))
def standings_csv(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The newest standings with the places of a cut, or with ?round=n those after round n."""
    snapshot = snapshot_asked_for(request, tournament)
    if snapshot is None:
        raise Http404("No standings yet.")
    name = f"{tournament.slug}-standings-{snapshot.round.number}"
    is_newest = snapshot == queries.newest_snapshot(tournament)
    places = places_with_cut(tournament) if is_newest else None
    return attached(spreadsheets.standings_csv(snapshot, places), f"{name}.csv", CSV)


@staff_page(permissions.can_run)
def roster_export(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everybody on the roster, whatever the page searches for."""
    return attached(spreadsheets.roster_csv(tournament), f"{tournament.slug}-roster.csv", CSV)
