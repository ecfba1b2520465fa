"""Addresses below /cards/."""

from django.urls import path

from decks import views
from decks.games import GameSystem

app_name = "decks"
urlpatterns = [
    path("", views.cards, name="cards"),
    path("onr/<slug:slug>/", views.card, {"game": GameSystem.ONR}, name="card"),
]
