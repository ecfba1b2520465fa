"""Results for AlwaysBeRunning: asked for, and what came of it."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.forms.programs import UploadForm
from tournaments.models import Tournament
from tournaments.services import uploads as services
from tournaments.views.behind import WRITE, desk_page, staff_page, told
from tournaments.views.polling import is_fragment

WHAT_HAPPENED = (services.NothingToUpload, services.UploadUnderWay, services.SentBefore)


@staff_page(permissions.can_run)
def uploads(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The newest upload big, those before it below, and the form for another."""
    return _page(request, tournament, actor, UploadForm())


def _page(
    request: HttpRequest, tournament: Tournament, actor: Actor, form: UploadForm, status: int = 200
) -> HttpResponse:
    found = list(queries.uploads(tournament)[:10])
    newest = found[0] if found else None
    context = {
        "newest": newest,
        "older": found[1:],
        "site": settings.ABR_URL,
        "is_under_way": newest is not None and newest.state in services.OPEN,
        "was_sent": queries.was_uploaded(tournament),
        "form": form,
    }
    if is_fragment(request):
        return desk_page(request, tournament, actor, "uploads.html#live", context)
    context["why_not"] = services.why_not(tournament)
    return desk_page(request, tournament, actor, "uploads.html", context, status=status)


@staff_page(permissions.can_run, WRITE)
def upload(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Send the results; the page says what comes of it."""
    form = UploadForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, actor, form, status=422)
    with told(request, *WHAT_HAPPENED):
        services.ask(tournament, actor, **form.cleaned_data)
        messages.success(request, "The results are on their way.")
    return redirect("tournaments:uploads", tournament.slug)
