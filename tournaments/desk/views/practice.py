"""A sandbox to rehearse an evening in: made, played by lot, thrown away."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from engine.pairing.round_robin import RoundRobinOver
from tournaments.desk.services import practice as services
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.rounds.drafts.rounds import RoundStillOpen
from tournaments.rounds.elimination import NoGameToPlay
from tournaments.rounds.services import drafting, rounds
from tournaments.web.views.staff_pages import READ, WRITE, desk_page, staff_page, told

IN_THE_WAY = (
    services.NotAPractice,
    services.NothingToPlay,
    drafting.NotEnoughPlayers,
    rounds.NotADraft,
    rounds.WrongState,
    rounds.ResultsMissing,
    rounds.DraftIsOld,
    RoundStillOpen,
    NoGameToPlay,
    RoundRobinOver,
)


@staff_page(permissions.can_run, READ + WRITE)
def practice(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """What a sandbox is, those one has, and a new one."""
    if request.method == "POST":
        with told(request, services.TooManyPractices):
            made = services.copy(tournament, actor, with_rounds="rounds" in request.POST)
            messages.success(request, "This is a copy to practise with. Press anything.")
            return redirect("tournaments:desk", made.slug)
        return redirect("tournaments:practice", tournament.slug)
    context = {
        "has_rounds": queries.visible_rounds(tournament).exists(),
        "practices": queries.practices_of(request.user) if request.user.is_authenticated else [],
    }
    return desk_page(request, tournament, actor, "tournaments/desk/practice.html", context)


@staff_page(permissions.can_run, WRITE)
def practice_play(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Results by lot: for the open tables, or with `what` as `round` for a whole round."""
    with told(request, *IN_THE_WAY):
        if request.POST.get("what") == "round":
            played = services.play_round(tournament, actor)
            messages.success(request, f"Round {played.number} was played at random and closed.")
        else:
            count = services.play(tournament, actor)
            messages.success(request, f"Tables played at random: {count}.")
    return redirect("tournaments:desk", tournament.slug)


@staff_page(permissions.can_own, WRITE)
def practice_end(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Throw the sandbox away; back to the event it was made of, if one still runs that."""
    origin = tournament.practice_of
    with told(request, services.NotAPractice):
        services.throw_away(tournament)
        messages.success(request, "The practice event is gone.")
        if origin is not None and permissions.can_open_desk(actor, origin):
            return redirect("tournaments:desk", origin.slug)
        return redirect("tournaments:mine")
    return redirect("tournaments:desk", tournament.slug)
