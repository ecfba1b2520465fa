"""What is laid over a stream, and what other sites frame."""

from django.urls import URLPattern, path

from tournaments.views import embed, overlay

EVENT = "events/<slug:slug>"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}/overlays/", overlay.overlays, name="overlays"),
    path(f"{EVENT}/overlay/table/<int:number>/", overlay.table, name="overlay_table"),
    path(f"{EVENT}/overlay/feature/", overlay.table, name="overlay_feature"),
    path(f"{EVENT}/overlay/standings/", overlay.standings, name="overlay_standings"),
    path(f"{EVENT}/overlay/clock/", overlay.clock, name="overlay_clock"),
    path(f"{EVENT}/embed/standings/", embed.standings, name="embed_standings"),
    path(f"{EVENT}/embed/pairings/", embed.pairings, name="embed_pairings"),
]
