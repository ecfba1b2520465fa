"""List, create and revoke the user's API tokens."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core import secret_links
from core.site_address import shared_url
from players.models import User
from players.recent import fresh_session
from tournaments.event import queries
from tournaments.event.actors import actor_of
from tournaments.integrations import queries as integration_queries
from tournaments.integrations.forms import TokenForm
from tournaments.integrations.services import tokens as services
from tournaments.web.views.staff_pages import RefusalsShown


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@fresh_session
def tokens(request: HttpRequest) -> HttpResponse:
    """List and create tokens of the user; only the response to a creation shows the secret."""
    actor = actor_of(request)
    events = list(queries.events_of(actor.user, actor.player))
    if request.method != "POST":
        form = TokenForm(events=events, initial={"event": request.GET.get("event", "")})
        return _page(request, form=form)
    form = TokenForm(request.POST, events=events)
    if not form.is_valid():
        return _page(request, status=422, form=form)
    with RefusalsShown(request, services.TooManyTokens, services.FactorMissing):
        secret = services.make(_user(request), form.wanted())
        api = shared_url(request, reverse("api:start"))
        slug = form.cleaned_data["event"]
        example = f"{api}events/{slug}/" if slug else f"{api}events/"
        made = {"secret": secret, "name": form.cleaned_data["name"], "example": example}
        return _page(request, status=201, form=TokenForm(events=events), made=made)
    return _page(request, status=422, form=form)


@never_cache
@require_POST
def token_revoke(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Revoke a token of this user; 404 for tokens of others."""
    if not request.user.is_authenticated:
        raise Http404
    mine = integration_queries.tokens_of(_user(request))
    token = get_object_or_404(mine, public_id=public_id)
    services.revoke(token)
    messages.success(request, f"{token.name} is revoked.")
    return redirect("tournaments:tokens")


@never_cache
@require_POST
@login_required
def tokens_revoke(request: HttpRequest) -> HttpResponse:
    ended = services.revoke_all(_user(request))
    messages.success(request, f"Revoked: {ended}. No program acts for you now.")
    return redirect("tournaments:tokens")


def _user(request: HttpRequest) -> User:
    assert request.user.is_authenticated
    return request.user


def _page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    user = _user(request)
    shown = {
        "live": integration_queries.live_tokens(user),
        "ended": integration_queries.ended_tokens(user),
        "is_after_password": request.GET.get("after") == "password",
        **context,
    }
    return secret_links.private(
        render(request, "tournaments/integrations/tokens.html", shown, status=status)
    )
