"""URLs of the public pages."""

from django.urls import URLPattern, path

from tournaments.public import views
from tournaments.web.urls import EVENT, ROUND, TABLE

urlpatterns: list[URLPattern] = [
    path("help/scoring/", views.help_scoring, name="help_scoring"),
    path("events/", views.event_list, name="list"),
    path("events/calendar.ics", views.events_calendar, name="all_events_calendar"),
    path("archive/", views.archive, name="archive"),
    path(EVENT, views.event, name="event"),
    path(f"{EVENT}pairings/", views.pairings, name="pairings"),
    path(f"{EVENT}players/<int:number>/", views.player, name="player"),
    path(ROUND, views.round_, name="round"),
    path(TABLE, views.table, name="table"),
    path("help/", views.help_index, name="help"),
    path("help/pairing/", views.help_pairing, name="help_pairing"),
    path("help/rounds/", views.help_rounds, name="help_rounds"),
    path("help/tie-breakers/", views.help_tie_breakers, name="help_tie_breakers"),
]
