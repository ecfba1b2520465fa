"""Announcement settings for staff and notification settings for players."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core import outgoing_requests, web_push
from core.site_address import shared_url
from tournaments.event import permissions, queries
from tournaments.event import services as event_services
from tournaments.event.history import PlayerRemoved
from tournaments.integrations import news_jobs
from tournaments.integrations.forms import AnnouncingForm
from tournaments.integrations.pages import event_texts
from tournaments.integrations.services import announcing
from tournaments.results.pages.standings import standings_texts
from tournaments.rounds.pages.tables import pairings_texts
from tournaments.web.views.access import EventRequest, RegistrationRequest, registration_view
from tournaments.web.views.polling import is_fragment
from tournaments.web.views.staff_pages import WRITE, RefusalsShown, desk_page, staff_page


@staff_page(permissions.can_run)
def announcing_page(request: EventRequest) -> HttpResponse:
    """Show the announcement settings, the sending jobs and the texts to copy."""
    if is_fragment(request):
        context = {"sendings": queries.sendings(request.event)}
        return desk_page(request, "tournaments/integrations/announcing.html#live", context)
    setting = event_services.setting_of(request.event)
    form = AnnouncingForm(initial=announcing.switches_of(setting))
    return _page(request, form)


@staff_page(permissions.can_run, WRITE)
def save(request: EventRequest) -> HttpResponse:
    form = AnnouncingForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    announcing.change(request.event, request.actor, **form.changes())
    messages.success(request, "Saved.")
    return redirect("tournaments:announcing", slug=request.event.slug)


@staff_page(permissions.can_run, WRITE)
def test(request: EventRequest) -> HttpResponse:
    """Send a test message to the channel; the page shows the result."""
    with RefusalsShown(request, announcing.NoWebhook):
        announcing.send_test(request.event)
        messages.success(request, "Test message sent. See the result below.")
    return redirect("tournaments:announcing", slug=request.event.slug)


def _page(request: EventRequest, form: AnnouncingForm, status: int = 200) -> HttpResponse:
    event = request.event
    setting = event_services.setting_of(event)
    latest = queries.visible_rounds(event).select_related("stage__tournament").last()
    waiting = queries.why_standings_wait(event)
    join_page = reverse("tournaments:join_code", args=[event.join_code])
    context = {
        "form": form,
        "site": announcing.site_of(setting),
        "can_mail": news_jobs.can_mail(),
        "can_push": web_push.is_on(),
        "sendings": queries.sendings(event),
        "round": latest,
        "pairings": pairings_texts(latest) if latest else [],
        "standings": [] if waiting else standings_texts(event),
        "why_standings_wait": waiting,
        "event_texts": event_texts(event, shared_url(request, join_page)),
    }
    return desk_page(request, "tournaments/integrations/announcing.html", context, status=status)


@never_cache
@require_safe
@registration_view
def my_news(request: RegistrationRequest) -> HttpResponse:
    """Show the player's notification settings for email and this phone."""
    return _news_page(request)


def _news_page(request: RegistrationRequest, refused: str = "", status: int = 200) -> HttpResponse:
    registration = request.registration
    why_no_push = announcing.why_no_push(registration)
    context = {
        "tournament": request.event,
        "here": "me",
        "is_playing": True,
        "wishes_mail": announcing.wishes_mail(registration),
        "why_no_mail": announcing.why_no_mail(registration),
        "phones": announcing.phone_marks(registration),
        "why_no_push": why_no_push,
        "push_key": "" if why_no_push else web_push.public_key(settings.PUSH_KEY),
        "refused": refused,
    }
    return render(request, "tournaments/integrations/news.html", context, status=status)


@never_cache
@require_POST
@registration_view
def my_mail(request: RegistrationRequest) -> HttpResponse:
    """Switch emails to this player on or off with `wanted` (yes or no)."""
    with RefusalsShown(request, announcing.NoMail):
        announcing.wish_mail(request.registration, wanted=request.POST.get("wanted") == "yes")
        messages.success(request, "Saved.")
    return redirect("tournaments:my_news", request.event.slug)


@never_cache
@require_POST
@registration_view
def my_phone(request: RegistrationRequest) -> HttpResponse:
    """Subscribe this phone, or unsubscribe it with `wanted` (no); 422 if refused."""
    endpoint = request.POST.get("endpoint", "")
    if request.POST.get("wanted") == "no":
        announcing.remove_phone(request.registration, endpoint)
    else:
        try:
            keys = {name: request.POST.get(name, "") for name in ("p256dh", "auth")}
            announcing.add_phone(request.registration, endpoint=endpoint, **keys)
        except (
            announcing.NoPush,
            outgoing_requests.AddressNotAllowed,
            web_push.BadKeys,
            PlayerRemoved,
        ) as refusal:
            return _news_page(request, str(refusal), 422)
    messages.success(request, "Saved.")
    return redirect("tournaments:my_news", request.event.slug)
