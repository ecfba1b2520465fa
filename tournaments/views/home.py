"""The front page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments import queries

NEXT_SHOWN, PAST_SHOWN = 12, 6


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What the site is, what is on now, next and past, and the two ways in."""
    now, upcoming, past = queries.listed_by_time(timezone.localdate())
    context = {"now": now, "upcoming": upcoming[:NEXT_SHOWN], "past": past[:PAST_SHOWN]}
    return render(request, "tournaments/public/home.html", context)
