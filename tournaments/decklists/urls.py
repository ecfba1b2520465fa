"""URLs of decks, their visibility and deck checks."""

from django.urls import URLPattern, path

from tournaments.decklists import views
from tournaments.decklists.api import (
    DeckCheckViewSet,
    DeckListCheckViewSet,
    DeckViewSet,
    MyDeckViewSet,
)
from tournaments.web.urls import DESK, EVENT, MY_EVENT

DECKS = f"{EVENT}decks/"
CHECKS = f"{DESK}deck-checks/"
MY_DECK = f"{MY_EVENT}decks/<slug:side>/"
DECK = f"{DECKS}<int:number>/<slug:side>/"
DECK_OF = f"{DESK}decks/<int:number>/<slug:side>/"

urlpatterns: list[URLPattern] = [
    path(DECKS, views.deck_list, name="decks"),
    path(f"{EVENT}players/<int:number>/decks/<slug:side>/", views.deck_page, name="deck_page"),
    path(
        f"{EVENT}players/<int:number>/decks/<slug:side>/export/<slug:form>/",
        views.export_deck,
        name="deck_export",
    ),
    path(MY_DECK, views.my_deck, name="deck"),
    path(f"{MY_DECK}lock/", views.lock_my_deck, name="deck_lock"),
    path(f"{MY_DECK}receipts/<int:receipt>/", views.my_deck_receipt, name="deck_receipt"),
    path(f"{MY_DECK}difference/", views.my_deck_difference, name="deck_difference"),
    path(f"{DESK}decks/", views.deck_overview, name="deck_check"),
    path(f"{DESK}decks/audience/", views.deck_audiences, name="audiences"),
    path(f"{DESK}preview/", views.preview_event, name="preview"),
    path(f"{DESK}decks/reveal/", views.reveal_decks, name="reveal"),
    path(f"{DESK}decks/lock/", views.lock_all_decks, name="decks_lock"),
    path(f"{DESK}decks/reopen/", views.reopen_all_decks, name="decks_reopen"),
    path(DECK_OF, views.staff_deck, name="deck_of"),
    path(f"{DECK_OF}change/", views.change_deck, name="deck_change"),
    path(f"{DECK_OF}difference/", views.staff_deck_difference, name="deck_difference_of"),
    path(f"{DECK_OF}receipts/<int:receipt>/", views.staff_deck_receipt, name="deck_receipt_of"),
    path(f"{DECK_OF}lock/", views.lock_deck, name="deck_lock_of"),
    path(f"{DECK_OF}unlock/", views.unlock_deck, name="deck_unlock"),
    path(f"{DESK}players/<int:number>/deck-waiver/", views.deck_waiver, name="deck_waiver"),
    path(CHECKS, views.deck_check_list, name="deck_checks"),
    path(f"{CHECKS}draw/", views.draw_deck_checks, name="deck_checks_draw"),
    path(f"{CHECKS}<int:pk>/", views.deck_check, name="deck_check_of"),
    path(f"{CHECKS}<int:number>/print/", views.print_deck_checks, name="deck_check_print"),
]

api_urlpatterns: list[URLPattern] = [
    path(MY_DECK, MyDeckViewSet.as_view({"get": "retrieve", "put": "update"}), name="my_deck"),
    path(f"{MY_DECK}lock/", MyDeckViewSet.as_view({"post": "lock"}), name="my_deck_lock"),
    path(DECKS, DeckViewSet.as_view({"get": "list"}), name="decks"),
    path(
        f"{DECKS}check/", DeckListCheckViewSet.as_view({"post": "check"}), name="event_deck_check"
    ),
    path(f"{DECKS}lock/", DeckViewSet.as_view({"post": "lock_all"}), name="decks_lock"),
    path(f"{DECKS}reopen/", DeckViewSet.as_view({"post": "reopen_all"}), name="decks_reopen"),
    path(f"{DECKS}reveal/", DeckViewSet.as_view({"post": "reveal_all"}), name="decks_reveal"),
    path(f"{DECKS}problems/", DeckViewSet.as_view({"get": "problems"}), name="deck_problems"),
    path(DECK, DeckViewSet.as_view({"get": "retrieve", "put": "update"}), name="deck"),
    path(f"{DECK}lock/", DeckViewSet.as_view({"post": "lock"}), name="deck_lock"),
    path(f"{DECK}unlock/", DeckViewSet.as_view({"post": "unlock"}), name="deck_unlock"),
    path(f"{DECK}export/<slug:form>/", DeckViewSet.as_view({"get": "file"}), name="deck_file"),
    path(
        f"{EVENT}deck-checks/",
        DeckCheckViewSet.as_view({"get": "list", "post": "create"}),
        name="deck_checks",
    ),
    path(
        f"{EVENT}deck-checks/<int:pk>/",
        DeckCheckViewSet.as_view({"get": "retrieve", "put": "update"}),
        name="deck_check_of",
    ),
]
