"""Addresses: joining, the roster, check-in, absences and the player meeting."""

from django.urls import URLPattern, path

from tournaments.registration import forms
from tournaments.registration.api import arrivals as arrivals_api
from tournaments.registration.api import join as join_api
from tournaments.registration.api import roster as roster_api
from tournaments.registration.views import arrivals, join, pasted_roster, roster
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
    path(f"{TABLE}missing/", arrivals.missing, name="missing"),
    path(f"{TABLE}came/", arrivals.came, name="came"),
    path(f"{MINE}check-in.svg", arrivals.my_check_in_qr, name="my_check_in_qr"),
    path(ROSTER, roster.roster, name="roster"),
    path(f"{ROSTER}add/", roster.add, name="roster_add"),
    path(
        f"{ROSTER}paste/",
        pasted_roster.roster_list,
        {"kind": forms.NAMES},
        name="roster_paste",
    ),
    path(f"{ROSTER}csv/", pasted_roster.roster_list, {"kind": forms.TABLE}, name="roster_csv"),
    path(f"{ROSTER}apply/", pasted_roster.roster_apply, name="roster_apply"),
    path(f"{ROSTER}sign-ups/", roster.roster_sign_ups, name="roster_sign_ups"),
    path(f"{ROSTER}check-in/", roster.check_in_all, name="check_in_all"),
    path(f"{ROSTER}tick/", arrivals.tick, name="tick"),
    path(f"{ROSTER}scan/", arrivals.scan, name="scan"),
    path(f"{ROSTER}badges/", arrivals.badges, name="badges"),
    path("check-in/<str:code>/", arrivals.check_in_by_code, name="check_in_code"),
    path(f"{PLACE}check-in/", roster.check_in, name="check_in"),
    path(f"{PLACE}not-here/", roster.undo_check_in, name="undo_check_in"),
    path(f"{PLACE}up/", roster.move_up, name="move_up"),
    path(f"{PLACE}let-in/", roster.let_in, name="let_in"),
    path(f"{PLACE}drop/", roster.drop, name="drop"),
    path(f"{PLACE}return/", roster.return_, name="return"),
    path(f"{PLACE}remove/", roster.remove, name="remove"),
    path(f"{PLACE}bye/", roster.first_round_bye, name="first_round_bye"),
    path(f"{PLACE}seed/", roster.seed, name="seed"),
    path(f"{PLACE}link/", roster.claim_link, name="claim_link"),
    path(f"{PLACE}wishes/", roster.set_wishes, name="wishes"),
    path(MEETING, arrivals.meeting_desk, name="meeting_desk"),
    path(f"{MEETING}seat/", arrivals.seat_meeting, name="meeting_seat"),
    path(f"{MEETING}clear/", arrivals.clear_meeting, name="meeting_clear"),
    path(f"{TABLE}absences/", arrivals.absences, name="absences"),
    path(f"{TABLE}no-show/", arrivals.no_show, name="no_show"),
]

api_urlpatterns: list[URLPattern] = [
    path("claims/", join_api.Claim.as_view(), name="claims"),
    path("join/", join_api.JoinByCode.as_view(), name="join"),
    path(f"{EVENT}join/", join_api.JoinEvent.as_view(), name="join_event"),
    path(f"{EVENT}players/", roster_api.PlayerList.as_view(), name="players"),
    path(REGISTRATIONS, roster_api.Registrations.as_view(), name="registrations"),
    path(
        f"{REGISTRATIONS}check-in/",
        arrivals_api.DoorActions.by_post("check_in"),
        name="check_in_many",
    ),
    path(
        f"{REGISTRATIONS}lists/",
        roster_api.RosterLists.by_post("take_list"),
        name="registration_lists",
    ),
    path(f"{REGISTRATIONS}guests/", roster_api.SignUps.as_view(), name="registration_guests"),
    path(REGISTRATION, roster_api.RegistrationDetail.as_view(), name="registration"),
    path(f"{REGISTRATION}check-in/", roster_api.RowActions.by_post("check_in"), name="check_in"),
    path(
        f"{REGISTRATION}undo-check-in/",
        roster_api.RowActions.by_post("undo_check_in"),
        name="undo_check_in",
    ),
    path(f"{REGISTRATION}drop/", roster_api.RowActions.by_post("drop"), name="drop"),
    path(f"{REGISTRATION}return/", roster_api.RowActions.by_post("return_"), name="return"),
    path(
        f"{REGISTRATION}claim-link/",
        roster_api.RowActions.by_post("make_claim_link"),
        name="claim_link",
    ),
    path(f"{REGISTRATION}move-up/", roster_api.RowActions.by_post("move_up"), name="move_up"),
    path(f"{REGISTRATION}let-in/", roster_api.RowActions.by_post("let_in"), name="let_in"),
    path(f"{EVENT}meeting/", arrivals_api.Meeting.as_view(), name="meeting"),
    path(f"{EVENT}scan/", arrivals_api.DoorActions.by_post("scan"), name="scan"),
    path(f"{TABLE}absences/", arrivals_api.Absences.as_view(), name="absences"),
    path(f"{TABLE}missing/", arrivals_api.AbsenceActions.by_post("missing"), name="missing"),
    path(f"{TABLE}came/", arrivals_api.AbsenceActions.by_post("came"), name="came"),
    path(f"{TABLE}no-show/", arrivals_api.AbsenceActions.by_post("no_show"), name="no_show"),
]
