"""URLs of joining, the roster, check-in, absences and the player meeting."""

from django.urls import URLPattern, path

from tournaments.registration import forms
from tournaments.registration.api.entries import EntryViewSet
from tournaments.registration.api.join import JoinViewSet, PlayerViewSet
from tournaments.registration.api.roster import RegistrationViewSet
from tournaments.registration.views import (
    absences,
    arrivals,
    entries,
    join,
    pasted_roster,
    roster,
    second_day,
)
from tournaments.web.urls import DESK, EVENT, MINE, TABLE

ROSTER = f"{EVENT}roster/"
MEETING = f"{DESK}meeting/"
REGISTRATIONS = f"{EVENT}registrations/"
PLACE = f"{ROSTER}<int:number>/"
REGISTRATION = f"{REGISTRATIONS}<int:number>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}meeting/", arrivals.public_meeting, name="meeting"),
    path("join/", join.join, name="join"),
    path("join/<str:code>/", join.join_code, name="join_code"),
    path(f"{TABLE}missing/", absences.missing, name="missing"),
    path(f"{TABLE}came/", absences.came, name="came"),
    path(f"{MINE}check-in.svg", arrivals.my_check_in_qr, name="my_check_in_qr"),
    path(ROSTER, roster.roster, name="roster"),
    path(f"{ROSTER}add/", roster.add, name="roster_add"),
    path(f"{ROSTER}paste/", pasted_roster.roster_list, {"kind": forms.NAMES}, name="roster_paste"),
    path(f"{ROSTER}csv/", pasted_roster.roster_list, {"kind": forms.TABLE}, name="roster_csv"),
    path(f"{ROSTER}apply/", pasted_roster.roster_apply, name="roster_apply"),
    path(f"{ROSTER}sign-ups/", roster.roster_sign_ups, name="roster_sign_ups"),
    path(f"{ROSTER}seed-by-rating/", roster.seed_by_rating, name="seed_by_rating"),
    path(f"{ROSTER}check-in/", roster.check_in_all, name="check_in_all"),
    path(f"{ROSTER}tick/", arrivals.tick, name="tick"),
    path(f"{ROSTER}scan/", arrivals.scan, name="scan"),
    path(f"{ROSTER}badges/", arrivals.badges, name="badges"),
    path("check-in/<str:code>/", arrivals.check_in_by_code, name="check_in_code"),
    path(f"{PLACE}check-in/", roster.check_in, name="check_in"),
    path(f"{PLACE}not-here/", roster.undo_check_in, name="undo_check_in"),
    path(f"{PLACE}up/", roster.move_up, name="move_up"),
    path(f"{PLACE}waiting-place/", roster.move_on_list, name="waiting_place"),
    path(f"{DESK}day-two/", second_day.day_two, name="day_two"),
    path(f"{PLACE}let-in/", roster.let_in, name="let_in"),
    path(f"{PLACE}drop/", roster.drop, name="drop"),
    path(f"{PLACE}return/", roster.return_, name="return"),
    path(f"{PLACE}remove/", roster.remove, name="remove"),
    path(f"{PLACE}bye/", roster.first_round_bye, name="first_round_bye"),
    path(f"{PLACE}paid/", roster.set_paid, name="paid"),
    path(f"{PLACE}seed/", roster.seed, name="seed"),
    path(f"{PLACE}link/", entries.claim_link, name="claim_link"),
    path(f"{ROSTER}links/", entries.claim_links, name="claim_links"),
    path(f"{PLACE}entry/", entries.entry, name="roster_entry"),
    path(f"{PLACE}merge/", entries.merge, name="merge_entries"),
    path(f"{PLACE}wishes/", roster.set_wishes, name="wishes"),
    path(MEETING, arrivals.meeting_desk, name="meeting_desk"),
    path(f"{MEETING}seat/", arrivals.seat_meeting, name="meeting_seat"),
    path(f"{MEETING}clear/", arrivals.clear_meeting, name="meeting_clear"),
    path(f"{TABLE}absences/", absences.absences, name="absences"),
    path(f"{TABLE}no-show/", absences.no_show, name="no_show"),
]

api_urlpatterns: list[URLPattern] = [
    path("claims/", JoinViewSet.as_view({"post": "claim"}), name="claims"),
    path("join/", JoinViewSet.as_view({"post": "join"}), name="join"),
    path(f"{EVENT}join/", PlayerViewSet.as_view({"post": "join"}), name="join_event"),
    path(f"{EVENT}players/", PlayerViewSet.as_view({"get": "list"}), name="players"),
    path(
        REGISTRATIONS,
        RegistrationViewSet.as_view({"get": "list", "post": "create"}),
        name="registrations",
    ),
    path(
        f"{REGISTRATIONS}check-in/",
        RegistrationViewSet.as_view({"post": "check_in_many"}),
        name="check_in_many",
    ),
    path(
        f"{REGISTRATIONS}lists/",
        RegistrationViewSet.as_view({"post": "take_list"}),
        name="registration_lists",
    ),
    path(
        f"{REGISTRATIONS}claim-links/",
        EntryViewSet.as_view({"post": "make_claim_links"}),
        name="claim_links",
    ),
    path(
        REGISTRATION,
        RegistrationViewSet.as_view(
            {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}
        ),
        name="registration",
    ),
    path(
        f"{REGISTRATION}check-in/",
        RegistrationViewSet.as_view({"post": "check_in"}),
        name="check_in",
    ),
    path(
        f"{REGISTRATION}undo-check-in/",
        RegistrationViewSet.as_view({"post": "undo_check_in"}),
        name="undo_check_in",
    ),
    path(f"{REGISTRATION}paid/", RegistrationViewSet.as_view({"post": "set_paid"}), name="paid"),
    path(f"{REGISTRATION}drop/", RegistrationViewSet.as_view({"post": "drop"}), name="drop"),
    path(f"{REGISTRATION}return/", RegistrationViewSet.as_view({"post": "return_"}), name="return"),
    path(
        f"{REGISTRATION}claim-link/",
        EntryViewSet.as_view({"post": "make_claim_link"}),
        name="claim_link",
    ),
    path(f"{REGISTRATION}rename/", EntryViewSet.as_view({"post": "rename"}), name="rename"),
]
