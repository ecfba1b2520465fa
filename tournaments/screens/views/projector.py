"""The wall: the things everybody in the room wants to know now, one after the other."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.form_fields import whole_number
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.screens.pages.wall import LABELS, Wall, wall
from tournaments.web.views.polling import event_page, polled


@require_safe
@polled
def projector(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Follows the event by itself; `?show=pairings&show=clock` holds what it names.

    Without scripts the page is loaded again and again, and `turn` counts the views.
    """
    chosen = request.GET.getlist("show")
    shown = wall(tournament, chosen)
    turn = whole_number(request.GET.get("turn", ""), 6) or 0
    context = {
        "wall": shown,
        "show": shown.views[turn % len(shown.views)].name,
        "labels": [(name, LABELS[name], name in chosen) for name in LABELS],
        "next_turn": _next(shown, chosen, turn),
    }
    template = "tournaments/screens/projector.html"
    return event_page(request, tournament, actor, template, "projector", context)


def _next(shown: Wall, chosen: list[str], turn: int) -> str:
    """What the address asks for when the next view is to be shown."""
    held = [("show", view.name.value) for view in shown.views] if chosen else []
    return urlencode([*held, ("turn", (turn + 1) % len(shown.views))])
