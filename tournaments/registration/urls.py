"""Addresses: joining, the roster, check-in, absences and the player meeting."""

from django.urls import URLPattern, path

from tournaments.registration import forms
from tournaments.registration.api import absences as absences_api
from tournaments.registration.api import joining
from tournaments.registration.api import roster as roster_api
from tournaments.registration.api import roster_lists as roster_lists_api
from tournaments.registration.views import absences as absences_pages
from tournaments.registration.views import (
    arrivals,
    join,
    meeting,
    roster_removing,
    roster_rows,
    wishes,
)
from tournaments.registration.views import roster as roster_pages
from tournaments.registration.views import roster_lists as roster_lists_pages
from tournaments.web.urls import DESK, EVENT, MINE, TABLE

ROSTER = f"{EVENT}roster/"
MEETING = f"{DESK}meeting/"
REGISTRATIONS = f"{EVENT}registrations/"
PLACE = f"{ROSTER}<int:number>/"
REGISTRATION = f"{REGISTRATIONS}<int:number>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}meeting/", meeting.meeting, name="meeting"),
    path("join/", join.join, name="join"),
    path("join/<str:code>/", join.join_code, name="join_code"),
    path(f"{TABLE}missing/", absences_pages.missing, name="missing"),
    path(f"{TABLE}came/", absences_pages.came, name="came"),
    path(f"{MINE}check-in.svg", arrivals.my_check_in_qr, name="my_check_in_qr"),
    path(f"{MINE}stream/", wishes.my_stream, name="my_stream"),
    path(ROSTER, roster_pages.roster, name="roster"),
    path(f"{ROSTER}add/", roster_pages.add, name="roster_add"),
    path(
        f"{ROSTER}paste/",
        roster_lists_pages.roster_list,
        {"kind": forms.NAMES},
        name="roster_paste",
    ),
    path(f"{ROSTER}csv/", roster_lists_pages.roster_list, {"kind": forms.TABLE}, name="roster_csv"),
    path(f"{ROSTER}apply/", roster_lists_pages.roster_apply, name="roster_apply"),
    path(f"{ROSTER}sign-ups/", roster_removing.roster_sign_ups, name="roster_sign_ups"),
    path(f"{ROSTER}check-in/", roster_pages.check_in_all, name="check_in_all"),
    path(f"{ROSTER}tick/", arrivals.tick, name="tick"),
    path(f"{ROSTER}scan/", arrivals.scan, name="scan"),
    path(f"{ROSTER}badges/", arrivals.badges, name="badges"),
    path("check-in/<str:code>/", arrivals.check_in_code, name="check_in_code"),
    path(f"{PLACE}check-in/", roster_rows.check_in, name="check_in"),
    path(f"{PLACE}not-here/", roster_rows.undo_check_in, name="undo_check_in"),
    path(f"{PLACE}up/", roster_rows.move_up, name="move_up"),
    path(f"{PLACE}let-in/", roster_rows.let_in, name="let_in"),
    path(f"{PLACE}drop/", roster_rows.drop, name="drop"),
    path(f"{PLACE}return/", roster_rows.return_, name="return"),
    path(f"{PLACE}remove/", roster_rows.remove, name="remove"),
    path(f"{PLACE}bye/", roster_rows.first_round_bye, name="first_round_bye"),
    path(f"{PLACE}seed/", roster_rows.seed, name="seed"),
    path(f"{PLACE}link/", roster_rows.claim_link, name="claim_link"),
    path(f"{PLACE}wishes/", wishes.set_wishes, name="wishes"),
    path(MEETING, meeting.desk, name="meeting_desk"),
    path(f"{MEETING}seat/", meeting.seat, name="meeting_seat"),
    path(f"{MEETING}clear/", meeting.clear, name="meeting_clear"),
    path(f"{TABLE}absences/", absences_pages.absences, name="absences"),
    path(f"{TABLE}no-show/", absences_pages.no_show, name="no_show"),
]

api_urlpatterns: list[URLPattern] = [
    path("claims/", joining.Claim.as_view(), name="claims"),
    path("join/", joining.JoinByCode.as_view(), name="join"),
    path(f"{EVENT}join/", joining.JoinEvent.as_view(), name="join_event"),
    path(REGISTRATIONS, roster_api.Registrations.as_view(), name="registrations"),
    path(
        f"{REGISTRATIONS}check-in/",
        roster_lists_api.DoorActions.by_post("check_in"),
        name="check_in_many",
    ),
    path(
        f"{REGISTRATIONS}lists/",
        roster_lists_api.DoorActions.by_post("take_list"),
        name="registration_lists",
    ),
    path(f"{REGISTRATIONS}guests/", roster_lists_api.SignUps.as_view(), name="registration_guests"),
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
    path(f"{EVENT}scan/", roster_lists_api.DoorActions.by_post("scan"), name="scan"),
    path(f"{TABLE}absences/", absences_api.Absences.as_view(), name="absences"),
    path(f"{TABLE}missing/", absences_api.AbsenceActions.by_post("missing"), name="missing"),
    path(f"{TABLE}came/", absences_api.AbsenceActions.by_post("came"), name="came"),
    path(f"{TABLE}no-show/", absences_api.AbsenceActions.by_post("no_show"), name="no_show"),
]
