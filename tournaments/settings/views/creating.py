"""A new event, typed or made of a file: first what it would be, then it is."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.rate_limits import Busy, rate_limited
from core.uploads import status_of
from players.models import User
from tournaments.event import visibility
from tournaments.event.actors import Actor
from tournaments.interchange.formats import FileRefused
from tournaments.interchange.forms import ImportForm
from tournaments.interchange.pages import named
from tournaments.interchange.services import importing
from tournaments.interchange.services.importing import Imported
from tournaments.settings.forms.events import CreateForm
from tournaments.settings.services import events
from tournaments.web.views.idempotent import once
from tournaments.web.views.staff_pages import in_zone


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: HttpRequest) -> HttpResponse:
    """Three fields, the rest behind a disclosure; then the desk."""
    # The closing time is told in the zone of the event, not in that of the site.
    with in_zone(request.POST.get("time_zone", "").strip() or timezone.get_default_timezone_name()):
        form = CreateForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            assert isinstance(request.user, User)
            tournament = events.create(request.user, **form.settings)
            return redirect("tournaments:desk", slug=tournament.slug)
    status = 422 if form.errors else 200
    return render(request, "tournaments/settings/create.html", {"form": form}, status=status)


MOST_EARLIER = 5
WHO_FINDS_IT = "Only who has its address finds it."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@rate_limited("expensive")
def import_event(request: HttpRequest) -> HttpResponse:
    """A file is chosen; the page then shows what it would make, with the file in its form.

    Only the import is a write with a key: a preview stores nothing.
    """
    return _import_once(request) if "import" in request.POST else _chosen(request)


def _chosen(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return _page(request, form)
    try:
        return _imported(request, request.user, form)
    except (FileRefused, Busy) as refusal:
        form.add_error(None, _in_words(form.cleaned_data["data"], refusal))
        return _page(request, form)


_import_once = once(_chosen)


def _imported(request: HttpRequest, user: User, form: ImportForm) -> HttpResponse:
    data, name = form.cleaned_data["data"], form.cleaned_data["name"]
    looks = "import" not in request.POST
    imported = importing.import_file(data, owner=user, file_name=name, preview=looks)
    if imported.tournament is not None:
        messages.success(request, f"{imported.name} is imported. {WHO_FINDS_IT}")
        return redirect(imported.tournament)
    context = {**_context(user, imported), "text": data.decode("utf-8-sig"), "file_name": name}
    return render(request, "tournaments/settings/import_preview.html", context)


def _page(request: HttpRequest, form: ImportForm) -> HttpResponse:
    status = status_of(form) if form.errors else 200
    return render(request, "tournaments/settings/import.html", {"form": form}, status=status)


def _in_words(data: bytes, refusal: FileRefused | Busy) -> str:
    """What is wrong, and where; what is no tournament file at all is told without a path."""
    if isinstance(refusal, Busy):
        return str(refusal)
    if not data.strip():
        return "The file is empty."
    if refusal.path != "$":
        return f"{refusal} (at {refusal.path} in the file)"
    return f"{refusal} Choose the JSON file that Cobra, AesopsTables, NRTM or Datafort gave you."


def _context(user: User, imported: Imported) -> dict[str, Any]:
    actor = Actor(user=user)
    earlier = importing.earlier_imports(imported.digest)[:MOST_EARLIER]
    lines = imported.answer["standings"]
    return {
        "imported": imported,
        "answer": imported.answer,
        "standings": [{**line, "name": imported.names.get(line["id"], "")} for line in lines],
        "differences": named(imported.answer["differences"], imported.names, "id"),
        "earlier": [one.tournament for one in earlier if visibility.can_see(actor, one.tournament)],
    }
