"""One result taken back where it was entered."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from core.form_fields import whole_number
from tournaments.desk.services import undo
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.models import Tournament, log_actions
from tournaments.results.views.results_staff import EntryRow, entry_row, is_htmx, row_or_page
from tournaments.web.views.access import round_or_404, table_or_404
from tournaments.web.views.staff_pages import WRITE, staff_page


@staff_page(permissions.can_enter_results, WRITE)
def take_back(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int, table: int
) -> HttpResponse:
    """Make the table what it was before the `entry` of the log, and answer its row."""
    round_ = round_or_404(tournament, actor, number)
    pairing = table_or_404(round_, table)
    about_results = tournament.log.filter(pairing=pairing, action__in=log_actions.RESULTS)
    told = whole_number(request.POST.get("entry", ""), 18)
    entry = about_results.filter(pk=told or 0).first()
    try:
        if entry is None:
            raise undo.CannotUndo("There is nothing to take back here. Look at the table.")
        undo.undo(entry, actor)
    except undo.CannotUndo as refusal:
        refused = EntryRow(pairing, entry_row(pairing).form, (str(refusal),))
        return row_or_page(request, tournament, actor, refused, 409)
    before = entry.before.get("result") or "no result"
    said = f"Table {table} is as it was before: {before}."
    if not is_htmx(request):
        messages.success(request, said)
    fresh = entry_row(table_or_404(round_, table), saved=said)
    return row_or_page(request, tournament, actor, fresh, 200)
