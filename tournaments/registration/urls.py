"""URLs of joining, the roster, check-in, absences and seats before round 1."""

from django.urls import URLPattern, path

from tournaments.registration import forms, roster_views, views
from tournaments.registration.api import (
    EntryViewSet,
    JoinViewSet,
    PlayerViewSet,
    RegistrationViewSet,
)
from tournaments.web.urls import DESK, EVENT, MY_EVENT, TABLE

ROSTER = f"{EVENT}roster/"
MEETING = f"{DESK}meeting/"
REGISTRATIONS = f"{EVENT}registrations/"
PLACE = f"{ROSTER}<int:number>/"
REGISTRATION = f"{REGISTRATIONS}<int:number>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}meeting/", views.public_meeting, name="meeting"),
    path("join/", views.enter_join_code, name="join"),
    path("join/<str:code>/", views.join_event, name="join_code"),
    path(f"{TABLE}missing/", views.report_missing, name="missing"),
    path(f"{TABLE}came/", views.withdraw_missing_report, name="came"),
    path(f"{MY_EVENT}check-in.svg", views.my_check_in_qr, name="my_check_in_qr"),
    path(ROSTER, roster_views.roster_page, name="roster"),
    path(f"{ROSTER}add/", roster_views.add_player, name="roster_add"),
    path(
        f"{ROSTER}paste/",
        roster_views.enter_roster_list,
        {"kind": forms.NAMES_KIND},
        name="roster_paste",
    ),
    path(
        f"{ROSTER}csv/",
        roster_views.enter_roster_list,
        {"kind": forms.TABLE_KIND},
        name="roster_csv",
    ),
    path(f"{ROSTER}apply/", roster_views.apply_roster_list, name="roster_apply"),
    path(f"{ROSTER}sign-ups/", roster_views.remove_sign_ups, name="roster_sign_ups"),
    path(f"{ROSTER}seed-by-rating/", roster_views.seed_by_rating, name="seed_by_rating"),
    path(f"{ROSTER}check-in/", roster_views.check_in_all, name="check_in_all"),
    path(f"{ROSTER}tick/", views.tick_list, name="tick"),
    path(f"{ROSTER}scan/", views.scan_codes, name="scan"),
    path(f"{ROSTER}badges/", views.badges, name="badges"),
    path("check-in/<str:code>/", views.check_in_by_code, name="check_in_code"),
    path(f"{PLACE}check-in/", roster_views.check_in, name="check_in"),
    path(f"{PLACE}not-here/", roster_views.undo_check_in, name="undo_check_in"),
    path(f"{PLACE}up/", roster_views.move_up, name="move_up"),
    path(f"{PLACE}waiting-place/", roster_views.move_on_waiting_list, name="waiting_place"),
    path(f"{DESK}day-two/", views.day_two, name="day_two"),
    path(f"{PLACE}let-in/", roster_views.let_in_late, name="let_in"),
    path(f"{PLACE}drop/", roster_views.drop_player, name="drop"),
    path(f"{PLACE}return/", roster_views.return_player, name="return"),
    path(f"{PLACE}remove/", roster_views.remove_player, name="remove"),
    path(f"{PLACE}bye/", roster_views.set_first_round_bye, name="first_round_bye"),
    path(f"{PLACE}paid/", roster_views.set_paid, name="paid"),
    path(f"{PLACE}seed/", roster_views.set_seed, name="seed"),
    path(f"{PLACE}link/", roster_views.issue_claim_link, name="claim_link"),
    path(f"{ROSTER}links/", roster_views.issue_claim_links, name="claim_links"),
    path(f"{PLACE}entry/", roster_views.edit_entry, name="roster_entry"),
    path(f"{PLACE}merge/", roster_views.merge_entries, name="merge_entries"),
    path(f"{PLACE}wishes/", roster_views.set_table_preferences, name="wishes"),
    path(MEETING, views.meeting_desk, name="meeting_desk"),
    path(f"{MEETING}seat/", views.seat_meeting, name="meeting_seat"),
    path(f"{MEETING}clear/", views.clear_meeting, name="meeting_clear"),
    path(f"{TABLE}absences/", views.table_absences, name="absences"),
    path(f"{TABLE}no-show/", views.decide_no_show, name="no_show"),
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
        RegistrationViewSet.as_view({"post": "add_list"}),
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
