"""Addresses of the API, version 1. Unknown addresses below it get an API error."""

from django.urls import path, re_path

from core.api_viewsets import StartViewSet, UnknownAddressView
from decks.api import CardViewSet, DeckListViewSet, FormatViewSet
from rulings.api import RulingViewSet
from tournaments import urls as tournaments

START_LINKS = {
    "events": "api:events",
    "series": "api:series_list",
    "cards": "api:cards",
    "formats": "api:formats",
    "rulings": "api:rulings",
    "schema": "schema",
    "docs": "api_docs",
}

app_name = "api"
urlpatterns = [
    path("", StartViewSet.as_view({"get": "retrieve"}, links=START_LINKS), name="start"),
    *tournaments.api_urlpatterns,
    path("cards/", CardViewSet.as_view({"get": "list"}), name="cards"),
    path(
        "cards/<slug:game>/<slug:slug>/", CardViewSet.as_view({"get": "retrieve"}), name="game_card"
    ),
    path("formats/", FormatViewSet.as_view({"get": "list"}), name="formats"),
    path("decks/check/", DeckListViewSet.as_view({"post": "check"}), name="deck_check"),
    path("decks/export/", DeckListViewSet.as_view({"post": "export"}), name="deck_export"),
    path("rulings/", RulingViewSet.as_view({"get": "list"}), name="rulings"),
    path("rulings/all/", RulingViewSet.as_view({"get": "export"}), name="all_rulings"),
    path(
        "rulings/documents/", RulingViewSet.as_view({"get": "documents"}), name="ruling_documents"
    ),
    path("rulings/<slug:code>/", RulingViewSet.as_view({"get": "retrieve"}), name="ruling"),
    # Requires a trailing slash, so that addresses without it are redirected. Matches line breaks.
    re_path(r"^[\s\S]*/\Z", UnknownAddressView.as_view()),
]
