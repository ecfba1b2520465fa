"""Decks handed in, who sees them, and the checks at the tables."""

from django.urls import URLPattern, path

from tournaments.decklists.api import audiences, deck_checks, decks, my_decks

EVENT = "events/<slug:slug>/"
DECKS = f"{EVENT}decks/"
DECK = f"{DECKS}<int:number>/<slug:side>/"
MINE = f"{EVENT}me/decks/<slug:side>/"

urlpatterns: list[URLPattern] = [
    path(MINE, my_decks.MyDeck.as_view(), name="my_deck"),
    path(f"{MINE}lock/", my_decks.MyDeckLock.as_view(), name="my_deck_lock"),
    path(f"{MINE}receipts/<int:receipt>/", my_decks.MyReceipt.as_view(), name="my_deck_receipt"),
    path(f"{MINE}difference/", my_decks.MyDifference.as_view(), name="my_deck_difference"),
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
    path(f"{EVENT}audiences/", audiences.Audiences.as_view(), name="audiences"),
    path(f"{EVENT}audiences/preview/", audiences.Preview.as_view(), name="audiences_preview"),
    path(f"{EVENT}deck-checks/", deck_checks.DeckChecks.as_view(), name="deck_checks"),
    path(
        f"{EVENT}deck-checks/<int:pk>/", deck_checks.DeckCheckDetail.as_view(), name="deck_check_of"
    ),
]
