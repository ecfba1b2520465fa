"""The rulings of an event on paper: for everybody its own, for judges also what was cited."""

import segno
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from core.limits import for_strangers
from tournaments import permissions
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.queries.citing import CitedHere, cited_at
from tournaments.sheets.local_rulings import local_lines
from tournaments.views.access import event_or_404
from tournaments.views.behind import in_zone, staff_page

TEMPLATE = "tournaments/public/rulings_booklet.html"


@require_safe
@for_strangers("expensive")
@cache_control(private=True, no_cache=True)
def rulings_booklet(request: HttpRequest, slug: str) -> HttpResponse:
    """The local rulings that hold at the event, the same for whoever may read it."""
    tournament, _ = event_or_404(request, slug)
    return _printed(request, tournament, for_judges=False)


@staff_page(permissions.can_judge)
def judges_booklet(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The same, and every ruling judges have cited here, as it read that day."""
    return _printed(request, tournament, for_judges=True)


def _printed(request: HttpRequest, tournament: Tournament, *, for_judges: bool) -> HttpResponse:
    page = reverse("tournaments:event_rulings", args=[tournament.slug])
    online = request.build_absolute_uri(page)
    code = segno.make(online, error="m", micro=False)
    with in_zone(tournament.time_zone):
        context = {
            "tournament": tournament,
            "lines": [line for line in local_lines(tournament) if not line.has_ended],
            "cited": _cited(tournament) if for_judges else [],
            "for_judges": for_judges,
            "today": timezone.localdate(),
            "online": online,
            "qr": code.svg_data_uri(border=3, dark="#10202b", light="#fff"),
        }
        return render(request, TEMPLATE, context)


def _cited(tournament: Tournament) -> list[CitedHere]:
    """What was cited, with the sources a line prints."""
    cited = cited_at(tournament)
    prefetch_related_objects([one.version for one in cited], "citations", "ruling__document")
    return cited
