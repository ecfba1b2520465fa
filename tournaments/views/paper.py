"""Everything that can be printed on one page, and the sheets of the staff."""

from django.http import HttpRequest, HttpResponse

from tournaments import permissions, queries, visibility
from tournaments.actors import Actor
from tournaments.models import RegistrationState, Tournament
from tournaments.sheets.decklists import deck_lists
from tournaments.sheets.meeting import meeting_lines, meeting_tables
from tournaments.sheets.open_results import open_results
from tournaments.views.behind import desk_page, staff_page


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
    return desk_page(request, tournament, actor, "paper/index.html", context)


@staff_page(permissions.can_open_desk)
def roster(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everybody who may come through the door, to tick."""
    coming = queries.roster(tournament).exclude(state=RegistrationState.DROPPED)
    return desk_page(request, tournament, actor, "paper/roster.html", {"roster": list(coming)})


@staff_page(permissions.can_open_desk)
def meeting(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The seats of the player meeting by name, then by table."""
    lines = meeting_lines(tournament) if queries.meeting_is_on(tournament) else []
    context = {"lines": lines, "tables": meeting_tables(lines)}
    return desk_page(request, tournament, actor, "paper/meeting.html", context)


@staff_page(permissions.can_open_desk)
def open_tables(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The tables that still play, and the next table of their players."""
    tables = open_results(tournament, with_drafts=visibility.can_see_drafts(actor, tournament))
    nexts = (following for table in tables for _, following in table.seats)
    context = {
        "open_tables": tables,
        "has_drafts": any(following and following.is_draft for following in nexts),
    }
    return desk_page(request, tournament, actor, "paper/open.html", context)


@staff_page(permissions.can_judge)
def decks(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """All decks that the asking judge may read: ?per=page puts each on a page of its own."""
    per = "page" if request.GET.get("per") == "page" else "player"
    seen = visibility.visible_decks(actor, tournament)
    context = {"per": per, "players": deck_lists(seen)}
    return desk_page(request, tournament, actor, "paper/decks.html", context)
