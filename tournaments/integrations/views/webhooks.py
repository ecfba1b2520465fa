"""Webhooks of an event with their delivery logs, and uploads of results."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect

from core import secret_links
from tournaments.event import permissions
from tournaments.integrations import queries as integration_queries
from tournaments.integrations.forms import UploadForm, WebhookChangeForm, WebhookForm
from tournaments.integrations.services import uploads, webhooks
from tournaments.models import Tournament, Webhook
from tournaments.web.views.access import EventRequest
from tournaments.web.views.polling import is_fragment
from tournaments.web.views.staff_pages import WRITE, RefusalsShown, desk_page, staff_page

WHAT_HAPPENED = (
    uploads.NothingToUpload,
    uploads.UploadUnderWay,
    uploads.SentBefore,
)


@staff_page(permissions.can_run)
def webhook_list(request: EventRequest) -> HttpResponse:
    every = [value for value, _ in webhooks.CHOICES]
    return _page(request, WebhookForm(initial={"events": every}))


def _page(request: EventRequest, form: WebhookForm, status: int = 200) -> HttpResponse:
    found = integration_queries.webhooks(request.event)
    context = {
        "form": form,
        "webhooks": [(webhook, webhooks.site_of(webhook)) for webhook in found],
        "most": webhooks.MOST,
    }
    return desk_page(request, "tournaments/integrations/webhooks.html", context, status=status)


@staff_page(permissions.can_run, WRITE)
def add(request: EventRequest) -> HttpResponse:
    """Add a webhook; only this response shows its secret."""
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    with RefusalsShown(request, webhooks.TooManyWebhooks):
        webhook = webhooks.add(request.event, request.actor, **form.cleaned_data)
        return _secret_page(request, webhook, webhook.secret)
    return redirect("tournaments:programs", request.event.slug)


def _back_when_gone(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Redirect to the list if the webhook was removed in the meantime."""

    @wraps(view)
    def inner(request: EventRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with RefusalsShown(request, webhooks.WebhookIsGone):
            return view(request, *args, **kwargs)
        return redirect("tournaments:programs", request.event.slug)

    return inner


@staff_page(permissions.can_run, WRITE)
@_back_when_gone
def new_secret(request: EventRequest, pk: int) -> HttpResponse:
    """Replace the secret; only this response shows it."""
    webhook = _webhook_or_404(request.event, pk)
    secret = webhooks.new_secret(webhook, request.actor)
    return _secret_page(request, webhook, secret)


def _secret_page(request: EventRequest, webhook: Webhook, secret: str) -> HttpResponse:
    context = {"webhook": webhook, "site": webhooks.site_of(webhook), "secret": secret}
    return secret_links.private(
        desk_page(request, "tournaments/integrations/webhook_secret.html", context)
    )


def _webhook_or_404(tournament: Tournament, pk: int) -> Webhook:
    return get_object_or_404(integration_queries.webhooks(tournament), pk=pk)


@staff_page(permissions.can_run)
def webhook_page(request: EventRequest, pk: int) -> HttpResponse:
    """Show a webhook, its deliveries and its settings."""
    found = _webhook_or_404(request.event, pk)
    form = WebhookChangeForm(initial={"events": found.events})
    return _webhook_page(request, found, form)


def _webhook_page(
    request: EventRequest, webhook: Webhook, form: WebhookForm, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {
        "webhook": webhook,
        "site": webhooks.site_of(webhook),
        "deliveries": integration_queries.deliveries(webhook),
        "form": form,
    }
    part = "#live" if is_fragment(request) else ""
    return desk_page(request, f"tournaments/integrations/webhook.html{part}", context, status)


@staff_page(permissions.can_run, WRITE)
@_back_when_gone
def change(request: EventRequest, pk: int) -> HttpResponse:
    found = _webhook_or_404(request.event, pk)
    form = WebhookChangeForm(request.POST)
    if not form.is_valid():
        return _webhook_page(request, found, form, status=422)
    address, events = form.cleaned_data["address"] or None, form.cleaned_data["events"]
    webhooks.change(found, request.actor, address=address, events=events)
    messages.success(request, "Saved.")
    return _back(request.event, pk)


@staff_page(permissions.can_run, WRITE)
@_back_when_gone
def test(request: EventRequest, pk: int) -> HttpResponse:
    """Send a test message; the log shows the result."""
    with RefusalsShown(request, webhooks.WebhookIsOff):
        webhooks.send_test(_webhook_or_404(request.event, pk))
        messages.success(request, "Test message sent. See the result in the log.")
    return _back(request.event, pk)


@staff_page(permissions.can_run, WRITE)
@_back_when_gone
def switch(request: EventRequest, pk: int) -> HttpResponse:
    """Switch a webhook on or off with `on` (yes or no)."""
    on = request.POST.get("on") == "yes"
    webhooks.switch(_webhook_or_404(request.event, pk), request.actor, on=on)
    messages.success(request, f"The webhook is switched {'on' if on else 'off'}.")
    return _back(request.event, pk)


@staff_page(permissions.can_run, WRITE)
@_back_when_gone
def remove(request: EventRequest, pk: int) -> HttpResponse:
    """Remove a webhook after the box `sure` is ticked."""
    found = _webhook_or_404(request.event, pk)
    if request.POST.get("sure") != "yes":
        messages.error(request, "Tick the box to remove the webhook.")
        return _back(request.event, pk)
    webhooks.remove(found, request.actor)
    messages.success(request, "The webhook is removed.")
    return redirect("tournaments:programs", request.event.slug)


@staff_page(permissions.can_run, WRITE)
@_back_when_gone
def again(request: EventRequest, pk: int, uid: UUID) -> HttpResponse:
    deliveries = _webhook_or_404(request.event, pk).deliveries.select_related("webhook__tournament")
    delivery = get_object_or_404(deliveries, uid=uid)
    with RefusalsShown(request, webhooks.WebhookIsOff, webhooks.StillWaiting):
        webhooks.send_again(delivery)
        messages.success(request, "The message is on its way again.")
    return _back(request.event, pk)


def _back(tournament: Tournament, pk: int) -> HttpResponse:
    return redirect("tournaments:webhook", tournament.slug, pk)


@staff_page(permissions.can_run)
def upload_list(request: EventRequest) -> HttpResponse:
    """Show the newest upload, up to nine older ones and the form."""
    return _upload_page(request, UploadForm())


def _upload_page(request: EventRequest, form: UploadForm, status: int = 200) -> HttpResponse:
    found = list(integration_queries.uploads(request.event)[:10])
    newest = found[0] if found else None
    context = {
        "newest": newest,
        "older": found[1:],
        "site": settings.ABR_URL,
        "is_under_way": newest is not None and newest.state in uploads.OPEN,
        "was_sent": integration_queries.was_uploaded(request.event),
        "form": form,
    }
    if is_fragment(request):
        return desk_page(request, "tournaments/integrations/uploads.html#live", context)
    context["why_not"] = uploads.why_not(request.event)
    return desk_page(request, "tournaments/integrations/uploads.html", context, status=status)


@staff_page(permissions.can_run, WRITE)
def upload(request: EventRequest) -> HttpResponse:
    """Upload the results; the page shows the outcome."""
    form = UploadForm(request.POST)
    if not form.is_valid():
        return _upload_page(request, form, status=422)
    with RefusalsShown(request, *WHAT_HAPPENED):
        uploads.ask(request.event, request.actor, **form.cleaned_data)
        messages.success(request, "The results are on their way.")
    return redirect("tournaments:uploads", request.event.slug)
