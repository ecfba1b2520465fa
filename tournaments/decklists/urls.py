"""Addresses: decks handed in, who sees them, and deck checks."""

from django.urls import URLPattern, path

from tournaments.decklists.api import audiences as audiences_api
from tournaments.decklists.api import deck_checks as deck_checks_api
from tournaments.decklists.api import decks, my_decks
from tournaments.decklists.views import audiences as audiences_pages
from tournaments.decklists.views import deck_checks as deck_checks_pages
from tournaments.decklists.views import deck_pages, decks_player, decks_staff
from tournaments.web.urls import DESK, EVENT, MINE

DECKS = f"{EVENT}decks/"
CHECKS = f"{DESK}deck-checks/"
MY_DECK = f"{MINE}decks/<slug:side>/"
DECK = f"{DECKS}<int:number>/<slug:side>/"
DECK_OF = f"{DESK}decks/<int:number>/<slug:side>/"

urlpatterns: list[URLPattern] = [
    path(DECKS, deck_pages.decks, name="decks"),
    path(f"{EVENT}players/<int:number>/decks/<slug:side>/", deck_pages.deck_page, name="deck_page"),
    path(
        f"{EVENT}players/<int:number>/decks/<slug:side>/export/<slug:form>/",
        deck_pages.deck_export,
        name="deck_export",
    ),
    path(MY_DECK, decks_player.deck, name="deck"),
    path(f"{MY_DECK}lock/", decks_player.deck_lock, name="deck_lock"),
    path(f"{MY_DECK}receipts/<int:receipt>/", decks_player.deck_receipt, name="deck_receipt"),
    path(f"{MY_DECK}difference/", decks_player.deck_difference, name="deck_difference"),
    path(f"{DESK}decks/", decks_staff.deck_check, name="deck_check"),
    path(f"{DESK}decks/audience/", audiences_pages.audiences, name="audiences"),
    path(f"{DESK}preview/", audiences_pages.preview, name="preview"),
    path(f"{DESK}decks/reveal/", decks_staff.reveal, name="reveal"),
    path(f"{DESK}decks/lock/", decks_staff.lock_all, name="decks_lock"),
    path(f"{DESK}decks/reopen/", decks_staff.reopen_all, name="decks_reopen"),
    path(DECK_OF, decks_staff.deck_of, name="deck_of"),
    path(f"{DECK_OF}change/", decks_staff.deck_change, name="deck_change"),
    path(f"{DECK_OF}difference/", decks_staff.deck_difference_of, name="deck_difference_of"),
    path(f"{DECK_OF}receipts/<int:receipt>/", decks_staff.deck_receipt_of, name="deck_receipt_of"),
    path(f"{DECK_OF}lock/", decks_staff.deck_lock_of, name="deck_lock_of"),
    path(f"{DECK_OF}unlock/", decks_staff.deck_unlock, name="deck_unlock"),
    path(CHECKS, deck_checks_pages.deck_checks, name="deck_checks"),
    path(f"{CHECKS}draw/", deck_checks_pages.draw, name="deck_checks_draw"),
    path(f"{CHECKS}<int:pk>/", deck_checks_pages.deck_check_of, name="deck_check_of"),
    path(
        f"{CHECKS}<int:number>/print/", deck_checks_pages.deck_check_print, name="deck_check_print"
    ),
]

api_urlpatterns: list[URLPattern] = [
    path(MY_DECK, my_decks.MyDeck.as_view(), name="my_deck"),
    path(f"{MY_DECK}lock/", my_decks.MyDeckLock.as_view(), name="my_deck_lock"),
    path(f"{MY_DECK}receipts/<int:receipt>/", my_decks.MyReceipt.as_view(), name="my_deck_receipt"),
    path(f"{MY_DECK}difference/", my_decks.MyDifference.as_view(), name="my_deck_difference"),
    path(DECKS, decks.Decks.as_view(), name="decks"),
    path(f"{DECKS}check/", my_decks.EventDeckCheck.as_view(), name="event_deck_check"),
    path(f"{DECKS}lock/", decks.AllDecksActions.by_post("lock"), name="decks_lock"),
    path(f"{DECKS}reopen/", decks.AllDecksActions.by_post("reopen"), name="decks_reopen"),
    path(f"{DECKS}reveal/", decks.AllDecksActions.by_post("reveal"), name="decks_reveal"),
    path(DECK, decks.DeckDetail.as_view(), name="deck"),
    path(f"{DECK}lock/", decks.DeckActions.by_post("lock"), name="deck_lock"),
    path(f"{DECK}unlock/", decks.DeckActions.by_post("unlock"), name="deck_unlock"),
    path(f"{DECK}receipts/<int:receipt>/", decks.DeckReceipt.as_view(), name="deck_receipt"),
    path(f"{DECK}difference/", decks.DeckDifference.as_view(), name="deck_difference"),
    path(f"{DECK}export/<slug:form>/", decks.DeckFile.as_view(), name="deck_file"),
    path(f"{EVENT}audiences/", audiences_api.Audiences.as_view(), name="audiences"),
    path(f"{EVENT}audiences/preview/", audiences_api.Preview.as_view(), name="audiences_preview"),
    path(f"{EVENT}deck-checks/", deck_checks_api.DeckChecks.as_view(), name="deck_checks"),
    path(
        f"{EVENT}deck-checks/<int:pk>/",
        deck_checks_api.DeckCheckDetail.as_view(),
        name="deck_check_of",
    ),
]
