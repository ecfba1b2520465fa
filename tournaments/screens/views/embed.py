"""Standings and pairings for the pages of other people: read-only, in a frame of any site.

No session is read and no cookie is set: whoever the reader is, they get what a passer-by gets.
"""

from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from tournaments.event import queries, visibility
from tournaments.models import Tournament
from tournaments.rounds.pages import tables
from tournaments.screens.forms import EmbedForm
from tournaments.screens.views.overlay import wrong_options
from tournaments.web.views.access import open_event_or_404
from tournaments.web.views.polling import FOR_ALL, is_fragment, look
from tournaments.web.views.server_time import with_now

ANY_SITE = {"frame-ancestors": ["*"]}
Sheet = Callable[[Tournament], dict[str, Any]]


def framable(name: str) -> Callable[[Sheet], Callable[..., HttpResponseBase]]:
    """A page of an open event that any site may frame, and the word on a wrong option.

    Other events are a 404, framed by nobody.
    """

    def decorate(sheet: Sheet) -> Callable[..., HttpResponseBase]:
        @require_safe
        @xframe_options_exempt
        @csp_replace(ANY_SITE)  # type: ignore[arg-type] # It is typed for views without a slug.
        @wraps(sheet)
        def view(request: HttpRequest, slug: str) -> HttpResponse:
            form = EmbedForm(request.GET)
            if not form.is_valid():
                return wrong_options(form)
            tournament = open_event_or_404(slug)
            etag = _etag(request, tournament)
            answer = get_conditional_response(request, etag=etag)
            if answer is None:
                answer = _rendered(request, name, tournament, form, sheet(tournament))
            return _marked(answer, etag)

        return view

    return decorate


def _etag(request: HttpRequest, tournament: Tournament) -> str:
    parts = (
        look(),
        request.get_host(),
        request.get_full_path(),
        is_fragment(request),
        tournament.pk,
        tournament.version,
        visibility.moments_passed(tournament),
    )
    return quote_etag(sha256(repr(parts).encode()).hexdigest()[:32])


def _rendered(
    request: HttpRequest, name: str, tournament: Tournament, form: EmbedForm, told: dict[str, Any]
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "look": form.cleaned_data,
        "poll_url": request.get_full_path(),
        **told,
    }
    part = "#live" if is_fragment(request) else ""
    # Without the request: what looks at it would read the session.
    return HttpResponse(render_to_string(f"tournaments/screens/embed/{name}.html{part}", context))


def _marked(response: HttpResponse, etag: str) -> HttpResponse:
    response["ETag"], response["Cache-Control"] = etag, FOR_ALL
    patch_vary_headers(response, ["X-Fragment"])
    return with_now(response)


@framable("standings")
def standings(tournament: Tournament) -> dict[str, Any]:
    """The standings in force."""
    snapshot = queries.newest_snapshot(tournament)
    table = tables.standings_table(tournament, snapshot, None) if snapshot else None
    return {"snapshot": snapshot, "table": table}


@framable("pairings")
def pairings(tournament: Tournament) -> dict[str, Any]:
    """The tables of the newest round."""
    round_ = queries.newest_visible_round(tournament)
    return {"round": round_, "lines": tables.table_lines(round_) if round_ else []}
