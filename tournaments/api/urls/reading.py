"""What everybody may read of an event."""

from django.urls import URLPattern, path

from tournaments.api import events, rounds

EVENT = "events/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path("events/", events.EventList.as_view(), name="events"),
    path(EVENT, events.EventDetail.as_view(), name="event"),
    path(f"{EVENT}players/", events.PlayerList.as_view(), name="players"),
    path(f"{EVENT}standings/", events.StandingList.as_view(), name="standings"),
    path(f"{EVENT}rounds/", rounds.RoundList.as_view(), name="rounds"),
    path(f"{EVENT}rounds/<int:number>/", rounds.RoundDetail.as_view(), name="round"),
    path(f"{EVENT}rounds/<int:number>/pairings/", rounds.PairingList.as_view(), name="pairings"),
]
