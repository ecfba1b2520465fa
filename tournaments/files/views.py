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
from django.utils.translation import gettext as _
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

MAX_EARLIER_IMPORTS = 5


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
    data = form.cleaned_data["data"]
    try:
        imported = services.import_file(
            data,
            owner=request.user,
            file_name=form.cleaned_data["name"],
            preview="import" not in request.POST,
            first_round_byes=form.cleaned_data["first_round_byes"],
        )
    except (TournamentFileRefused, Busy) as refusal:
        form.add_error(None, _refusal_in_words(data, refusal))
        return _import_page(request, form)
    if imported.tournament is not None:
        message = _("%(event)s was imported. Only people with the link can find it.")
        messages.success(request, message % {"event": imported.name})
        return redirect(imported.tournament)
    context = {
        **_preview_context(request.user, imported),
        "text": data.decode("utf-8-sig"),
        "file_name": form.cleaned_data["name"],
    }
    return render(request, "tournaments/files/import_preview.html", context)


_import_once = idempotent(_process_file)


def _import_page(request: HttpRequest, form: TournamentFileForm) -> HttpResponse:
    assert isinstance(request.user, User)
    context = {"form": form, "in_progress": services.imports_in_progress(request.user)}
    return render(request, "tournaments/files/import.html", context, status=form_status(form))


def _refusal_in_words(data: bytes, refusal: TournamentFileRefused | Busy) -> str:
    """Error message with its location; for unreadable files, advice instead of a path."""
    if isinstance(refusal, Busy):
        return str(refusal)
    if not data.strip():
        return _("The file is empty. Choose another file.")
    if refusal.path != "$":
        return _("%(error)s (at %(path)s in the file)") % {"error": refusal, "path": refusal.path}
    return _(
        "%(error)s Choose the JSON file that you got from Cobra, AesopsTables, NRTM or Datafort."
    ) % {"error": refusal}


def _preview_context(user: User, imported: ImportResult) -> dict[str, Any]:
    actor, answer = Actor(user=user), imported.answer
    earlier = services.earlier_imports(imported.digest)[:MAX_EARLIER_IMPORTS]
    return {
        "imported": imported,
        "answer": answer,
        "standings": [
            {**line, "name": imported.names.get(line["id"], "")} for line in answer["standings"]
        ],
        "differences": named_differences(answer["differences"], imported.names, "id"),
        "offered_byes": [(imported.names[bye.id], bye.points) for bye in imported.offered_byes],
        "earlier": [
            file.tournament for file in earlier if visibility.can_see(actor, file.tournament)
        ],
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
        "pairings": exports.pairings_messages(event),
        "may_run": event_permissions.can_run(actor, event),
    }
    return render_event_page(request, "tournaments/files/exports.html", "exports", context)


def download(form: str) -> Callable[..., HttpResponse]:
    """Create the view of one format, with its permission check."""
    format_ = exports.FORMATS[form]

    def view(request: EventRequest) -> HttpResponse:
        return _file_response(request, format_)

    if not format_.is_for_all:
        return staff_page(format_.may)(view)
    # The content depends on the reader, so caches must not share it.
    for_reader = cache_control(private=True, no_cache=True)(vary_on_cookie(event_view(view)))
    return require_safe(rate_limited("expensive")(conditional_page(for_reader)))


def _file_response(request: EventRequest, format_: ExportFormat) -> HttpResponse:
    event, actor = request.event, request.actor
    private = request.GET.get("private") == "1"
    if private and not event_permissions.can_run(actor, event):
        raise PermissionDenied
    page = shared_url(request, event.get_absolute_url())
    try:
        data = exports.build_file(format_, ExportRequest(event, actor, page, private))
    except exports.NothingToExport as refusal:
        raise Http404(str(refusal)) from refusal
    except snapshots.StandingsOutdated as refusal:
        return _not_ready_response(request, str(refusal))
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
