"""What was done at the event, by whom."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments import queries, visibility
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.views.behind import desk_page, staff_page

ENTRIES = 50
"""Entries on one page."""


@require_safe
@staff_page(visibility.can_see_notes)
def log(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Every change the reader may know of, the newest first."""
    entries = queries.readable_log(
        tournament, with_draft=visibility.can_see_drafts(actor, tournament)
    )
    page = Paginator(entries, ENTRIES).get_page(request.GET.get("page"))
    return desk_page(request, tournament, actor, "log.html", {"page_obj": page})
