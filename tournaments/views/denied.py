"""What somebody is told who may not do what they asked for."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.defaults import permission_denied

from tournaments.permissions import SecondFactorNeeded


def denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page of every 403; staff without a second factor are led to set one up."""
    if not isinstance(exception, SecondFactorNeeded):
        return permission_denied(request, exception)
    context = {"event": exception.tournament, "way_back": request.path}
    response = render(request, "tournaments/second_factor.html", context, status=403)
    add_never_cache_headers(response)
    return response
