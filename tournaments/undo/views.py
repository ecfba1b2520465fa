"""Event log, undo, and earlier versions of pairings and standings."""

from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from core.form_fields import whole_number
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.pages import LogLine, log_line
from tournaments.models import LogAction, LogEntry, event_log
from tournaments.results.entry_pages import get_result_card
from tournaments.results.standings_pages import standings_table
from tournaments.results.views import render_card_or_page
from tournaments.undo import queries, services
from tournaments.undo.forms import LogFilterForm
from tournaments.undo.pages import (
    pairings_by_round,
    standings_differences,
    standings_versions_by_round,
    visible_tables,
)
from tournaments.undo.undo_rules import CannotUndo
from tournaments.web.access import EventRequest, round_or_404, table_or_404
from tournaments.web.staff_pages import (
    READ,
    WRITE,
    is_htmx,
    render_desk_page,
    show_refusals,
    staff_page,
)

ENTRIES_PER_PAGE = 50


@staff_page(event_permissions.can_open_desk)
def log(request: EventRequest) -> HttpResponse:
    """List the changes visible to the reader, newest first, with filters."""
    form = LogFilterForm(request.GET, request.event)
    readable = queries.readable_entries(request.event, request.actor)
    entries = queries.matching_entries(readable, request.event, form.log_filter)
    page = Paginator(entries, ENTRIES_PER_PAGE).get_page(request.GET.get("page"))
    lines = [_log_line(request, entry) for entry in page]
    context = {"form": form, "page_obj": page, "lines": lines}
    return render_desk_page(request, "tournaments/desk/log.html", context)


def _log_line(request: EventRequest, entry: LogEntry) -> LogLine:
    return log_line(entry, can_undo=services.can_undo(entry, request.actor, request.event))


@staff_page(event_permissions.can_open_desk)
def log_entry(request: EventRequest, pk: int) -> HttpResponse:
    """Show a log entry at its permanent URL, with any pairings it stores."""
    entry = get_object_or_404(queries.readable_entries(request.event, request.actor), pk=pk)
    context = {
        "line": _log_line(request, entry),
        "tables": visible_tables(entry, request.actor, request.event),
    }
    return render_desk_page(request, "tournaments/desk/log_entry.html", context)


@staff_page(event_permissions.can_open_desk, READ + WRITE)
def undo_entry(request: EventRequest, pk: int) -> HttpResponse:
    """Preview an undo, then perform it. Requires the permission of the change."""
    entry = get_object_or_404(queries.readable_entries(request.event, request.actor), pk=pk)
    rule = services.UNDO_RULES.get(entry.action)
    if rule is None or not rule.can(request.actor, request.event):
        raise PermissionDenied
    if request.method == "POST":
        with show_refusals(request):
            done = services.undo(entry, request.actor, request.POST.get("reason", "").strip()[:500])
            messages.success(request, _("Undone: %(entry)s.") % {"entry": entry})
            page = reverse("tournaments:log", args=[request.event.slug])
            return redirect(f"{page}#entry-{done.pk}")
        return redirect("tournaments:log_undo", request.event.slug, pk)
    context: dict[str, object] = {"line": _log_line(request, entry)}
    try:
        context["plan"] = services.preview_undo(entry, request.actor)
    except CannotUndo as refusal:
        context["refusal"] = refusal
    return render_desk_page(request, "tournaments/desk/log_undo.html", context)


@staff_page(event_permissions.can_open_desk)
def versions(request: EventRequest) -> HttpResponse:
    with_draft = visibility.can_see_drafts(request.actor, request.event)
    entries = request.event.readable_log(with_draft=with_draft, with_checks=False)
    drafted = queries.entries_with_pairings(entries).select_related("round")
    if not with_draft:
        drafted = drafted.filter(action=LogAction.ROUND_PUBLISHED)
    standings, pairings = standings_versions_by_round(request.event), pairings_by_round(drafted)
    context = {
        "rounds": [
            (number, [*map(log_line, pairings.get(number, ()))], standings.get(number, []))
            for number in sorted(standings.keys() | pairings.keys())
        ],
        "swapped": LogAction.SEATS_SWAPPED,
    }
    return render_desk_page(request, "tournaments/desk/versions.html", context)


@staff_page(event_permissions.can_open_desk)
def standings_version(request: EventRequest, pk: int) -> HttpResponse:
    snapshot = get_object_or_404(request.event.snapshots.select_related("round"), pk=pk)
    context = {
        "snapshot": snapshot,
        "table": standings_table(request.event, snapshot),
        "moved": standings_differences(snapshot),
        "newest": request.event.snapshots.newest(snapshot.round.number),
    }
    return render_desk_page(request, "tournaments/desk/standings_then.html", context)


@staff_page(event_permissions.can_enter_results, WRITE)
def undo_result(request: EventRequest, number: int, table: int) -> HttpResponse:
    """Undo the log `entry` of this table, and return the table's card."""
    round_ = round_or_404(request, number)
    pairing = table_or_404(round_, table)
    about_results = request.event.log.filter(pairing=pairing, action__in=event_log.RESULT_CHANGES)
    key = whole_number(request.POST.get("entry", ""), 18)
    entry = about_results.filter(pk=key or 0).first()
    try:
        if entry is None:
            raise CannotUndo(_("There is nothing to undo here. Open the table instead."))
        services.undo(entry, request.actor)
    except CannotUndo as refusal:
        refused = replace(get_result_card(pairing), refusals=(str(refusal),))
        return render_card_or_page(request, refused, 409)
    before = entry.before.get("result")
    values = {"table": table, "result": before}
    message = _("Result of table %(table)d undone. It has no result now.") % values
    if before not in (None, "no result"):
        message = _("Result of table %(table)d undone. Now: %(result)s.") % values
    if not is_htmx(request):
        messages.success(request, message)
    fresh = replace(get_result_card(table_or_404(round_, table)), saved=message)
    return render_card_or_page(request, fresh, 200)
