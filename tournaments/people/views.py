"""Pages about a player across events."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players import services as player_services
from players.forms import PrivacyForm
from tournaments.event.actors import Actor
from tournaments.web.views.access import actor_of

UNPROCESSABLE, CONFLICT = 422, 409


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_privacy(request: HttpRequest) -> HttpResponse:
    """What others see of whoever asks, beyond one event; each choice says what it changes."""
    actor = actor_of(request)
    if actor == Actor():
        return redirect_to_login(request.path)
    player, status = actor.player, 200
    form = PrivacyForm(request.POST or None, instance=player)
    if player is not None and request.method == "POST":
        status = UNPROCESSABLE
        if form.is_valid():
            try:
                player_services.set_privacy(player, **form.cleaned_data)
            except player_services.PlayerErased as refusal:
                messages.error(request, str(refusal))
            else:
                messages.success(request, "Saved. Others see it from now on.")
            return redirect("tournaments:my_privacy")
        player.refresh_from_db()
    context = {"player": player, "form": form}
    return render(request, "tournaments/people/privacy.html", context, status=status)
