"""What a player does on the phone."""

from django.urls import path

from tournaments.views import decks_player, factions, join, my_event, reports

MINE = "events/<slug:slug>/me/"
TABLE = "events/<slug:slug>/rounds/<int:number>/tables/<int:table>/"

urlpatterns = [
    path("join/", join.join, name="join"),
    path("join/<str:code>/", join.join_code, name="join_code"),
    path("my-events/", my_event.mine, name="mine"),
    path(MINE, my_event.my_event, name="my_event"),
    path(f"{MINE}check-in/", my_event.check_in, name="my_check_in"),
    path(f"{MINE}drop/", my_event.drop, name="my_drop"),
    path(f"{MINE}return/", my_event.return_, name="my_return"),
    path(f"{MINE}decks/<slug:side>/", decks_player.deck, name="deck"),
    path(f"{MINE}decks/<slug:side>/lock/", decks_player.deck_lock, name="deck_lock"),
    path(
        f"{MINE}decks/<slug:side>/receipts/<int:receipt>/",
        decks_player.deck_receipt,
        name="deck_receipt",
    ),
    path(
        f"{MINE}decks/<slug:side>/difference/",
        decks_player.deck_difference,
        name="deck_difference",
    ),
    path(f"{TABLE}report/", reports.report, name="report"),
    path(f"{TABLE}confirm/", reports.confirm, name="confirm"),
    path(f"{TABLE}dispute/", reports.dispute, name="dispute"),
    path(f"{TABLE}faction/", factions.choose, name="choose_faction"),
]
