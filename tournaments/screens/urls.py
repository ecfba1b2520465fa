"""Addresses: projector, overlays, embedded pages and paper."""

from django.urls import URLPattern, path

from tournaments.screens import api
from tournaments.screens.views import embed, overlay, paper, printing, projector
from tournaments.web.addresses import DESK, EVENT, ROUND

OVERLAY = f"{EVENT}overlay/"
PAPER = f"{DESK}paper/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}standings/print/", printing.standings, name="print_standings"),
    path(f"{EVENT}projector/", projector.projector, name="projector"),
    path(f"{ROUND}print/", printing.pairings, name="print_pairings"),
    path(f"{EVENT}stream/", overlay.stream, name="stream"),
    path(f"{EVENT}overlays/", overlay.overlays, name="overlays"),
    path(f"{OVERLAY}table/<int:number>/", overlay.table, name="overlay_table"),
    path(f"{OVERLAY}feature/", overlay.table, name="overlay_feature"),
    path(f"{OVERLAY}standings/", overlay.standings, name="overlay_standings"),
    path(f"{OVERLAY}clock/", overlay.clock, name="overlay_clock"),
    path(f"{EVENT}embed/standings/", embed.standings, name="embed_standings"),
    path(f"{EVENT}embed/pairings/", embed.pairings, name="embed_pairings"),
    path(PAPER, paper.paper, name="paper"),
    path(f"{PAPER}check-in/", paper.roster, name="print_roster"),
    path(f"{PAPER}meeting/", paper.meeting, name="meeting_paper"),
    path(f"{PAPER}open/", paper.open_tables, name="print_open"),
    path(f"{PAPER}decks/", paper.decks, name="print_decks"),
    path(f"{PAPER}slips/", paper.blank_slips, name="blank_slips"),
    path(f"{EVENT}poster/", paper.poster, name="poster"),
    path(f"{EVENT}qr.svg", paper.qr, name="qr"),
    path(f"{ROUND}slips/", paper.slips, name="slips"),
]

api_urlpatterns: list[URLPattern] = [
    path(f"{OVERLAY}table/<int:number>/", api.TableOverlay.as_view(), name="overlay_table"),
    path(f"{OVERLAY}feature/", api.FeatureOverlay.as_view(), name="overlay_feature"),
    path(f"{OVERLAY}standings/", api.StandingsOverlay.as_view(), name="overlay_standings"),
    path(f"{OVERLAY}clock/", api.ClockOverlay.as_view(), name="overlay_clock"),
]
