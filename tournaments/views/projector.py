"""The wall: the one thing everybody in the room wants to know now."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments import elimination, queries
from tournaments.actors import Actor
from tournaments.models import Round, Tournament
from tournaments.sheets import tables
from tournaments.sheets.bracket import bracket_sheet
from tournaments.views.polling import event_page, polled

SHOWS = ("join", "pairings", "tables", "standings", "bracket")


@require_safe
@polled
def projector(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Follows the event by itself; ?show=join, pairings, tables, standings or bracket holds it."""
    round_ = queries.visible_rounds(tournament).select_related("stage").last()
    if round_ is not None:
        round_.stage.tournament = tournament
    asked = request.GET.get("show", "")
    show = asked if asked in SHOWS else _fitting(tournament, round_)
    context = {
        "show": show,
        "round": round_,
        "ends_at": queries.ends_at(round_) if round_ else None,
        "can_register": queries.can_register_now(tournament),
        **_rows(tournament, round_, show),
    }
    template = "tournaments/public/projector.html"
    return event_page(request, tournament, actor, template, "projector", context)


def _fitting(tournament: Tournament, round_: Round | None) -> str:
    """Joining first, then tables, and the standings between rounds."""
    if round_ is None:
        return "join" if queries.can_register_now(tournament) else "wait"
    if not round_.is_closed:
        return "pairings"
    return "bracket" if round_.stage.way.is_elimination else "standings"


def _rows(tournament: Tournament, round_: Round | None, show: str) -> dict[str, object]:
    if show == "standings":
        snapshot = queries.newest_snapshot(tournament)
        table = tables.standings_table(tournament, snapshot) if snapshot else None
        return {"snapshot": snapshot, "table": table}
    if show == "bracket":
        stage = queries.cut_of_event(tournament)
        if stage is None or not queries.is_public_cut(stage):
            return {}
        cut = elimination.cut_of(stage)
        return {"cut": cut, "sheet": bracket_sheet(cut)}
    if show in ("pairings", "tables") and round_ is not None:
        lines = tables.table_lines(round_)
        return {"lines": tables.name_lines(lines) if show == "pairings" else lines}
    return {}
