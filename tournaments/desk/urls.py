"""Addresses: the desk, the log, practice and what everybody reads of an event."""

from django.urls import URLPattern, path

from tournaments.desk.api import desk as desk_api
from tournaments.desk.api import me
from tournaments.desk.views import desk, log, my_event, public
from tournaments.web.urls import DESK, EVENT, MINE, ROUND, TABLE

LOG = f"{DESK}log/"
PRACTICE = f"{DESK}practice/"

urlpatterns: list[URLPattern] = [
    path("help/scoring/", public.help_scoring, name="help_scoring"),
    path("events/", public.events, name="list"),
    path(EVENT, public.event, name="event"),
    path(f"{EVENT}pairings/", public.pairings, name="pairings"),
    path(f"{EVENT}players/<int:number>/", public.player, name="player"),
    path(ROUND, public.round_, name="round"),
    path(TABLE, public.table, name="table"),
    path("help/", public.help_index, name="help"),
    path("help/pairing/", public.help_pairing, name="help_pairing"),
    path("help/tie-breakers/", public.help_tie_breakers, name="help_tie_breakers"),
    path("my-events/", my_event.mine, name="mine"),
    path(MINE, my_event.my_event, name="my_event"),
    path(f"{MINE}check-in/", my_event.check_in, name="my_check_in"),
    path(f"{MINE}drop/", my_event.drop, name="my_drop"),
    path(f"{MINE}return/", my_event.return_, name="my_return"),
    path(f"{MINE}stream/", my_event.my_stream, name="my_stream"),
    path(DESK, desk.desk, name="desk"),
    path(f"{DESK}step/", desk.desk_step, name="desk_step"),
    path(f"{DESK}registration/", desk.registration_toggle, name="registration_toggle"),
    path(f"{DESK}jobs/<int:pk>/retry/", desk.job_retry, name="job_retry"),
    path(f"{DESK}finish/", desk.finish, name="finish"),
    path(f"{DESK}reopen/", desk.reopen, name="reopen"),
    path(LOG, log.log, name="log"),
    path(f"{LOG}<int:pk>/", log.log_entry, name="log_entry"),
    path(f"{LOG}<int:pk>/undo/", log.log_undo, name="log_undo"),
    path(f"{DESK}versions/", log.versions, name="versions"),
    path(f"{DESK}versions/standings/<int:pk>/", log.standings_then, name="standings_then"),
    path(PRACTICE, desk.practices, name="practice"),
    path(f"{PRACTICE}play/", desk.practice_play, name="practice_play"),
    path(f"{PRACTICE}end/", desk.practice_end, name="practice_end"),
    path(f"{TABLE}take-back/", log.take_back, name="take_back"),
]

api_urlpatterns: list[URLPattern] = [
    path("me/", me.Profile.as_view(), name="profile"),
    path("me/events/", me.MyEvents.as_view(), name="my_events"),
    path(MINE, me.Me.as_view(), name="me"),
    path(f"{MINE}check-in/", me.MyPlace.by_post("check_in"), name="my_check_in"),
    path(f"{MINE}drop/", me.MyPlace.by_post("drop"), name="my_drop"),
    path(f"{MINE}return/", me.MyPlace.by_post("return_"), name="my_return"),
    path(f"{MINE}wishes/", me.MyPlace.as_view({"patch": "wish"}), name="my_wishes"),
    path(f"{MINE}news/", me.MyNews.as_view(), name="my_news"),
    path(f"{MINE}news/mail/", me.NewsActions.as_view({"put": "set_mail"}), name="my_mail"),
    path(f"{MINE}news/phone/", me.NewsActions.as_view({"put": "set_phone"}), name="my_phone"),
    path(f"{EVENT}practice/", desk_api.Practice.as_view(), name="practice"),
    path(f"{EVENT}practice/play/", desk_api.PracticePlay.as_view(), name="practice_play"),
    path(DESK, desk_api.Desk.as_view(), name="desk"),
    path(f"{EVENT}log/", desk_api.Log.as_view(), name="log"),
    path(f"{EVENT}log/<int:pk>/", desk_api.Entry.as_view(), name="log_entry"),
    path(f"{EVENT}log/<int:pk>/undo/", desk_api.Undo.as_view(), name="log_undo"),
    path(f"{EVENT}versions/", desk_api.Versions.as_view(), name="versions"),
    path(
        f"{EVENT}versions/standings/<int:pk>/",
        desk_api.StandingsThen.as_view(),
        name="standings_then",
    ),
]
