"""View, download, extend or erase personal data, and erase a guest."""

import json
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core import backups
from core.errors import Refusal
from core.files import attachment_response
from players.queries import forget_current_player
from players.reauthentication import fresh_session
from players.sessions import GUEST_KEY
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor, actor_of
from tournaments.privacy import queries as privacy_queries
from tournaments.privacy import services
from tournaments.privacy.forms import ErasingForm
from tournaments.privacy.pages import data_document, data_sections
from tournaments.registration.roster_views import entry_or_404
from tournaments.web.access import EventRequest
from tournaments.web.staff_pages import READ, WRITE, render_desk_page, staff_page

CONFLICT, UNPROCESSABLE = 409, 422


def _actor_or_404(request: HttpRequest) -> Actor:
    """Return the actor; 404 for visitors without an account or player."""
    actor = actor_of(request)
    if actor == Actor():
        raise Http404("Open your personal link, or log in.")
    return actor


def _backup_context() -> dict[str, object]:
    """Context for the erasing pages: how long backups retain data erased today."""
    days = backups.days_in_backups()
    return {
        "backup_days": days,
        "backups_until": timezone.localdate() + timedelta(days=days),
        "has_copies": bool(days and settings.BACKUP_COMMAND),
    }


@never_cache
@require_safe
def my_data(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    if actor == Actor():
        return redirect_to_login(request.path)
    context = {
        "sections": [section for section in data_sections(actor) if section.rows],
        "player": actor.player,
        "forgotten_at": privacy_queries.erasure_time(actor.user, actor.player),
        "months": settings.FORGET_AFTER_MONTHS,
        **_backup_context(),
    }
    return render(request, "tournaments/privacy/data.html", context)


@never_cache
@require_POST
@fresh_session
def my_data_file(request: HttpRequest) -> HttpResponse:
    """Download the data as JSON; requires a recent login."""
    document = data_document(data_sections(_actor_or_404(request)))
    text = json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    return attachment_response(text.encode(), "datafort-about-me.json", "application/json")


@never_cache
@require_POST
def extend_stay(request: HttpRequest) -> HttpResponse:
    actor = _actor_or_404(request)
    if actor.player is None:
        raise Http404("This account does not play: logging in is enough to stay.")
    services.extend_stay(actor.player)
    messages.success(request, _("Your data will be kept. The period starts again today."))
    return redirect("tournaments:my_data")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@fresh_session
def erase_self(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    if actor == Actor():
        return redirect_to_login(request.path)
    form = ErasingForm.from_post(request.POST, name=str(actor.player or actor.user))
    status, refusal = (UNPROCESSABLE if form.errors else 200), None
    try:
        services.refuse_erasing_self(actor)
        if form.is_sure():
            label = services.erase_self(actor)
            request.session.pop(GUEST_KEY, None)
            logout(request)
            forget_current_player(request)
            context = {"label": label, **_backup_context()}
            return render(request, "tournaments/privacy/erased.html", context)
    except Refusal as error:
        status, refusal = _status_of_refusal(request), error
    context = {"form": form, "refusal": refusal, **_backup_context()}
    return render(request, "tournaments/privacy/erase.html", context, status=status)


def _status_of_refusal(request: HttpRequest) -> int:
    # A page that explains the refusal before anything is sent is not an error.
    return CONFLICT if request.method == "POST" else 200


@fresh_session
@staff_page(event_permissions.can_run, READ + WRITE)
def erase_guest(request: EventRequest, number: int) -> HttpResponse:
    place = entry_or_404(request.event, number)
    form = ErasingForm.from_post(request.POST, name=str(place.player))
    status, refusal = (UNPROCESSABLE if form.errors else 200), None
    try:
        services.refuse_erasing_guest(place, request.actor)
        if form.is_sure():
            label = services.erase_guest(place, request.actor)
            messages.success(
                request, _("Erased. The results now appear under “%(label)s”.") % {"label": label}
            )
            return redirect("tournaments:roster", slug=request.event.slug)
    except Refusal as error:
        status, refusal = _status_of_refusal(request), error
    context = {"entry": place, "form": form, "refusal": refusal, **_backup_context()}
    return render_desk_page(request, "tournaments/privacy/erase_guest.html", context, status)
