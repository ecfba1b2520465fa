"""Addresses of the API, version 1. What is below it and does not exist answers in its shape."""

from django.urls import path, re_path

from core.api_views import NothingHere, StartView
from decks.api import cards, checking, completing
from rulings import api as rulings
from tournaments import urls as tournaments

LINKS = {
    "events": "api:events",
    "cards": "api:cards",
    "formats": "api:formats",
    "rulings": "api:rulings",
    "schema": "schema",
    "docs": "api_docs",
}

app_name = "api"
urlpatterns = [
    path("", StartView.as_view(links=LINKS), name="start"),
    *tournaments.api_urlpatterns,
    path("cards/", cards.CardList.as_view(), name="cards"),
    path("cards/complete/", completing.CardCompletion.as_view(), name="card_completion"),
    path("cards/<slug:slug>/", cards.OnrCardDetail.as_view(), name="card"),
    path("cards/<slug:game>/<slug:slug>/", cards.CardDetail.as_view(), name="game_card"),
    path("formats/", cards.FormatList.as_view(), name="formats"),
    path("decks/check/", checking.DeckCheck.as_view(), name="deck_check"),
    path("decks/export/", checking.DeckExport.as_view(), name="deck_export"),
    path("rulings/", rulings.RulingList.as_view(), name="rulings"),
    path("rulings/all/", rulings.AllRulings.as_view(), name="all_rulings"),
    path("rulings/documents/", rulings.DocumentList.as_view(), name="ruling_documents"),
    path("rulings/imports/", rulings.Imports.as_view(), name="ruling_imports"),
    path("rulings/<slug:code>/", rulings.RulingDetail.as_view(), name="ruling"),
    path("rulings/<slug:code>/versions/", rulings.VersionList.as_view(), name="ruling_versions"),
    path("rulings/<slug:code>/standing/", rulings.Standing.as_view(), name="ruling_standing"),
    # Only with a slash at the end, so that an address without one is sent to the right one. A line
    # break in it is a character like others.
    re_path(r"^[\s\S]*/\Z", NothingHere.as_view()),
]
