"""Addresses of the API, version 1. What is below it and does not exist answers in its shape."""

from django.urls import path, re_path

from core.api_views import NothingHere, StartView
from decks.api import cards, checking, formats
from rulings import api as rulings
from tournaments.api import events, rounds

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
    path("events/", events.EventList.as_view(), name="events"),
    path("events/<slug:slug>/", events.EventDetail.as_view(), name="event"),
    path("events/<slug:slug>/players/", events.PlayerList.as_view(), name="players"),
    path("events/<slug:slug>/standings/", events.StandingList.as_view(), name="standings"),
    path("events/<slug:slug>/rounds/", rounds.RoundList.as_view(), name="rounds"),
    path("events/<slug:slug>/rounds/<int:number>/", rounds.RoundDetail.as_view(), name="round"),
    path(
        "events/<slug:slug>/rounds/<int:number>/pairings/",
        rounds.PairingList.as_view(),
        name="pairings",
    ),
    path("cards/", cards.CardList.as_view(), name="cards"),
    path("cards/<slug:slug>/", cards.OnrCardDetail.as_view(), name="card"),
    path("cards/<slug:game>/<slug:slug>/", cards.CardDetail.as_view(), name="game_card"),
    path("formats/", formats.FormatList.as_view(), name="formats"),
    path("decks/check/", checking.DeckCheck.as_view(), name="deck_check"),
    path("rulings/", rulings.RulingList.as_view(), name="rulings"),
    path("rulings/all/", rulings.AllRulings.as_view(), name="all_rulings"),
    path("rulings/documents/", rulings.DocumentList.as_view(), name="ruling_documents"),
    path("rulings/<slug:code>/", rulings.RulingDetail.as_view(), name="ruling"),
    # Only with a slash at the end, so that an address without one is sent to the right one.
    re_path(r"^.*/$", NothingHere.as_view()),
]
