"""Pages of announcements, notifications, API tokens, webhooks and uploads."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core import http, secret_links, web_push
from core.addresses import shared_url
from players.models import User
from players.reauthentication import fresh_session
from tournaments.event import permissions as event_permissions
from tournaments.event import services as event_services
from tournaments.event.history import PlayerRemoved
from tournaments.event.permissions import actor_of
from tournaments.integrations import announcements, tokens, uploads, webhooks
from tournaments.integrations.announcements import event_texts
from tournaments.integrations.forms import (
    AnnouncingForm,
    TokenForm,
    UploadForm,
    WebhookChangeForm,
    WebhookForm,
)
from tournaments.models import Tournament, Webhook
from tournaments.results.standings_pages import standings_texts
from tournaments.rounds.pages import pairings_texts
from tournaments.web.access import EventRequest, RegistrationRequest, registration_view
from tournaments.web.polling import is_fragment
from tournaments.web.staff_pages import WRITE, render_desk_page, show_refusals, staff_page


@staff_page(event_permissions.can_run)
def announcement_settings(request: EventRequest) -> HttpResponse:
    if is_fragment(request):
        context = {"sendings": request.event.jobs.newest_notifications()}
        return render_desk_page(request, "tournaments/integrations/announcing.html#live", context)
    return _announcement_page(request)


@staff_page(event_permissions.can_run, WRITE)
def save_announcements(request: EventRequest) -> HttpResponse:
    form = AnnouncingForm(request.POST)
    if not form.is_valid():
        return _announcement_page(request, form, status=422)
    announcements.change_announcements(request.event, request.actor, **form.changes())
    messages.success(request, _("Saved."))
    return redirect("tournaments:announcing", slug=request.event.slug)


@staff_page(event_permissions.can_run, WRITE)
def channel_test(request: EventRequest) -> HttpResponse:
    with show_refusals(request):
        announcements.send_channel_test(request.event)
        messages.success(request, _("Test message sent. See the result below."))
    return redirect("tournaments:announcing", slug=request.event.slug)


def _announcement_page(
    request: EventRequest, form: AnnouncingForm | None = None, status: int = 200
) -> HttpResponse:
    event = request.event
    setting = event_services.notification_settings(event)
    latest = event.rounds.published().select_related("stage__tournament").last()
    waiting = event.why_standings_wait()
    join_page = reverse("tournaments:join_code", args=[event.join_code])
    context = {
        "form": form or AnnouncingForm(initial=announcements.switch_values(setting)),
        "site": announcements.channel_site(setting),
        "can_mail": announcements.can_mail(),
        "can_push": web_push.is_on(),
        "sendings": event.jobs.newest_notifications(),
        "round": latest,
        "pairings": pairings_texts(latest) if latest else [],
        "standings": [] if waiting else standings_texts(event),
        "why_standings_wait": waiting,
        "event_texts": event_texts(event, shared_url(request, join_page)),
    }
    return render_desk_page(
        request, "tournaments/integrations/announcing.html", context, status=status
    )


@never_cache
@require_safe
@registration_view
def my_news(request: RegistrationRequest) -> HttpResponse:
    return _news_page(request)


def _news_page(request: RegistrationRequest, error: str = "", status: int = 200) -> HttpResponse:
    registration = request.registration
    why_no_push = announcements.why_no_push(registration)
    context = {
        "tournament": request.event,
        "here": "me",
        "is_playing": True,
        "wishes_mail": announcements.has_mail_wish(registration),
        "why_no_mail": announcements.why_no_mail(registration),
        "phones": announcements.phone_hashes(registration),
        "why_no_push": why_no_push,
        "push_key": "" if why_no_push else web_push.public_key(settings.PUSH_KEY),
        "refused": error,
    }
    return render(request, "tournaments/integrations/news.html", context, status=status)


@never_cache
@require_POST
@registration_view
def my_mail(request: RegistrationRequest) -> HttpResponse:
    """Switch emails to this player on or off with `wanted` (yes or no)."""
    with show_refusals(request):
        announcements.set_mail_wish(
            request.registration, wanted=request.POST.get("wanted") == "yes"
        )
        messages.success(request, _("Saved."))
    return redirect("tournaments:my_news", request.event.slug)


@never_cache
@require_POST
@registration_view
def my_phone(request: RegistrationRequest) -> HttpResponse:
    """Subscribe this phone, or unsubscribe it with `wanted` (no); 422 if refused."""
    endpoint = request.POST.get("endpoint", "")
    if request.POST.get("wanted") == "no":
        announcements.remove_phone(request.registration, endpoint)
    else:
        try:
            keys = {name: request.POST.get(name, "") for name in ("p256dh", "auth")}
            announcements.add_phone(request.registration, endpoint=endpoint, **keys)
        except (
            announcements.NoPush,
            http.AddressNotAllowed,
            web_push.BadKeys,
            PlayerRemoved,
        ) as refusal:
            return _news_page(request, str(refusal), 422)
    messages.success(request, _("Saved."))
    return redirect("tournaments:my_news", request.event.slug)


# API tokens.


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@fresh_session
def token_list(request: HttpRequest) -> HttpResponse:
    """List and create tokens of the user; only the response to a creation shows the secret."""
    actor = actor_of(request)
    events = list(Tournament.objects.of_person(actor.user, actor.player))
    if request.method != "POST":
        form = TokenForm(events=events, initial={"event": request.GET.get("event", "")})
        return _token_page(request, form=form)
    form = TokenForm(request.POST, events=events)
    if not form.is_valid():
        return _token_page(request, status=422, form=form)
    with show_refusals(request):
        secret = tokens.create_token(_logged_in_user(request), form.token_request())
        api = shared_url(request, reverse("api:start"))
        slug = form.cleaned_data["event"]
        example = f"{api}events/{slug}/" if slug else f"{api}events/"
        made = {"secret": secret, "name": form.cleaned_data["name"], "example": example}
        return _token_page(request, status=201, form=TokenForm(events=events), made=made)
    return _token_page(request, status=422, form=form)


@never_cache
@require_POST
def token_revoke(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Revoke a token of this user; 404 for tokens of others."""
    if not request.user.is_authenticated:
        raise Http404
    own_tokens = tokens.tokens_of_user(_logged_in_user(request))
    token = get_object_or_404(own_tokens, public_id=public_id)
    tokens.revoke_token(token)
    messages.success(request, _("%(name)s was revoked.") % {"name": token.name})
    return redirect("tournaments:tokens")


@never_cache
@require_POST
@login_required
def token_revoke_all(request: HttpRequest) -> HttpResponse:
    number = tokens.revoke_all_tokens(_logged_in_user(request))
    message = ngettext("%(number)d token was revoked.", "%(number)d tokens were revoked.", number)
    messages.success(request, message % {"number": number})
    return redirect("tournaments:tokens")


def _logged_in_user(request: HttpRequest) -> User:
    assert request.user.is_authenticated
    return request.user


def _token_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    user = _logged_in_user(request)
    shown = {
        "live": tokens.live_tokens(user),
        "ended": tokens.ended_tokens(user),
        "is_after_password": request.GET.get("after") == "password",
        **context,
    }
    return secret_links.mark_private(
        render(request, "tournaments/integrations/tokens.html", shown, status=status)
    )


# Webhooks and uploads.


@staff_page(event_permissions.can_run)
def webhook_list(request: EventRequest) -> HttpResponse:
    all_events = [value for value, label in webhooks.EVENT_CHOICES]
    return _webhook_list_page(request, WebhookForm(initial={"events": all_events}))


def _webhook_list_page(request: EventRequest, form: WebhookForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "webhooks": [
            (webhook, webhooks.webhook_site(webhook))
            for webhook in webhooks.webhooks_of_event(request.event)
        ],
        "most": webhooks.MAX_WEBHOOKS,
    }
    return render_desk_page(
        request, "tournaments/integrations/webhooks.html", context, status=status
    )


@staff_page(event_permissions.can_run, WRITE)
def webhook_add(request: EventRequest) -> HttpResponse:
    """Add a webhook; only this response shows its secret."""
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _webhook_list_page(request, form, status=422)
    with show_refusals(request):
        webhook = webhooks.add_webhook(request.event, request.actor, **form.cleaned_data)
        return _secret_page(request, webhook, webhook.secret)
    return redirect("tournaments:programs", request.event.slug)


def _redirect_when_gone(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Redirect to the list if the webhook was removed in the meantime."""

    @wraps(view)
    def inner(request: EventRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with show_refusals(request):
            return view(request, *args, **kwargs)
        return redirect("tournaments:programs", request.event.slug)

    return inner


@staff_page(event_permissions.can_run, WRITE)
@_redirect_when_gone
def webhook_secret(request: EventRequest, pk: int) -> HttpResponse:
    """Replace the secret; only this response shows it."""
    webhook = _webhook_or_404(request.event, pk)
    secret = webhooks.replace_secret(webhook, request.actor)
    return _secret_page(request, webhook, secret)


def _secret_page(request: EventRequest, webhook: Webhook, secret: str) -> HttpResponse:
    context = {"webhook": webhook, "site": webhooks.webhook_site(webhook), "secret": secret}
    return secret_links.mark_private(
        render_desk_page(request, "tournaments/integrations/webhook_secret.html", context)
    )


def _webhook_or_404(tournament: Tournament, pk: int) -> Webhook:
    return get_object_or_404(webhooks.webhooks_of_event(tournament), pk=pk)


@staff_page(event_permissions.can_run)
def webhook_detail(request: EventRequest, pk: int) -> HttpResponse:
    webhook = _webhook_or_404(request.event, pk)
    form = WebhookChangeForm(initial={"events": webhook.events})
    return _webhook_page(request, webhook, form)


def _webhook_page(
    request: EventRequest, webhook: Webhook, form: WebhookForm, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {
        "webhook": webhook,
        "site": webhooks.webhook_site(webhook),
        "deliveries": webhooks.latest_deliveries(webhook),
        "form": form,
    }
    part = "#live" if is_fragment(request) else ""
    return render_desk_page(
        request, f"tournaments/integrations/webhook.html{part}", context, status
    )


@staff_page(event_permissions.can_run, WRITE)
@_redirect_when_gone
def webhook_change(request: EventRequest, pk: int) -> HttpResponse:
    webhook = _webhook_or_404(request.event, pk)
    form = WebhookChangeForm(request.POST)
    if not form.is_valid():
        return _webhook_page(request, webhook, form, status=422)
    address, events = form.cleaned_data["address"] or None, form.cleaned_data["events"]
    webhooks.change_webhook(webhook, request.actor, address=address, events=events)
    messages.success(request, _("Saved."))
    return _redirect_to_webhook(request.event, pk)


@staff_page(event_permissions.can_run, WRITE)
@_redirect_when_gone
def webhook_test(request: EventRequest, pk: int) -> HttpResponse:
    with show_refusals(request):
        webhooks.send_webhook_test(_webhook_or_404(request.event, pk))
        messages.success(request, _("Test message sent. See the result in the log."))
    return _redirect_to_webhook(request.event, pk)


@staff_page(event_permissions.can_run, WRITE)
@_redirect_when_gone
def webhook_switch(request: EventRequest, pk: int) -> HttpResponse:
    """Switch a webhook on or off with `on` (yes or no)."""
    on = request.POST.get("on") == "yes"
    webhooks.switch_webhook(_webhook_or_404(request.event, pk), request.actor, on=on)
    message = _("The webhook was switched on.") if on else _("The webhook was switched off.")
    messages.success(request, message)
    return _redirect_to_webhook(request.event, pk)


@staff_page(event_permissions.can_run, WRITE)
@_redirect_when_gone
def webhook_remove(request: EventRequest, pk: int) -> HttpResponse:
    """Remove a webhook after the box `sure` is ticked."""
    webhook = _webhook_or_404(request.event, pk)
    if request.POST.get("sure") != "yes":
        messages.error(request, _("Tick the box to remove the webhook."))
        return _redirect_to_webhook(request.event, pk)
    webhooks.remove_webhook(webhook, request.actor)
    messages.success(request, _("The webhook was removed."))
    return redirect("tournaments:programs", request.event.slug)


@staff_page(event_permissions.can_run, WRITE)
@_redirect_when_gone
def delivery_again(request: EventRequest, pk: int, uid: UUID) -> HttpResponse:
    deliveries = _webhook_or_404(request.event, pk).deliveries.select_related("webhook__tournament")
    delivery = get_object_or_404(deliveries, uid=uid)
    with show_refusals(request):
        webhooks.send_delivery_again(delivery)
        messages.success(request, _("The message is being sent again."))
    return _redirect_to_webhook(request.event, pk)


def _redirect_to_webhook(tournament: Tournament, pk: int) -> HttpResponse:
    return redirect("tournaments:webhook", tournament.slug, pk)


@staff_page(event_permissions.can_run)
def upload_list(request: EventRequest) -> HttpResponse:
    return _upload_page(request, UploadForm())


def _upload_page(request: EventRequest, form: UploadForm, status: int = 200) -> HttpResponse:
    newest_ten = list(uploads.uploads_of_event(request.event)[:10])
    newest = newest_ten[0] if newest_ten else None
    context = {
        "newest": newest,
        "older": newest_ten[1:],
        "site": settings.ABR_URL,
        "is_under_way": newest is not None and newest.state in uploads.OPEN_STATES,
        "was_sent": uploads.was_uploaded(request.event),
        "form": form,
    }
    if is_fragment(request):
        return render_desk_page(request, "tournaments/integrations/uploads.html#live", context)
    context["why_not"] = uploads.why_not_uploadable(request.event)
    return render_desk_page(
        request, "tournaments/integrations/uploads.html", context, status=status
    )


@staff_page(event_permissions.can_run, WRITE)
def upload(request: EventRequest) -> HttpResponse:
    form = UploadForm(request.POST)
    if not form.is_valid():
        return _upload_page(request, form, status=422)
    with show_refusals(request):
        uploads.request_upload(request.event, request.actor, **form.cleaned_data)
        messages.success(request, _("The results are being sent."))
    return redirect("tournaments:uploads", request.event.slug)
