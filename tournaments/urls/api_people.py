"""Events, their staff, their players and how these gather."""

from django.urls import URLPattern, path

from tournaments.desk.api import me, practice
from tournaments.integrations.api import gathering
from tournaments.privacy import api as my_data
from tournaments.registration.api import joining, roster, roster_lists
from tournaments.settings.api import settings, staff

EVENT = "events/<slug:slug>/"
STAFF = f"{EVENT}staff/"
ROSTER = f"{EVENT}registrations/"
ROW = f"{ROSTER}<int:number>/"
MINE = f"{EVENT}me/"

urlpatterns: list[URLPattern] = [
    path("me/", me.Profile.as_view(), name="profile"),
    path("me/data/", my_data.MyData.as_view(), name="my_data"),
    path("me/data/stay/", my_data.Stay.as_view(), name="stay"),
    path("me/events/", me.MyEvents.as_view(), name="my_events"),
    path("claims/", joining.Claim.as_view(), name="claims"),
    path("join/", joining.JoinByCode.as_view(), name="join"),
    path("invitations/accept/", staff.Accept.as_view(), name="invitation_accept"),
    path(f"{EVENT}settings/", settings.Settings.as_view(), name="settings"),
    path(f"{EVENT}finish/", settings.EventActions.by_post("finish"), name="finish"),
    path(f"{EVENT}reopen/", settings.EventActions.by_post("reopen"), name="reopen"),
    path(f"{EVENT}joining/", settings.Joining.as_view(), name="joining"),
    path(f"{EVENT}stages/", settings.Stages.as_view(), name="stages"),
    path(STAFF, staff.StaffList.as_view(), name="staff"),
    path(f"{STAFF}<int:pk>/", staff.StaffDetail.as_view(), name="staff_member"),
    path(f"{STAFF}<int:pk>/hand-over/", staff.HandOver.as_view(), name="hand_over"),
    path(f"{EVENT}invitations/", staff.InvitationList.as_view(), name="invitations"),
    path(f"{EVENT}invitations/<int:pk>/", staff.InvitationDetail.as_view(), name="invitation"),
    path(f"{EVENT}join/", joining.JoinEvent.as_view(), name="join_event"),
    path(ROSTER, roster.Registrations.as_view(), name="registrations"),
    path(f"{ROSTER}check-in/", roster_lists.DoorActions.by_post("check_in"), name="check_in_many"),
    path(
        f"{ROSTER}lists/", roster_lists.DoorActions.by_post("take_list"), name="registration_lists"
    ),
    path(f"{ROSTER}guests/", roster_lists.SignUps.as_view(), name="registration_guests"),
    path(ROW, roster.RegistrationDetail.as_view(), name="registration"),
    path(f"{ROW}check-in/", roster.RowActions.by_post("check_in"), name="check_in"),
    path(
        f"{ROW}undo-check-in/",
        roster.RowActions.by_post("undo_check_in"),
        name="undo_check_in",
    ),
    path(f"{ROW}drop/", roster.RowActions.by_post("drop"), name="drop"),
    path(f"{ROW}return/", roster.RowActions.by_post("return_"), name="return"),
    path(f"{ROW}claim-link/", roster.RowActions.by_post("make_claim_link"), name="claim_link"),
    path(f"{ROW}move-up/", roster.RowActions.by_post("move_up"), name="move_up"),
    path(f"{ROW}let-in/", roster.RowActions.by_post("let_in"), name="let_in"),
    path(f"{EVENT}scan/", roster_lists.DoorActions.by_post("scan"), name="scan"),
    path(MINE, me.Me.as_view(), name="me"),
    path(f"{MINE}check-in/", me.MyPlace.by_post("check_in"), name="my_check_in"),
    path(f"{MINE}drop/", me.MyPlace.by_post("drop"), name="my_drop"),
    path(f"{MINE}return/", me.MyPlace.by_post("return_"), name="my_return"),
    path(f"{MINE}wishes/", me.MyPlace.as_view({"patch": "wish"}), name="my_wishes"),
    path(f"{MINE}news/", me.MyNews.as_view(), name="my_news"),
    path(f"{MINE}news/mail/", me.NewsActions.as_view({"put": "set_mail"}), name="my_mail"),
    path(f"{MINE}news/phone/", me.NewsActions.as_view({"put": "set_phone"}), name="my_phone"),
    path(f"{EVENT}announcing/", gathering.Announcing.as_view(), name="announcing"),
    path(f"{EVENT}announcing/test/", gathering.AnnouncingTest.as_view(), name="announcing_test"),
    path(f"{EVENT}meeting/", gathering.Meeting.as_view(), name="meeting"),
    path(f"{EVENT}practice/", practice.Practice.as_view(), name="practice"),
    path(f"{EVENT}practice/play/", practice.PracticePlay.as_view(), name="practice_play"),
]
