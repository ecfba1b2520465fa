"""Addresses of cards and of what is asked about decks without an event."""

from django.urls import path

from decks import views
from decks.games import GameSystem

app_name = "decks"
urlpatterns = [
    path("cards/", views.cards, name="cards"),
    path("cards/onr/<slug:slug>/", views.card, {"game": GameSystem.ONR}, name="card"),
]
