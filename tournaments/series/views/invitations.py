"""View for players to answer an invitation."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from core.client_addresses import counted_address
from core.text import ended
from tournaments.event.actors import actor_of
from tournaments.models import InvitedPlayer, RegistrationState
from tournaments.rounds.services.late_entries import RegistrationClosed
from tournaments.series.services import inviting
from tournaments.web.views.staff_pages import RefusalsShown


@never_cache
@require_POST
def invitation_answer(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept or decline by the value of `answer`; without it nothing changes."""
    actor = actor_of(request)
    rows = InvitedPlayer.objects.select_related("tournament", "player")
    invited = get_object_or_404(rows, player=actor.player, tournament__slug=slug)
    answer = request.POST.get("answer")
    with RefusalsShown(request, inviting.InvitationGone, RegistrationClosed):
        if answer == "accept":
            place = inviting.accept(invited, actor, address=counted_address(request))
            if place.state == RegistrationState.WAITING:
                messages.success(request, f"You are on the waiting list of {invited.tournament}.")
            else:
                messages.success(request, ended(f"You are on the list of {invited.tournament}"))
            return redirect("tournaments:my_event", slug)
        if answer == "decline":
            inviting.decline(invited, actor)
            messages.success(request, f"You declined the invitation to {invited.tournament}.")
    return redirect("tournaments:mine")
