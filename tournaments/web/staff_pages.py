"""Shared parts of the staff pages: permissions, refusals, context and error pages."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any, ParamSpec
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.defaults import permission_denied

from core import database
from core.errors import Refusal
from core.form_fields import whole_number
from core.languages import activate_event_language
from core.time_zones import known_zones
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.permissions import ImportInProgress, OrganisersOnly, SecondFactorNeeded
from tournaments.models import Tournament
from tournaments.web.access import EventRequest, EventView, PermissionCheck, event_with_permission
from tournaments.web.polling import is_fragment

# HTTP methods of a page and of an action; a form accepts both.
READ, WRITE = ("GET", "HEAD"), ("POST",)
LOGGED_OUT_MESSAGE = gettext_lazy(
    "You are logged out. Note what you typed, reload this page and log in."
)
# URL names of the staff pages with a tab of their own.
PAGES_WITH_A_TAB = ("roster", "results")
# An import without a step for this long counts as stopped; each step takes about a second.
STOPPED_IMPORT_AFTER = timedelta(minutes=1)
P = ParamSpec("P")


def staff_page(
    ability: PermissionCheck, methods: Sequence[str] = READ
) -> Callable[[EventView[P]], Callable[..., HttpResponse]]:
    """Make a view a page for staff with this ability; set the request's event and actor.

    Strangers are redirected to the login page without learning about the event. Accounts without
    the ability get 403. Responses are never cached.
    """

    def decorate(view: EventView[P]) -> Callable[..., HttpResponse]:
        @require_http_methods(methods)
        @never_cache
        @wraps(view)
        def wrapper(
            request: EventRequest, slug: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            if not request.user.is_authenticated:
                return _require_login(request)
            request.event, request.actor = event_with_permission(request, slug, ability)
            activate_event_language(request, request.event.language)
            # Forms may run slow computations outside the transaction.
            return database.run_with_fetches(view, request, *args, **kwargs)

        return wrapper

    return decorate


def _require_login(request: HttpRequest) -> HttpResponse:
    """Redirect to the login page; a partial page shows one sentence instead."""
    if is_fragment(request) or is_htmx(request):
        return HttpResponse(LOGGED_OUT_MESSAGE, status=401, content_type="text/plain")
    if request.method == "GET":
        return redirect_to_login(request.get_full_path())
    return redirect_to_login(request.META.get("PATH_INFO", ""))


class InvalidInput(Refusal):
    """Invalid input in a form that is not shown again."""


def get_cleaned_data(form: Form, wanted: str) -> dict[str, Any]:
    """Return the cleaned data of the form. Raise InvalidInput with the message `wanted`."""
    if not form.is_valid():
        raise InvalidInput(wanted)
    return form.cleaned_data


@dataclass
class RefusalOutcome:
    """Result of a block under show_refusals: its refusal, or None."""

    refusal: Refusal | None = None


@contextmanager
def show_refusals(request: HttpRequest, *, as_message: bool = True) -> Iterator[RefusalOutcome]:
    """Show a refusal of the block as a message, unless the response itself shows it."""
    outcome = RefusalOutcome()
    try:
        yield outcome
    except Refusal as refusal:
        outcome.refusal = refusal
        if as_message:
            messages.error(request, str(refusal))


def render_desk_page(
    request: EventRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    shared = {**desk_context(request), **context}
    with use_time_zone(request.event.time_zone):
        return render(request, template, shared, status=status)


def seen_log_entry(request: HttpRequest) -> int | None:
    """Return the log entry on which the form was based; None if it is not a number."""
    return whole_number(request.POST.get("seen", ""), 18)


def is_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))


def submitted_fields(sent: QueryDict, *others: str) -> list[tuple[str, str]]:
    """Return the submitted fields, to be sent again with an updated token and `others`."""
    ours = ("csrfmiddlewaretoken", "idempotency_key", *others)
    return [
        (name, str(value)) for name, values in sent.lists() for value in values if name not in ours
    ]


def use_time_zone(name: str) -> AbstractContextManager[None]:
    """Activate this time zone, or the site's if it is unknown."""
    return timezone.override(ZoneInfo(name) if name in known_zones() else None)


def desk_context(request: EventRequest) -> dict[str, Any]:
    event, actor = request.event, request.actor
    page = request.resolver_match.url_name if request.resolver_match else None
    return {
        "tournament": event,
        "here": page if page in PAGES_WITH_A_TAB else "desk",
        "can_open_desk": True,
        # Only whole pages have tabs, and the desk sets these values.
        "has_bracket": SimpleLazyObject(lambda: event.has_public_bracket()),
        "has_decks": SimpleLazyObject(lambda: visibility.has_decks_page(event, actor.player)),
        "is_playing": event.registration_of(actor.player) is not None,
        "can_run": event_permissions.can_run(actor, event),
        "can_score": event_permissions.can_enter_results(actor, event),
        "can_judge": event_permissions.can_judge(actor, event),
        "can_head_judge": event_permissions.can_head_judge(actor, event),
        "can_own": event_permissions.can_own(actor, event),
    }


def denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render a 403. Staff without two-factor authentication are led to set it up."""
    if isinstance(exception, OrganisersOnly):
        template = "tournaments/web/organisers_only.html"
        return render(request, template, {"reason": str(exception)}, status=403)
    if isinstance(exception, ImportInProgress):
        return _import_in_progress(request, exception.tournament)
    if not isinstance(exception, SecondFactorNeeded):
        return permission_denied(request, exception)
    event = {"event": exception.tournament, "way_back": request.path}
    response = render(request, "tournaments/web/second_factor.html", event, status=403)
    add_never_cache_headers(response)
    return response


def _import_in_progress(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Return a page that opens the event after its import, or reports a failed import."""
    assert tournament.import_touched_at is not None
    event = {"event": tournament.name}
    is_alive = timezone.now() - tournament.import_touched_at < STOPPED_IMPORT_AFTER
    if is_alive:
        reason = (
            _("%(event)s is being imported. This page opens the event as soon as it is ready.")
            % event
        )
    else:
        reason = _(
            "The import of %(event)s stopped before it was complete. Import the file "
            "again. The incomplete event is deleted automatically."
        )
        reason %= event
    context = {"reason": reason, "back": reverse("tournaments:mine")}
    response = render(request, "tournaments/web/not_yet.html", context, status=409)
    if is_alive:
        response["Retry-After"] = response["Refresh"] = "5"
    add_never_cache_headers(response)
    return response


class ReasonForm(forms.Form):
    """The reason for an undo, which is logged."""

    reason = forms.CharField(
        label=gettext_lazy("Why?"),
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
