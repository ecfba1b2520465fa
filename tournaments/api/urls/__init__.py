"""Addresses of the API that tournaments answer, each topic in its own list."""

from tournaments.api.urls import decks, events, judging, people, play

urlpatterns = [
    *events.urlpatterns,
    *people.urlpatterns,
    *decks.urlpatterns,
    *play.urlpatterns,
    *judging.urlpatterns,
]
