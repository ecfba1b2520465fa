"""The overlay of a stream: a plain page a program lays over its picture."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.numbers import whole_number
from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.sheets import clocks
from tournaments.sheets.stream import stream_tables
from tournaments.views.polling import event_page, polled


@require_safe
@polled
def stream(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The feature tables with points and clock; `?table=3` picks another one.

    Nothing is on it that is not public, and nobody who avoids the stream.
    """
    round_ = queries.visible_rounds(tournament).select_related("stage").last()
    shown = []
    if round_ is not None:
        round_.stage.tournament = tournament
        asked = whole_number(request.GET.get("table", ""), 4)
        shown = stream_tables(tournament, round_, asked)
    context = {
        "round": round_,
        "tables": shown,
        "clock": clocks.face(round_) if round_ else None,
        "silent": True,
    }
    template = "tournaments/public/stream.html"
    return event_page(request, tournament, actor, template, "stream", context)
