"""How rounds, points and places are made, from the same data that makes them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from decks.games import GAMES
from engine.standings import DEFAULT_TIE_BREAKERS, TIE_BREAKERS
from matches import queries
from matches.scoring import rules_of
from tournaments.rounds.pages.stages import system_helps


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Which page explains what."""
    return render(request, "tournaments/desk/help.html")


@require_safe
def pairing(request: HttpRequest) -> HttpResponse:
    """Every way to run a stage, and what its pairing weighs, in order."""
    return render(request, "tournaments/desk/help_pairing.html", {"systems": system_helps()})


@require_safe
def tie_breakers(request: HttpRequest) -> HttpResponse:
    """Every tie-breaker in words, and the usual order."""
    context = {
        "tie_breakers": TIE_BREAKERS.values(),
        "usual": [TIE_BREAKERS[id_].name for id_ in DEFAULT_TIE_BREAKERS],
    }
    return render(request, "tournaments/desk/help_tie_breakers.html", context)


@require_safe
def scoring(request: HttpRequest) -> HttpResponse:
    """Every scoring rule in words, by game, with the flags and factions it knows."""
    context = {
        "games": [(game.name, rules_of(game.scoring_rules)) for game in GAMES.values()],
        "factions": sorted(queries.factions().values(), key=lambda one: (one.colour, one.name)),
    }
    return render(request, "tournaments/desk/help_scoring.html", context)
