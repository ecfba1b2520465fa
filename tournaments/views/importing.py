"""An event made of a file: first what it would be, then it is."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import caches
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.uploads import status_of
from players.models import User
from tournaments import visibility
from tournaments.actors import Actor
from tournaments.forms.importing import ImportForm
from tournaments.interchange import FileRefused
from tournaments.services import importing
from tournaments.services.importing import Imported
from tournaments.sheets.differences import named

KEPT_SECONDS = 3600
MOST_EARLIER = 5
WHO_FINDS_IT = "Only who has its address finds it."


@dataclass(frozen=True)
class Kept:
    """The file somebody looked at last, and the event that was made of it, if any.

    One for each account: files are large, and what is kept is little.
    """

    digest: str
    data: bytes
    name: str
    slug: str = ""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_event(request: HttpRequest) -> HttpResponse:
    """A file is chosen; the same page then shows what it would make, and makes it."""
    assert isinstance(request.user, User)
    if request.method == "POST" and "digest" in request.POST:
        return _make(request, request.user)
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return _look(request, request.user, form)
    return _page(request, form)


def _page(request: HttpRequest, form: ImportForm, status: int = 200) -> HttpResponse:
    status = status_of(form) if form.errors else status
    return render(request, "tournaments/staff/import.html", {"form": form}, status=status)


def _look(request: HttpRequest, user: User, form: ImportForm) -> HttpResponse:
    data, name = form.cleaned_data["data"], form.cleaned_data["name"]
    try:
        imported = importing.import_file(data, owner=user, file_name=name, preview=True)
    except FileRefused as refusal:
        form.add_error(None, _in_words(data, refusal))
        return _page(request, form)
    # Kept for the button, so that nobody has to choose the file again.
    caches["pages"].set(_key(user), Kept(imported.digest, data, name), KEPT_SECONDS)
    return render(request, "tournaments/staff/import_preview.html", _context(user, imported))


def _in_words(data: bytes, refusal: FileRefused) -> str:
    """What is wrong, and where; what is no tournament file at all is told without a path."""
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


def _make(request: HttpRequest, user: User) -> HttpResponse:
    """Make the event; a second click on the button leads to the event of the first."""
    with transaction.atomic():
        # A second click waits until the first has made its event.
        User.objects.select_for_update().get(pk=user.pk)
        kept = caches["pages"].get(_key(user))
        if kept is None or kept.digest != request.POST["digest"]:
            messages.error(request, "The file is not at hand any more. Choose it again.")
            return redirect("tournaments:import")
        if not kept.slug:
            imported = importing.import_file(kept.data, owner=user, file_name=kept.name)
            kept = Kept(kept.digest, b"", kept.name, imported.answer["event"])
            caches["pages"].set(_key(user), kept, KEPT_SECONDS)
            messages.success(request, f"{imported.name} is imported. {WHO_FINDS_IT}")
    return redirect("tournaments:event", slug=kept.slug)


def _key(user: User) -> str:
    return f"import:{user.pk}"
