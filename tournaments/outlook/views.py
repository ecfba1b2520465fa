"""Public page with clinch scenarios of the last round, or chances before it."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.outlook.pages import chances_table, needs_table
from tournaments.outlook.queries import is_calculating
from tournaments.web.access import EventRequest
from tournaments.web.polling import polled_page, render_event_page


@require_safe
@polled_page
def needs(request: EventRequest) -> HttpResponse:
    """Show the scenarios or chances of all players; 404 if the event does not show them."""
    event = request.event
    if not event.shows_needs:
        raise Http404
    needs = needs_table(event)
    chances = None if needs else chances_table(event)
    context = {
        "needs": needs,
        "chances": chances,
        "is_calculating": not needs and not chances and is_calculating(event),
    }
    return render_event_page(request, "tournaments/outlook/needs.html", "standings", context)
