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

from core.csv_tables import CSV
from core.downloads import attached
from core.rate_limits import Busy, rate_limited
from core.site_address import shared_url
from core.uploads import status_of
from players.models import User
from tournaments.event import permissions, queries, visibility
from tournaments.event.actors import Actor
from tournaments.interchange.exports import spreadsheets
from tournaments.interchange.formats.records import FileRefused
from tournaments.interchange.forms import ImportForm
from tournaments.interchange.pages import named
from tournaments.interchange.services import exporting, importing
from tournaments.interchange.services.exporting import Asked, Format
from tournaments.interchange.services.importing import Imported
from tournaments.results.pages.standings import places_with_cut
from tournaments.results.views.standings import snapshot_asked_for
from tournaments.web.views.access import EventRequest, event_view
from tournaments.web.views.idempotent import once
from tournaments.web.views.polling import event_page, polled
from tournaments.web.views.staff_pages import staff_page

MOST_EARLIER = 5
WHO_FINDS_IT = "Only who has its address finds it."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@rate_limited("expensive")
def import_event(request: HttpRequest) -> HttpResponse:
    """Show the form, preview the chosen file, then import it.

    Only the import uses an idempotency key: a preview stores nothing.
    """
    permissions.refuse_unless_organiser(request.user)
    return _import_once(request) if "import" in request.POST else _chosen(request)


def _chosen(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return _import_page(request, form)
    try:
        return _imported(request, request.user, form)
    except (FileRefused, Busy) as refusal:
        form.add_error(None, _in_words(form.cleaned_data["data"], refusal))
        return _import_page(request, form)


_import_once = once(_chosen)


def _imported(request: HttpRequest, user: User, form: ImportForm) -> HttpResponse:
    data, name = form.cleaned_data["data"], form.cleaned_data["name"]
    looks = "import" not in request.POST
    imported = importing.import_file(
        data,
        owner=user,
        file_name=name,
        preview=looks,
        first_round_byes=form.cleaned_data["first_round_byes"],
    )
    if imported.tournament is not None:
        messages.success(request, f"{imported.name} is imported. {WHO_FINDS_IT}")
        return redirect(imported.tournament)
    context = {**_preview(user, imported), "text": data.decode("utf-8-sig"), "file_name": name}
    return render(request, "tournaments/interchange/import_preview.html", context)


def _import_page(request: HttpRequest, form: ImportForm) -> HttpResponse:
    assert isinstance(request.user, User)
    status = status_of(form) if form.errors else 200
    context = {"form": form, "in_progress": importing.imports_in_progress(request.user)}
    return render(request, "tournaments/interchange/import.html", context, status=status)


def _in_words(data: bytes, refusal: FileRefused | Busy) -> str:
    """Error message with its location; for unreadable files, advice instead of a path."""
    if isinstance(refusal, Busy):
        return str(refusal)
    if not data.strip():
        return "The file is empty."
    if refusal.path != "$":
        return f"{refusal} (at {refusal.path} in the file)"
    return f"{refusal} Choose the JSON file that Cobra, AesopsTables, NRTM or Datafort gave you."


def _preview(user: User, imported: Imported) -> dict[str, Any]:
    actor = Actor(user=user)
    earlier = importing.earlier_imports(imported.digest)[:MOST_EARLIER]
    lines = imported.answer["standings"]
    return {
        "imported": imported,
        "answer": imported.answer,
        "standings": [{**line, "name": imported.names.get(line["id"], "")} for line in lines],
        "differences": named(imported.answer["differences"], imported.names, "id"),
        "offered_byes": [(imported.names[bye.id], bye.points) for bye in imported.offered_byes],
        "earlier": [one.tournament for one in earlier if visibility.can_see(actor, one.tournament)],
    }


@require_safe
@cache_control(private=True, no_cache=True)
@event_view
def offered(request: EventRequest) -> HttpResponse:
    """List the available formats, with the pairings as text to copy."""
    event, actor = request.event, request.actor
    formats = exporting.formats_for(actor, event)
    context = {
        "formats": [(format_, format_.why_not(event)) for format_ in formats],
        "pieces": exporting.pieces_of(event),
        "may_run": permissions.can_run(actor, event),
    }
    return event_page(request, "tournaments/interchange/exports.html", "exports", context)


def download(form: str) -> Callable[..., HttpResponse]:
    """Create the view of one format, with its permission check."""
    format_ = exporting.FORMATS[form]

    def answer(request: EventRequest) -> HttpResponse:
        return _file(request, format_)

    if not format_.is_for_all:
        return staff_page(format_.may)(answer)
    # The content depends on the reader, so caches must not share it.
    for_reader = cache_control(private=True, no_cache=True)(vary_on_cookie(event_view(answer)))
    return require_safe(rate_limited("expensive")(conditional_page(for_reader)))


def _file(request: EventRequest, format_: Format) -> HttpResponse:
    event, actor = request.event, request.actor
    private = request.GET.get("private") == "1"
    if private and not permissions.can_run(actor, event):
        raise PermissionDenied
    page = shared_url(request, event.get_absolute_url())
    try:
        data = exporting.made(format_, Asked(event, actor, page, private))
    except exporting.NothingToExport as nothing:
        raise Http404(str(nothing)) from nothing
    except queries.StandingsOutdated as outdated:
        return _not_yet(request, str(outdated))
    return attached(data, format_.file_name(event), format_.media_type)


def _not_yet(request: EventRequest, reason: str) -> HttpResponse:
    """Return 409 with a Retry-After header."""
    back = reverse("tournaments:exports", args=[request.event.slug])
    context = {"reason": reason, "back": back}
    response = render(request, "tournaments/web/not_yet.html", context, status=HTTPStatus.CONFLICT)
    response["Retry-After"] = "5"
    return response


@require_safe
@partial(polled, reads=("round",))
def standings_csv(request: EventRequest) -> HttpResponse:
    """Export the newest standings with the places of a cut, or those after ?round=n."""
    event, snapshot = request.event, snapshot_asked_for(request)
    if snapshot is None:
        raise Http404("No standings yet.")
    if reason := queries.why_standings_wait(event):
        return _not_yet(request, reason)
    name = f"{event.slug}-standings-{snapshot.round.number}"
    is_newest = snapshot == queries.newest_snapshot(event)
    places = places_with_cut(event) if is_newest else None
    return attached(spreadsheets.standings_csv(snapshot, places), f"{name}.csv", CSV)
