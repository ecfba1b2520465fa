"""Views of projector, overlays, embedded pages and printouts."""

from collections.abc import Callable
from functools import partial, wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import segno
from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.clickjacking import xframe_options_exempt, xframe_options_sameorigin
from django.views.decorators.http import require_safe

from core.addresses import shared_address, shared_url
from core.files import qr_code_response
from core.form_fields import whole_number
from core.languages import activate_event_language
from core.page_cache import OUTDATED_HEADER, render_in_turn
from matches.scoring.rules import scoring_rule
from tournaments.decklists.pages import deck_lists
from tournaments.displays.forms import (
    DisplayOptionsForm,
    EmbedOptionsForm,
    OverlayOptionsForm,
    OverlayStandingsForm,
)
from tournaments.displays.pages import (
    HIDDEN_PLAYER_LABEL,
    ProjectorView,
    blank_result_slips,
    get_overlay_bracket,
    get_overlay_standings,
    get_overlay_table,
    projector_state,
    result_slips,
    stream_tables,
    view_choices,
)
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.models import RegistrationState, Round, Tournament
from tournaments.registration.pages import meeting_lines, meeting_tables
from tournaments.results.pages import open_results
from tournaments.results.standings_pages import standings_table
from tournaments.results.views import get_cut_placings, get_requested_snapshot
from tournaments.rounds import pages as rounds_pages
from tournaments.rounds import timing_pages
from tournaments.web.access import EventRequest, event_view, open_event_or_404, round_or_404
from tournaments.web.polling import (
    FOR_ALL,
    FOR_ONE,
    add_server_time,
    assets_hash,
    is_fragment,
    polled_page,
    render_event_page,
)
from tournaments.web.staff_pages import render_desk_page, staff_page

OverlayPage = Callable[..., HttpResponse]
FRAMED_BY_ANY_SITE = {"frame-ancestors": ["*"]}
# The list of overlays shows each of them in a frame.
FRAMED_BY_THIS_SITE = {"frame-ancestors": [SELF]}
STREAM_OVERLAYS = (
    (
        "feature",
        _("Feature table"),
        _("Lower third: players, sides, identities, points and clock."),
    ),
    ("standings", _("Standings"), _("The best players, with their points.")),
    ("bracket", _("Bracket"), _("The whole bracket, full screen.")),
    ("clock", _("Clock"), _("Only the round clock.")),
)
EMBEDS = (("standings", _("Standings")), ("pairings", _("Pairings")))
EmbedContext = Callable[[Tournament], dict[str, Any]]


@require_safe
@partial(
    polled_page,
    reads={"show": tuple(ProjectorView), "turn": tuple(map(str, range(len(ProjectorView))))},
)
def projector(request: EventRequest) -> HttpResponse:
    """Follow the event automatically, or show only the views in `?show=pairings&show=clock`.

    Without scripts the page reloads itself, and `turn` counts the views shown.
    """
    chosen = request.GET.getlist("show")
    state = projector_state(request.event, chosen)
    turn = whole_number(request.GET.get("turn", ""), 6) or 0
    views = [("show", view.name.value) for view in state.views] if chosen else []
    context = {
        "wall": state,
        "show": state.views[turn % len(state.views)].name,
        "choices": view_choices(chosen),
        # The query string of the next view.
        "next_turn": urlencode([*views, ("turn", (turn + 1) % len(state.views))]),
    }
    return render_event_page(request, "tournaments/displays/projector.html", "projector", context)


def wrong_options_response(form: DisplayOptionsForm) -> HttpResponse:
    """Return a plain-text 400 that names each wrong option and the allowed values."""
    lines = [
        f"{'' if name == '__all__' else f'{name}: '}{' '.join(map(str, errors))}"
        for name, errors in form.errors.items()
    ]
    return HttpResponseBadRequest("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def with_display_options(
    form_class: type[DisplayOptionsForm],
) -> Callable[[OverlayPage], Callable[..., HttpResponseBase]]:
    """Validate the display options before loading the event; pass them to the view as `look`."""

    def decorate(view: OverlayPage) -> Callable[..., HttpResponseBase]:
        page = polled_page(view, reads=tuple(form_class.base_fields))

        @require_safe
        @xframe_options_sameorigin
        @csp_replace(FRAMED_BY_THIS_SITE)  # type: ignore[arg-type] # It is typed for views without a slug.
        @wraps(view)
        def wrapper(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            form = form_class(request.GET)
            if not form.is_valid():
                return wrong_options_response(form)
            return page(request, slug, look=form.cleaned_data, **kwargs)

        return wrapper

    return decorate


@with_display_options(OverlayOptionsForm)
def overlay_table(
    request: EventRequest, look: dict[str, Any], number: int | None = None
) -> HttpResponse:
    """Show a table of the newest round; without a number, the first feature table."""
    context = {
        "look": look,
        "table": get_overlay_table(request.event, number),
        "silent": True,
    }
    return _overlay_page(request, "table", context)


@with_display_options(OverlayStandingsForm)
def overlay_standings(request: EventRequest, look: dict[str, Any]) -> HttpResponse:
    shown = get_overlay_standings(request.event, look["top"], look["page"])
    context = {"look": look, "standings": shown, "not_named": HIDDEN_PLAYER_LABEL}
    return _overlay_page(request, "standings", context)


@with_display_options(OverlayOptionsForm)
def overlay_clock(request: EventRequest, look: dict[str, Any]) -> HttpResponse:
    round_ = request.event.newest_published_round()
    context = {"look": look, "clock": timing_pages.get_clock_face(round_), "silent": True}
    return _overlay_page(request, "clock", context)


@with_display_options(OverlayOptionsForm)
def overlay_bracket(request: EventRequest, look: dict[str, Any]) -> HttpResponse:
    """Show the bracket once the cut is public; a player who avoids the stream has no name."""
    context = {"look": look, "cut": get_overlay_bracket(request.event)}
    return _overlay_page(request, "bracket", context)


def _overlay_page(request: EventRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    return render_event_page(
        request, f"tournaments/displays/overlay/{name}.html", "overlay", context
    )


@require_safe
@polled_page
def overlay_addresses(request: EventRequest) -> HttpResponse:
    slug = request.event.slug
    context = {
        "overlays": [
            (name, label, text, reverse(f"tournaments:overlay_{name}", args=[slug]))
            for name, label, text in STREAM_OVERLAYS
        ],
        "embeds": [
            (label, reverse(f"tournaments:embed_{name}", args=[slug])) for name, label in EMBEDS
        ],
        "is_staff": event_permissions.is_staff(request.actor, request.event),
    }
    return render_event_page(request, "tournaments/displays/overlays.html", "event", context)


@require_safe
@partial(polled_page, reads=("table",))
def stream(request: EventRequest) -> HttpResponse:
    """Show the feature tables with points and clock; `?table=3` selects another table.

    Only public data is shown, and no players who avoid the stream.
    """
    round_ = request.event.rounds.published().select_related("stage").last()
    shown = []
    if round_ is not None:
        round_.stage.tournament = request.event
        table = whole_number(request.GET.get("table", ""), 4)
        shown = stream_tables(request.event, round_, table)
    context = {
        "round": round_,
        "tables": shown,
        "clock": timing_pages.get_clock_face(round_) if round_ else None,
        "silent": True,
    }
    return render_event_page(request, "tournaments/displays/stream.html", "stream", context)


def embeddable_page(name: str) -> Callable[[EmbedContext], Callable[..., HttpResponseBase]]:
    """Build an embeddable page of a public or unlisted event that any site may frame.

    A wrong option returns a 400. Other events return a 404 that cannot be framed.
    """

    def decorate(context_of: EmbedContext) -> Callable[..., HttpResponseBase]:
        @require_safe
        @xframe_options_exempt
        @csp_replace(FRAMED_BY_ANY_SITE)  # type: ignore[arg-type] # It is typed for views without a slug.
        @wraps(context_of)
        def view(request: EventRequest, slug: str) -> HttpResponse:
            form = EmbedOptionsForm(request.GET)
            if not form.is_valid():
                return wrong_options_response(form)
            request.event = open_event_or_404(slug, only=visibility.VERSION_COLUMNS)
            activate_event_language(request, request.event.language)
            key, version = _cache_key(request, name, form), request.event.version

            def rendered() -> tuple[int, HttpResponse]:
                request.event = open_event_or_404(slug)
                response = _render_embed(request, name, form, context_of(request.event))
                return request.event.version, response

            etag = f'W/"{key}-{version}"'
            response = get_conditional_response(request, etag=etag)
            if response is None:
                response = render_in_turn(request, key, version, rendered, needs_turn=False)
            return response if OUTDATED_HEADER in response else _with_cache_headers(response, etag)

        return view

    return decorate


def _cache_key(request: EventRequest, name: str, form: EmbedOptionsForm) -> str:
    parts = (
        assets_hash(),
        shared_address(request),
        name,
        form.cleaned_data,
        is_fragment(request),
        get_language(),
        request.event.pk,
        visibility.count_passed_times(request.event),
    )
    return sha256(repr(parts).encode()).hexdigest()[:32]


def _render_embed(
    request: EventRequest, name: str, form: EmbedOptionsForm, shown: dict[str, Any]
) -> HttpResponse:
    context = {
        "tournament": request.event,
        "look": form.cleaned_data,
        "poll_url": f"{request.path}?theme={form.data.get('theme', '')}",
        **shown,
    }
    part = "#live" if is_fragment(request) else ""
    # Rendered without the request, because context processors would read the session.
    return HttpResponse(render_to_string(f"tournaments/displays/embed/{name}.html{part}", context))


def _with_cache_headers(response: HttpResponse, etag: str) -> HttpResponse:
    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
        response["Cache-Control"] = FOR_ONE
        return response
    response["ETag"], response["Cache-Control"] = etag, FOR_ALL
    patch_vary_headers(response, ["X-Fragment"])
    return add_server_time(response)


@embeddable_page("standings")
def embedded_standings(tournament: Tournament) -> dict[str, Any]:
    snapshot = tournament.snapshots.newest()
    table = standings_table(tournament, snapshot) if snapshot else None
    return {"snapshot": snapshot, "table": table}


@embeddable_page("pairings")
def embedded_pairings(tournament: Tournament) -> dict[str, Any]:
    round_ = tournament.newest_published_round()
    return {"round": round_, "lines": rounds_pages.table_lines(round_) if round_ else []}


@staff_page(event_permissions.can_open_desk)
def printout_list(request: EventRequest) -> HttpResponse:
    rounds = list(request.event.rounds.published().select_related("stage__tournament"))
    Round.prefetch_names(rounds)
    context = {
        "round": rounds[-1] if rounds else None,
        "earlier": rounds[:-1],
        "closed_numbers": request.event.rounds.closed_numbers(),
        "meeting_is_on": request.event.meeting_is_on(),
    }
    return render_desk_page(request, "tournaments/displays/paper/index.html", context)


@staff_page(event_permissions.can_open_desk)
def print_roster(request: EventRequest) -> HttpResponse:
    coming = request.event.roster().exclude(state=RegistrationState.DROPPED)
    return render_desk_page(
        request, "tournaments/displays/paper/roster.html", {"roster": list(coming)}
    )


@staff_page(event_permissions.can_open_desk)
def print_meeting_seats(request: EventRequest) -> HttpResponse:
    lines = meeting_lines(request.event) if request.event.meeting_is_on() else []
    context = {"lines": lines, "tables": meeting_tables(lines)}
    return render_desk_page(request, "tournaments/displays/paper/meeting.html", context)


@staff_page(event_permissions.can_open_desk)
def print_open_tables(request: EventRequest) -> HttpResponse:
    with_drafts = visibility.can_see_drafts(request.actor, request.event)
    tables = open_results(request.event, with_drafts=with_drafts)
    nexts = (following for table in tables for _, following in table.seats)
    context = {
        "open_tables": tables,
        "has_drafts": any(following and following.is_draft for following in nexts),
    }
    return render_desk_page(request, "tournaments/displays/paper/open.html", context)


@staff_page(event_permissions.can_judge)
def print_decks(request: EventRequest) -> HttpResponse:
    """Print all decks the judge may read; `?per=page` starts a new page for each deck."""
    per = "page" if request.GET.get("per") == "page" else "player"
    seen = visibility.visible_decks(request.actor, request.event)
    context = {"per": per, "players": deck_lists(seen)}
    return render_desk_page(request, "tournaments/displays/paper/decks.html", context)


@staff_page(event_permissions.can_open_desk)
def print_slips(request: EventRequest, number: int) -> HttpResponse:
    round_ = round_or_404(request, number)
    context = {
        "round": round_,
        "slips": result_slips(round_),
        "rule": scoring_rule(round_.stage.scoring_rule),
    }
    return render_desk_page(request, "tournaments/displays/slips.html", context)


@staff_page(event_permissions.can_open_desk)
def print_blank_slips(request: EventRequest) -> HttpResponse:
    """Print a page of blank result slips for when the site is unreachable."""
    stage = request.event.current_stage()
    context = {
        "round": None,
        "slips": blank_result_slips(stage),
        "rule": scoring_rule(stage.scoring_rule),
    }
    return render_desk_page(request, "tournaments/displays/slips.html", context)


@staff_page(event_permissions.can_open_desk)
def poster(request: EventRequest) -> HttpResponse:
    context = {
        "join_address": _join_address(request),
        "event_address": shared_url(request, request.event.get_absolute_url()),
    }
    return render_desk_page(request, "tournaments/displays/poster.html", context)


@require_safe
@event_view
def qr_code(request: EventRequest) -> HttpResponse:
    """Return the QR code of the join address, or of the event page with `?to=event`."""
    address, title = _join_address(request), str(_("Join code"))
    if request.GET.get("to") == "event":
        address, title = shared_url(request, request.event.get_absolute_url()), str(_("Event page"))
    return qr_code_response(segno.make(address, error="m", micro=False), title)


def _join_address(request: EventRequest) -> str:
    path = reverse("tournaments:join_code", args=[request.event.join_code])
    return shared_url(request, path)


@require_safe
@partial(polled_page, reads={"by": ("name", "table")})
def print_pairings(request: EventRequest, number: int) -> HttpResponse:
    """Print the pairings of a round by name and by table; `?by=name` or `?by=table` prints one."""
    round_ = round_or_404(request, number)
    if round_.is_draft:
        return redirect("tournaments:draft", request.event.slug, number)
    lines = rounds_pages.table_lines(round_)
    by = request.GET.get("by", "")
    context = {
        "round": round_,
        "by": by if by in ("name", "table") else "both",
        "rule": scoring_rule(round_.stage.scoring_rule),
        "lines": lines,
        "names": rounds_pages.name_lines(lines),
    }
    return render_event_page(
        request, "tournaments/displays/print_pairings.html", "pairings", context
    )


@require_safe
@partial(polled_page, reads=("round",))
def print_standings(request: EventRequest) -> HttpResponse:
    """Print the newest standings, or those of `?round=n`."""
    snapshot = get_requested_snapshot(request)
    table = standings_table(request.event, snapshot) if snapshot else None
    context = {"snapshot": snapshot, "table": table, **get_cut_placings(request)}
    return render_event_page(
        request, "tournaments/displays/print_standings.html", "standings", context
    )
