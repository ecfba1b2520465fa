"""Everything that can be printed on one page, and the sheets, slips and poster of the staff."""

import segno
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from core.downloads import qr_picture
from matches.scoring import scoring_rule
from tournaments.decklists.pages.decklists import deck_lists
from tournaments.event import permissions, queries, visibility
from tournaments.event.actors import Actor
from tournaments.models import RegistrationState, Tournament
from tournaments.registration.pages.meeting import meeting_lines, meeting_tables
from tournaments.results.pages.open_results import open_results
from tournaments.screens.pages.slips import blank_slips as blank_slips_of
from tournaments.screens.pages.slips import slips as slips_of
from tournaments.web.views.access import event_or_404, round_or_404
from tournaments.web.views.staff_pages import desk_page, staff_page


@staff_page(permissions.can_open_desk)
def paper(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Every sheet, with a word on when to use it."""
    rounds = list(queries.visible_rounds(tournament))
    context = {
        "round": rounds[-1] if rounds else None,
        "earlier": [round_.number for round_ in rounds[:-1]],
        "closed_numbers": queries.closed_round_numbers(tournament),
        "meeting_is_on": queries.meeting_is_on(tournament),
    }
    return desk_page(request, tournament, actor, "tournaments/screens/paper/index.html", context)


@staff_page(permissions.can_open_desk)
def roster(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everybody who may come through the door, to tick."""
    coming = queries.roster(tournament).exclude(state=RegistrationState.DROPPED)
    return desk_page(
        request,
        tournament,
        actor,
        "tournaments/screens/paper/roster.html",
        {"roster": list(coming)},
    )


@staff_page(permissions.can_open_desk)
def meeting(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The seats of the player meeting by name, then by table."""
    lines = meeting_lines(tournament) if queries.meeting_is_on(tournament) else []
    context = {"lines": lines, "tables": meeting_tables(lines)}
    return desk_page(request, tournament, actor, "tournaments/screens/paper/meeting.html", context)


@staff_page(permissions.can_open_desk)
def open_tables(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The tables that still play, and the next table of their players."""
    tables = open_results(tournament, with_drafts=visibility.can_see_drafts(actor, tournament))
    nexts = (following for table in tables for _, following in table.seats)
    context = {
        "open_tables": tables,
        "has_drafts": any(following and following.is_draft for following in nexts),
    }
    return desk_page(request, tournament, actor, "tournaments/screens/paper/open.html", context)


@staff_page(permissions.can_judge)
def decks(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """All decks that the asking judge may read: ?per=page puts each on a page of its own."""
    per = "page" if request.GET.get("per") == "page" else "player"
    seen = visibility.visible_decks(actor, tournament)
    context = {"per": per, "players": deck_lists(seen)}
    return desk_page(request, tournament, actor, "tournaments/screens/paper/decks.html", context)


@staff_page(permissions.can_open_desk)
def slips(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """A slip for each table, four to a page, in cutting order."""
    round_ = round_or_404(tournament, actor, number)
    context = {
        "round": round_,
        "slips": slips_of(round_),
        "rule": scoring_rule(round_.stage.scoring_rule),
    }
    return desk_page(request, tournament, actor, "tournaments/screens/slips.html", context)


@staff_page(permissions.can_open_desk)
def blank_slips(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Four slips with nothing on them, for when the site is out of reach."""
    stage = queries.current_stage(tournament)
    context = {
        "round": None,
        "slips": blank_slips_of(stage),
        "rule": scoring_rule(stage.scoring_rule),
    }
    return desk_page(request, tournament, actor, "tournaments/screens/slips.html", context)


@staff_page(permissions.can_open_desk)
def poster(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The join code and its QR code, for the door."""
    context = {"join_address": _join_address(request, tournament)}
    return desk_page(request, tournament, actor, "tournaments/screens/poster.html", context)


@require_safe
def qr(request: HttpRequest, slug: str) -> HttpResponse:
    """The QR code of the join address, or of the event (?to=event)."""
    tournament, _ = event_or_404(request, slug)
    address, title = _join_address(request, tournament), "Join code"
    if request.GET.get("to") == "event":
        address, title = request.build_absolute_uri(tournament.get_absolute_url()), "Event page"
    return qr_picture(segno.make(address, error="m", micro=False), title)


def _join_address(request: HttpRequest, tournament: Tournament) -> str:
    path = reverse("tournaments:join_code", args=[tournament.join_code])
    return request.build_absolute_uri(path)
