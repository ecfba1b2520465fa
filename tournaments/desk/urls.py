"""URLs of the desk, event log, practice, and public event pages."""

from django.urls import URLPattern, path

from tournaments.desk.api.log import LogViewSet
from tournaments.desk.api.me import AccountViewSet, MeViewSet
from tournaments.desk.views import desk, log, my_event, public
from tournaments.web.urls import DESK, EVENT, MINE, ROUND, TABLE

LOG = f"{DESK}log/"
PRACTICE = f"{DESK}practice/"

urlpatterns: list[URLPattern] = [
    path("help/scoring/", public.help_scoring, name="help_scoring"),
    path("events/", public.events, name="list"),
    path("events/calendar.ics", public.events_calendar, name="all_events_calendar"),
    path("archive/", public.archive, name="archive"),
    path(EVENT, public.event, name="event"),
    path(f"{EVENT}pairings/", public.pairings, name="pairings"),
    path(f"{EVENT}players/<int:number>/", public.player, name="player"),
    path(ROUND, public.round_, name="round"),
    path(TABLE, public.table, name="table"),
    path("help/", public.help_index, name="help"),
    path("help/pairing/", public.help_pairing, name="help_pairing"),
    path("help/rounds/", public.help_rounds, name="help_rounds"),
    path("help/tie-breakers/", public.help_tie_breakers, name="help_tie_breakers"),
    path("my-events/", my_event.mine, name="mine"),
    path("my-table/", my_event.my_table, name="my_table"),
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
    path(
        "me/",
        AccountViewSet.as_view({"get": "retrieve", "patch": "partial_update"}),
        name="profile",
    ),
    path("me/events/", AccountViewSet.as_view({"get": "events"}), name="my_events"),
    path(MINE, MeViewSet.as_view({"get": "retrieve"}), name="me"),
    path(f"{MINE}check-in/", MeViewSet.as_view({"post": "check_in"}), name="my_check_in"),
    path(f"{MINE}drop/", MeViewSet.as_view({"post": "drop"}), name="my_drop"),
    path(f"{MINE}return/", MeViewSet.as_view({"post": "return_"}), name="my_return"),
    path(f"{EVENT}log/", LogViewSet.as_view({"get": "list"}), name="log"),
    path(f"{EVENT}log/<int:pk>/", LogViewSet.as_view({"get": "retrieve"}), name="log_entry"),
]
