"""Announcement settings for staff and notification settings for players."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core import outgoing_requests, web_push
from core.site_address import shared_url
from tournaments.event import permissions, queries
from tournaments.event import services as event_services
from tournaments.event.actors import Actor
from tournaments.event.history import PlayerRemoved
from tournaments.integrations import news_jobs
from tournaments.integrations.forms import AnnouncingForm
from tournaments.integrations.pages import event_texts
from tournaments.integrations.services import announcing
from tournaments.models import Registration, Tournament
from tournaments.results.pages.standings import standings_texts
from tournaments.rounds.pages.tables import pairings_texts
from tournaments.web.views.access import registration_or_404
from tournaments.web.views.polling import is_fragment
from tournaments.web.views.staff_pages import WRITE, RefusalsShown, desk_page, staff_page


@staff_page(permissions.can_run)
def announcing_page(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Show the announcement settings, the sending jobs and the texts to copy."""
    if is_fragment(request):
        context = {"sendings": queries.sendings(tournament)}
        return desk_page(
            request, tournament, actor, "tournaments/integrations/announcing.html#live", context
        )
    setting = event_services.setting_of(tournament)
    form = AnnouncingForm(initial=announcing.switches_of(setting))
    return _page(request, tournament, actor, form)


@staff_page(permissions.can_run, WRITE)
def save(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    form = AnnouncingForm(request.POST)
    if not form.is_valid():
        return _page(request, tournament, actor, form, status=422)
    announcing.change(tournament, actor, **form.changes())
    messages.success(request, "Saved.")
    return redirect("tournaments:announcing", slug=tournament.slug)


@staff_page(permissions.can_run, WRITE)
def test(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Send a test message to the channel; the page shows the result."""
    with RefusalsShown(request, announcing.NoWebhook):
        announcing.send_test(tournament)
        messages.success(request, "Test message sent. See the result below.")
    return redirect("tournaments:announcing", slug=tournament.slug)


def _join_page(tournament: Tournament) -> str:
    return reverse("tournaments:join_code", args=[tournament.join_code])


def _page(
    request: HttpRequest,
    tournament: Tournament,
    actor: Actor,
    form: AnnouncingForm,
    status: int = 200,
) -> HttpResponse:
    setting = event_services.setting_of(tournament)
    rounds = queries.visible_rounds(tournament).select_related("stage__tournament")
    latest = rounds.last()
    waiting = queries.why_standings_wait(tournament)
    context = {
        "form": form,
        "site": announcing.site_of(setting),
        "can_mail": news_jobs.can_mail(),
        "can_push": web_push.is_on(),
        "sendings": queries.sendings(tournament),
        "round": latest,
        "pairings": pairings_texts(latest) if latest else [],
        "standings": [] if waiting else standings_texts(tournament),
        "why_standings_wait": waiting,
        "event_texts": event_texts(tournament, shared_url(request, _join_page(tournament))),
    }
    return desk_page(
        request,
        tournament,
        actor,
        "tournaments/integrations/announcing.html",
        context,
        status=status,
    )


@never_cache
@require_safe
def my_news(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the player's notification settings for email and this phone."""
    registration, _ = registration_or_404(request, slug)
    return _news_page(request, registration)


def _news_page(
    request: HttpRequest, registration: Registration, refused: str = "", status: int = 200
) -> HttpResponse:
    marks = announcing.phone_marks(registration)
    why_no_push = announcing.why_no_push(registration)
    context = {
        "tournament": registration.tournament,
        "here": "me",
        "is_playing": True,
        "wishes_mail": announcing.wishes_mail(registration),
        "why_no_mail": announcing.why_no_mail(registration),
        "phones": marks,
        "why_no_push": why_no_push,
        "push_key": "" if why_no_push else web_push.public_key(settings.PUSH_KEY),
        "refused": refused,
    }
    return render(request, "tournaments/integrations/news.html", context, status=status)


@never_cache
@require_POST
def my_mail(request: HttpRequest, slug: str) -> HttpResponse:
    """Switch emails to this player on or off with `wanted` (yes or no)."""
    registration, _ = registration_or_404(request, slug)
    with RefusalsShown(request, announcing.NoMail):
        announcing.wish_mail(registration, wanted=request.POST.get("wanted") == "yes")
        messages.success(request, "Saved.")
    return redirect("tournaments:my_news", slug)


@never_cache
@require_POST
def my_phone(request: HttpRequest, slug: str) -> HttpResponse:
    """Subscribe this phone, or unsubscribe it with `wanted` (no); 422 if refused."""
    registration, _ = registration_or_404(request, slug)
    endpoint = request.POST.get("endpoint", "")
    if request.POST.get("wanted") == "no":
        announcing.remove_phone(registration, endpoint)
    else:
        try:
            keys = {name: request.POST.get(name, "") for name in ("p256dh", "auth")}
            announcing.add_phone(registration, endpoint=endpoint, **keys)
        except (
            announcing.NoPush,
            outgoing_requests.AddressNotAllowed,
            web_push.BadKeys,
            PlayerRemoved,
        ) as refusal:
            return _news_page(request, registration, str(refusal), 422)
    messages.success(request, "Saved.")
    return redirect("tournaments:my_news", slug)
