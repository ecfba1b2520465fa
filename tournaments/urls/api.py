"""Addresses of the API that tournaments answer, each topic in its own list."""

from tournaments.urls import api_decks, api_events, api_judging, api_people, api_play

urlpatterns = [
    *api_events.urlpatterns,
    *api_people.urlpatterns,
    *api_decks.urlpatterns,
    *api_play.urlpatterns,
    *api_judging.urlpatterns,
]
