"""Pages for a stream: what a program lays over its picture."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.views.decorators.http import require_safe

from core.form_fields import whole_number
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.rounds.pages import clocks
from tournaments.screens.forms import LookForm, OverlayForm, StandingsForm
from tournaments.screens.pages import overlay
from tournaments.screens.pages.stream import stream_tables
from tournaments.web.views.polling import event_page, polled

Page = Callable[..., HttpResponse]


def wrong_options(form: LookForm) -> HttpResponse:
    """A 400 in plain words: which option, and what is allowed."""
    lines = [
        f"{'' if name == '__all__' else f'{name}: '}{' '.join(map(str, errors))}"
        for name, errors in form.errors.items()
    ]
    return HttpResponseBadRequest("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def with_options(form_class: type[LookForm]) -> Callable[[Page], Page]:
    """Gives the page the options of its address, before anything is asked of the event."""

    def decorate(view: Page) -> Page:
        page = polled(view)

        @require_safe
        @wraps(view)
        def wrapper(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
            form = form_class(request.GET)
            if not form.is_valid():
                return wrong_options(form)
            return page(request, slug, look=form.cleaned_data, **kwargs)

        return wrapper

    return decorate


@with_options(OverlayForm)
def table(
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    look: dict[str, Any],
    number: int | None = None,
) -> HttpResponse:
    """One table of the newest round; without a number the first feature table."""
    context = {"look": look, "table": overlay.table(tournament, number), "silent": True}
    return _page(request, tournament, actor, "table", context)


@with_options(StandingsForm)
def standings(
    request: HttpRequest, tournament: Tournament, actor: Actor, look: dict[str, Any]
) -> HttpResponse:
    """Some rows of the standings."""
    shown = overlay.standings(tournament, look["top"], look["page"])
    context = {"look": look, "standings": shown, "not_named": overlay.NOT_NAMED}
    return _page(request, tournament, actor, "standings", context)


@with_options(OverlayForm)
def clock(
    request: HttpRequest, tournament: Tournament, actor: Actor, look: dict[str, Any]
) -> HttpResponse:
    """The clock of the room."""
    round_ = queries.newest_visible_round(tournament)
    context = {"look": look, "clock": clocks.face(round_), "silent": True}
    return _page(request, tournament, actor, "clock", context)


def _page(
    request: HttpRequest, tournament: Tournament, actor: Actor, name: str, context: dict[str, Any]
) -> HttpResponse:
    template = f"tournaments/screens/overlay/{name}.html"
    return event_page(request, tournament, actor, template, "overlay", context)


@require_safe
@polled
def overlays(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The addresses of all overlays and of what can be embedded, to be copied."""
    names = (("feature", "The feature table"), ("standings", "Standings"), ("clock", "Clock"))
    context = {
        "overlays": [(f"tournaments:overlay_{name}", label) for name, label in names],
        "embeds": (
            ("tournaments:embed_standings", "Standings"),
            ("tournaments:embed_pairings", "Pairings"),
        ),
        "is_staff": permissions.is_staff(actor, tournament),
        "host": f"{request.scheme}://{request.get_host()}",
    }
    template = "tournaments/screens/overlays.html"
    return event_page(request, tournament, actor, template, "event", context)


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
    template = "tournaments/screens/stream.html"
    return event_page(request, tournament, actor, template, "stream", context)
