"""Event log, undo, and earlier versions of pairings and standings."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from core.form_fields import whole_number
from tournaments.desk import queries as desk_queries
from tournaments.desk.forms import LogForm
from tournaments.desk.pages.versions import moved, pairings_by_round, standings_by_round
from tournaments.desk.services import undo
from tournaments.desk.services.undo_kinds import CannotUndo
from tournaments.event import permissions, queries, visibility
from tournaments.event.actors import Actor
from tournaments.event.pages import LogLine, log_line, logged_tables
from tournaments.models import LogAction, LogEntry, Tournament, log_actions
from tournaments.results.pages.standings import standings_table
from tournaments.results.views.entry import EntryRow, entry_row, row_or_page
from tournaments.web.views.access import round_or_404, table_or_404
from tournaments.web.views.staff_pages import (
    READ,
    WRITE,
    RefusalsShown,
    desk_page,
    is_htmx,
    staff_page,
)

# Entries per page.
ENTRIES = 50


def _readable(tournament: Tournament, actor: Actor) -> QuerySet[LogEntry]:
    entries = queries.readable_log(
        tournament,
        with_draft=visibility.can_see_drafts(actor, tournament),
        with_checks=permissions.can_judge(actor, tournament),
    )
    return entries.select_related("round", "registration__player", "undoes", "undone_by")


@staff_page(permissions.can_open_desk)
def log(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """List the changes visible to the reader, newest first, with filters."""
    form = LogForm(request.GET, tournament)
    entries = desk_queries.log_for(_readable(tournament, actor), tournament, form.wanted)
    page = Paginator(entries, ENTRIES).get_page(request.GET.get("page"))
    lines = [_line(entry, actor, tournament) for entry in page]
    context = {"form": form, "page_obj": page, "lines": lines}
    return desk_page(request, tournament, actor, "tournaments/desk/log.html", context)


def _line(entry: LogEntry, actor: Actor, tournament: Tournament) -> LogLine:
    return log_line(entry, can_undo=undo.can_undo(entry, actor, tournament))


@staff_page(permissions.can_open_desk)
def log_entry(request: HttpRequest, tournament: Tournament, actor: Actor, pk: int) -> HttpResponse:
    """Show a log entry at its permanent URL, with any pairings it stores."""
    entry = get_object_or_404(_readable(tournament, actor), pk=pk)
    shows_seats = entry.action == LogAction.ROUND_PUBLISHED or visibility.can_see_drafts(
        actor, tournament
    )
    context = {
        "line": _line(entry, actor, tournament),
        "tables": logged_tables(entry) if shows_seats else [],
    }
    return desk_page(request, tournament, actor, "tournaments/desk/log_entry.html", context)


@staff_page(permissions.can_open_desk, READ + WRITE)
def log_undo(request: HttpRequest, tournament: Tournament, actor: Actor, pk: int) -> HttpResponse:
    """Preview an undo, then perform it. Requires the permission of the change."""
    entry = get_object_or_404(_readable(tournament, actor), pk=pk)
    kind = undo.KINDS.get(entry.action)
    if kind is None or not kind.can(actor, tournament):
        raise PermissionDenied
    if request.method == "POST":
        with RefusalsShown(request, CannotUndo):
            done = undo.undo(entry, actor, request.POST.get("reason", "").strip()[:500])
            messages.success(request, f"Undone: {entry}.")
            return redirect(f"{reverse('tournaments:log', args=[tournament.slug])}#entry-{done.pk}")
        return redirect("tournaments:log_undo", tournament.slug, pk)
    return _plan(request, tournament, actor, entry)


def _plan(
    request: HttpRequest, tournament: Tournament, actor: Actor, entry: LogEntry
) -> HttpResponse:
    context: dict[str, object] = {"line": _line(entry, actor, tournament)}
    try:
        context["plan"] = undo.plan(entry, actor)
    except CannotUndo as refusal:
        context["refusal"] = refusal
    return desk_page(request, tournament, actor, "tournaments/desk/log_undo.html", context)


@staff_page(permissions.can_open_desk)
def versions(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """List all drafted or published pairings and all computed standings."""
    with_draft = visibility.can_see_drafts(actor, tournament)
    entries = queries.readable_log(tournament, with_draft=with_draft, with_checks=False)
    drafted = desk_queries.entries_with_pairings(entries).select_related("round")
    if not with_draft:
        drafted = drafted.filter(action=LogAction.ROUND_PUBLISHED)
    standings, pairings = standings_by_round(tournament), pairings_by_round(drafted)
    numbers = sorted(standings.keys() | pairings.keys())
    context = {
        "rounds": [
            (number, [*map(log_line, pairings.get(number, ()))], standings.get(number, []))
            for number in numbers
        ],
        "swapped": LogAction.SEATS_SWAPPED,
    }
    return desk_page(request, tournament, actor, "tournaments/desk/versions.html", context)


@staff_page(permissions.can_open_desk)
def standings_then(
    request: HttpRequest, tournament: Tournament, actor: Actor, pk: int
) -> HttpResponse:
    """Show a version of the standings, and its differences from the previous version."""
    snapshot = get_object_or_404(tournament.snapshots.select_related("round"), pk=pk)
    context = {
        "snapshot": snapshot,
        "table": standings_table(tournament, snapshot),
        "moved": moved(snapshot),
        "newest": queries.newest_snapshot(tournament, snapshot.round.number),
    }
    return desk_page(request, tournament, actor, "tournaments/desk/standings_then.html", context)


@staff_page(permissions.can_enter_results, WRITE)
def take_back(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int, table: int
) -> HttpResponse:
    """Undo the log `entry` of this table, and return the table's row."""
    round_ = round_or_404(tournament, actor, number)
    pairing = table_or_404(round_, table)
    about_results = tournament.log.filter(pairing=pairing, action__in=log_actions.RESULTS)
    key = whole_number(request.POST.get("entry", ""), 18)
    entry = about_results.filter(pk=key or 0).first()
    try:
        if entry is None:
            raise CannotUndo("There is nothing to undo here. Open the table.")
        undo.undo(entry, actor)
    except CannotUndo as refusal:
        refused = EntryRow(pairing, entry_row(pairing).form, (str(refusal),))
        return row_or_page(request, tournament, actor, refused, 409)
    before = entry.before.get("result") or "no result"
    said = f"Table {table} is as it was before: {before}."
    if not is_htmx(request):
        messages.success(request, said)
    fresh = entry_row(table_or_404(round_, table), saved=said)
    return row_or_page(request, tournament, actor, fresh, 200)
