"""URLs of cards and of the deck check."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from decks import views
from decks.games import with_decks


class CardGameConverter(StringConverter):
    regex = "|".join(game.id for game in with_decks())


register_converter(CardGameConverter, "card_game")

app_name = "decks"
urlpatterns = [
    path("cards/", views.card_list, name="cards"),
    path("cards/complete/", views.complete_titles, name="complete"),
    path("decks/check/", views.check_page, name="check"),
    path("cards/<card_game:game>/<slug:slug>/", views.card_page, name="card"),
]
