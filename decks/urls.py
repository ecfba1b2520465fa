"""URLs of cards and of the deck check."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from decks.games import with_decks
from decks.views import cards, checking


class CardGameConverter(StringConverter):
    regex = "|".join(game.id for game in with_decks())


register_converter(CardGameConverter, "card_game")

app_name = "decks"
urlpatterns = [
    path("cards/", cards.cards, name="cards"),
    path("cards/complete/", cards.complete, name="complete"),
    path("decks/check/", checking.check, name="check"),
    path("cards/<card_game:game>/<slug:slug>/", cards.card, name="card"),
]
