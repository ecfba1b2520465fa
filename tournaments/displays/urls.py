"""URLs of projector, overlays, embedded pages and printouts."""

from django.urls import URLPattern, path

from tournaments.displays import views
from tournaments.displays.api import OverlayViewSet
from tournaments.web.urls import DESK, EVENT, ROUND

OVERLAY = f"{EVENT}overlay/"
PAPER = f"{DESK}paper/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}standings/print/", views.print_standings, name="print_standings"),
    path(f"{EVENT}projector/", views.projector, name="projector"),
    path(f"{ROUND}print/", views.print_pairings, name="print_pairings"),
    path(f"{EVENT}stream/", views.stream, name="stream"),
    path(f"{EVENT}overlays/", views.overlay_addresses, name="overlays"),
    path(f"{OVERLAY}table/<int:number>/", views.overlay_table, name="overlay_table"),
    path(f"{OVERLAY}feature/", views.overlay_table, name="overlay_feature"),
    path(f"{OVERLAY}standings/", views.overlay_standings, name="overlay_standings"),
    path(f"{OVERLAY}bracket/", views.overlay_bracket, name="overlay_bracket"),
    path(f"{OVERLAY}clock/", views.overlay_clock, name="overlay_clock"),
    path(f"{EVENT}embed/standings/", views.embedded_standings, name="embed_standings"),
    path(f"{EVENT}embed/pairings/", views.embedded_pairings, name="embed_pairings"),
    path(PAPER, views.printout_list, name="paper"),
    path(f"{PAPER}check-in/", views.print_roster, name="print_roster"),
    path(f"{PAPER}meeting/", views.print_meeting_seats, name="meeting_paper"),
    path(f"{PAPER}open/", views.print_open_tables, name="print_open"),
    path(f"{PAPER}decks/", views.print_decks, name="print_decks"),
    path(f"{PAPER}slips/", views.print_blank_slips, name="blank_slips"),
    path(f"{EVENT}poster/", views.poster, name="poster"),
    path(f"{EVENT}qr.svg", views.qr_code, name="qr"),
    path(f"{ROUND}slips/", views.print_slips, name="slips"),
]

api_urlpatterns: list[URLPattern] = [
    path(
        f"{OVERLAY}table/<int:number>/",
        OverlayViewSet.as_view({"get": "numbered_table"}),
        name="overlay_table",
    ),
    path(
        f"{OVERLAY}feature/",
        OverlayViewSet.as_view({"get": "feature_table"}),
        name="overlay_feature",
    ),
    path(
        f"{OVERLAY}standings/",
        OverlayViewSet.as_view({"get": "standings"}),
        name="overlay_standings",
    ),
    path(f"{OVERLAY}clock/", OverlayViewSet.as_view({"get": "clock"}), name="overlay_clock"),
]
