"""What a player does on the phone, and what belongs to a person whatever the event."""

from django.urls import path

from tournaments.decklists.views import decks_player
from tournaments.desk.views import my_event
from tournaments.integrations.views import announcing, tokens
from tournaments.judging.views import calls
from tournaments.privacy.views import my_data
from tournaments.registration.views import absences, arrivals, join, wishes
from tournaments.results.views import factions, reports
from tournaments.settings.views import staff

MINE = "events/<slug:slug>/me/"
DECK = f"{MINE}decks/<slug:side>/"
TABLE = "events/<slug:slug>/rounds/<int:number>/tables/<int:table>/"

urlpatterns = [
    path("join/", join.join, name="join"),
    path("join/<str:code>/", join.join_code, name="join_code"),
    path("my-events/", my_event.mine, name="mine"),
    path(MINE, my_event.my_event, name="my_event"),
    path(f"{MINE}check-in/", my_event.check_in, name="my_check_in"),
    path(f"{MINE}drop/", my_event.drop, name="my_drop"),
    path(f"{MINE}return/", my_event.return_, name="my_return"),
    path(DECK, decks_player.deck, name="deck"),
    path(f"{DECK}lock/", decks_player.deck_lock, name="deck_lock"),
    path(f"{DECK}receipts/<int:receipt>/", decks_player.deck_receipt, name="deck_receipt"),
    path(f"{DECK}difference/", decks_player.deck_difference, name="deck_difference"),
    path(f"{TABLE}report/", reports.report, name="report"),
    path(f"{TABLE}confirm/", reports.confirm, name="confirm"),
    path(f"{TABLE}dispute/", reports.dispute, name="dispute"),
    path(f"{TABLE}faction/", factions.choose, name="choose_faction"),
    path(f"{TABLE}missing/", absences.missing, name="missing"),
    path(f"{TABLE}came/", absences.came, name="came"),
    path(f"{TABLE}call/", calls.call_judge, name="call_judge"),
    path(f"{TABLE}call/withdraw/", calls.withdraw_call, name="withdraw_call"),
    path(f"{TABLE}call/<int:pk>/appeal/", calls.appeal_answer, name="appeal_answer"),
    path(f"{MINE}check-in.svg", arrivals.my_check_in_qr, name="my_check_in_qr"),
    path(f"{MINE}stream/", wishes.my_stream, name="my_stream"),
    path(f"{MINE}news/", announcing.my_news, name="my_news"),
    path(f"{MINE}news/mail/", announcing.my_mail, name="my_mail"),
    path(f"{MINE}news/phone/", announcing.my_phone, name="my_phone"),
    path("me/data/", my_data.my_data, name="my_data"),
    path("me/data/file/", my_data.my_data_file, name="my_data_file"),
    path("me/stay/", my_data.stay, name="stay"),
    path("me/erase/", my_data.erase_me, name="erase_me"),
    path("me/tokens/", tokens.tokens, name="tokens"),
    path("me/tokens/revoke/", tokens.tokens_revoke, name="tokens_revoke"),
    path("me/tokens/<uuid:public_id>/revoke/", tokens.token_revoke, name="token_revoke"),
    path("invitation/", staff.invitation, name="invitation"),
    path("invitation/<str:secret>/", staff.invitation_link, name="invitation_link"),
]
