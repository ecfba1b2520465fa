"""How things are computed, in words; for everybody."""

from django.urls import path

from tournaments.views import help as pages

urlpatterns = [
    path("help/", pages.index, name="help"),
    path("help/pairing/", pages.pairing, name="help_pairing"),
    path("help/tie-breakers/", pages.tie_breakers, name="help_tie_breakers"),
]
