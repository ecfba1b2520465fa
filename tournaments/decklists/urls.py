"""URLs of decks, their visibility and deck checks."""

from django.urls import URLPattern, path

from tournaments.decklists.api.deck_checks import DeckCheckViewSet
from tournaments.decklists.api.decks import DeckViewSet, ListViewSet
from tournaments.decklists.api.my_decks import MyDeckViewSet
from tournaments.decklists.views import audiences, deck_checks, decks, staff_decks
from tournaments.web.urls import DESK, EVENT, MINE

DECKS = f"{EVENT}decks/"
CHECKS = f"{DESK}deck-checks/"
MY_DECK = f"{MINE}decks/<slug:side>/"
DECK = f"{DECKS}<int:number>/<slug:side>/"
DECK_OF = f"{DESK}decks/<int:number>/<slug:side>/"

urlpatterns: list[URLPattern] = [
    path(DECKS, decks.deck_list, name="decks"),
    path(f"{EVENT}players/<int:number>/decks/<slug:side>/", decks.deck_page, name="deck_page"),
    path(
        f"{EVENT}players/<int:number>/decks/<slug:side>/export/<slug:form>/",
        decks.deck_export,
        name="deck_export",
    ),
    path(MY_DECK, decks.deck, name="deck"),
    path(f"{MY_DECK}lock/", decks.deck_lock, name="deck_lock"),
    path(f"{MY_DECK}receipts/<int:receipt>/", decks.deck_receipt, name="deck_receipt"),
    path(f"{MY_DECK}difference/", decks.deck_difference, name="deck_difference"),
    path(f"{DESK}decks/", staff_decks.deck_overview, name="deck_check"),
    path(f"{DESK}decks/audience/", audiences.deck_audiences, name="audiences"),
    path(f"{DESK}preview/", audiences.preview, name="preview"),
    path(f"{DESK}decks/reveal/", staff_decks.reveal, name="reveal"),
    path(f"{DESK}decks/lock/", staff_decks.lock_all, name="decks_lock"),
    path(f"{DESK}decks/reopen/", staff_decks.reopen_all, name="decks_reopen"),
    path(DECK_OF, staff_decks.deck_of, name="deck_of"),
    path(f"{DECK_OF}change/", staff_decks.deck_change, name="deck_change"),
    path(f"{DECK_OF}difference/", staff_decks.deck_difference_of, name="deck_difference_of"),
    path(f"{DECK_OF}receipts/<int:receipt>/", staff_decks.deck_receipt_of, name="deck_receipt_of"),
    path(f"{DECK_OF}lock/", staff_decks.deck_lock_of, name="deck_lock_of"),
    path(f"{DECK_OF}unlock/", staff_decks.deck_unlock, name="deck_unlock"),
    path(f"{DESK}players/<int:number>/deck-waiver/", staff_decks.deck_waiver, name="deck_waiver"),
    path(CHECKS, deck_checks.deck_check_list, name="deck_checks"),
    path(f"{CHECKS}draw/", deck_checks.deck_check_draw, name="deck_checks_draw"),
    path(f"{CHECKS}<int:pk>/", deck_checks.deck_check_of, name="deck_check_of"),
    path(f"{CHECKS}<int:number>/print/", deck_checks.deck_check_print, name="deck_check_print"),
]

api_urlpatterns: list[URLPattern] = [
    path(MY_DECK, MyDeckViewSet.as_view({"get": "retrieve", "put": "update"}), name="my_deck"),
    path(f"{MY_DECK}lock/", MyDeckViewSet.as_view({"post": "lock"}), name="my_deck_lock"),
    path(DECKS, DeckViewSet.as_view({"get": "list"}), name="decks"),
    path(f"{DECKS}check/", ListViewSet.as_view({"post": "check"}), name="event_deck_check"),
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
