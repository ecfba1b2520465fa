"""How points and places are made, from the same data that makes them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.scoring import SCORING_RULES
from tournaments.standings import DEFAULT_TIE_BREAKERS, TIE_BREAKERS


@require_safe
def scoring(request: HttpRequest) -> HttpResponse:
    """Every scoring rule and tie-breaker in words."""
    context = {
        "rules": SCORING_RULES.values(),
        "tie_breakers": TIE_BREAKERS.values(),
        "usual": [TIE_BREAKERS[id_].name for id_ in DEFAULT_TIE_BREAKERS],
    }
    return render(request, "tournaments/public/help_scoring.html", context)
