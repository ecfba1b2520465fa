"""Import events from files, list export formats and download files."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_safe
from django.views.decorators.vary import vary_on_cookie

from core.addresses import shared_url
from core.csv_tables import CSV_TYPE
from core.files import attachment_response, form_status
from core.rate_limits import Busy, rate_limited
from players.models import User
from tournaments.event import permissions as event_permissions
from tournaments.event import snapshots, visibility
from tournaments.event.permissions import Actor
from tournaments.files import exports, services, spreadsheets
from tournaments.files.exports import ExportFormat, ExportRequest
from tournaments.files.forms import TournamentFileForm
from tournaments.files.pages import named_differences
from tournaments.files.records import TournamentFileRefused
from tournaments.files.services import ImportResult
from tournaments.results.standings_pages import places_with_cut
from tournaments.results.views import get_requested_snapshot
from tournaments.web.access import EventRequest, event_view
from tournaments.web.idempotency import idempotent
from tournaments.web.polling import polled_page, render_event_page
from tournaments.web.staff_pages import staff_page

MOST_EARLIER_IMPORTS = 5
UNLISTED_NOTICE = "Only who has its address finds it."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@rate_limited("expensive")
def import_event(request: HttpRequest) -> HttpResponse:
    """Show the form, preview the chosen file, then import it.

    Only the import uses an idempotency key: a preview stores nothing.
    """
    event_permissions.refuse_unless_organiser(request.user)
    return _import_once(request) if "import" in request.POST else _process_file(request)


def _process_file(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    form = TournamentFileForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return _import_page(request, form)
    try:
        return _import_or_preview(request, request.user, form)
    except (TournamentFileRefused, Busy) as refusal:
        form.add_error(None, _refusal_in_words(form.cleaned_data["data"], refusal))
        return _import_page(request, form)


_import_once = idempotent(_process_file)


def _import_or_preview(request: HttpRequest, user: User, form: TournamentFileForm) -> HttpResponse:
    data, name = form.cleaned_data["data"], form.cleaned_data["name"]
    looks = "import" not in request.POST
    imported = services.import_file(
        data,
        owner=user,
        file_name=name,
        preview=looks,
        first_round_byes=form.cleaned_data["first_round_byes"],
    )
    if imported.tournament is not None:
        messages.success(request, f"{imported.name} is imported. {UNLISTED_NOTICE}")
        return redirect(imported.tournament)
    context = {
        **_preview_context(user, imported),
        "text": data.decode("utf-8-sig"),
        "file_name": name,
    }
    return render(request, "tournaments/files/import_preview.html", context)


def _import_page(request: HttpRequest, form: TournamentFileForm) -> HttpResponse:
    assert isinstance(request.user, User)
    status = form_status(form) if form.errors else 200
    context = {"form": form, "in_progress": services.imports_in_progress(request.user)}
    return render(request, "tournaments/files/import.html", context, status=status)


def _refusal_in_words(data: bytes, refusal: TournamentFileRefused | Busy) -> str:
    """Error message with its location; for unreadable files, advice instead of a path."""
    if isinstance(refusal, Busy):
        return str(refusal)
    if not data.strip():
        return "The file is empty."
    if refusal.path != "$":
        return f"{refusal} (at {refusal.path} in the file)"
    return f"{refusal} Choose the JSON file that Cobra, AesopsTables, NRTM or Datafort gave you."


def _preview_context(user: User, imported: ImportResult) -> dict[str, Any]:
    actor = Actor(user=user)
    earlier = services.earlier_imports(imported.digest)[:MOST_EARLIER_IMPORTS]
    lines = imported.answer["standings"]
    return {
        "imported": imported,
        "answer": imported.answer,
        "standings": [{**line, "name": imported.names.get(line["id"], "")} for line in lines],
        "differences": named_differences(imported.answer["differences"], imported.names, "id"),
        "offered_byes": [(imported.names[bye.id], bye.points) for bye in imported.offered_byes],
        "earlier": [one.tournament for one in earlier if visibility.can_see(actor, one.tournament)],
    }


@require_safe
@cache_control(private=True, no_cache=True)
@event_view
def export_list(request: EventRequest) -> HttpResponse:
    """List the available formats, with the pairings as text to copy."""
    event, actor = request.event, request.actor
    formats = exports.formats_for(actor, event)
    context = {
        "formats": [(format_, format_.why_not(event)) for format_ in formats],
        "pieces": exports.pairings_messages(event),
        "may_run": event_permissions.can_run(actor, event),
    }
    return render_event_page(request, "tournaments/files/exports.html", "exports", context)


def download(form: str) -> Callable[..., HttpResponse]:
    """Create the view of one format, with its permission check."""
    format_ = exports.FORMATS[form]

    def answer(request: EventRequest) -> HttpResponse:
        return _file_response(request, format_)

    if not format_.is_for_all:
        return staff_page(format_.may)(answer)
    # The content depends on the reader, so caches must not share it.
    for_reader = cache_control(private=True, no_cache=True)(vary_on_cookie(event_view(answer)))
    return require_safe(rate_limited("expensive")(conditional_page(for_reader)))


def _file_response(request: EventRequest, format_: ExportFormat) -> HttpResponse:
    event, actor = request.event, request.actor
    private = request.GET.get("private") == "1"
    if private and not event_permissions.can_run(actor, event):
        raise PermissionDenied
    page = shared_url(request, event.get_absolute_url())
    try:
        data = exports.build_file(format_, ExportRequest(event, actor, page, private))
    except exports.NothingToExport as nothing:
        raise Http404(str(nothing)) from nothing
    except snapshots.StandingsOutdated as outdated:
        return _not_ready_response(request, str(outdated))
    return attachment_response(data, format_.file_name(event), format_.media_type)


def _not_ready_response(request: EventRequest, reason: str) -> HttpResponse:
    """Return 409 with a Retry-After header."""
    back = reverse("tournaments:exports", args=[request.event.slug])
    context = {"reason": reason, "back": back}
    response = render(request, "tournaments/web/not_yet.html", context, status=HTTPStatus.CONFLICT)
    response["Retry-After"] = "5"
    return response


@require_safe
@partial(polled_page, reads=("round",))
def standings_csv(request: EventRequest) -> HttpResponse:
    """Export the newest standings with the places of a cut, or those after ?round=n."""
    event, snapshot = request.event, get_requested_snapshot(request)
    if snapshot is None:
        raise Http404("No standings yet.")
    if reason := event.why_standings_wait():
        return _not_ready_response(request, reason)
    name = f"{event.slug}-standings-{snapshot.round.number}"
    is_newest = snapshot == event.snapshots.newest()
    places = places_with_cut(event) if is_newest else None
    return attachment_response(
        spreadsheets.standings_csv(snapshot, places), f"{name}.csv", CSV_TYPE
    )
