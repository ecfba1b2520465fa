"""Addresses: making and changing an event, and its staff."""

from django.urls import URLPattern, path

from tournaments.settings.api import events
from tournaments.settings.api import settings as settings_api
from tournaments.settings.api import staff as staff_api
from tournaments.settings.views import creating
from tournaments.settings.views import settings as settings_pages
from tournaments.settings.views import staff as staff_pages
from tournaments.web.urls import DESK, EVENT

API_STAFF = f"{EVENT}staff/"
STAFF = f"{DESK}staff/"

urlpatterns: list[URLPattern] = [
    path("events/new/", creating.create, name="create"),
    path("events/import/", creating.import_event, name="import"),
    path("invitation/", staff_pages.invitation, name="invitation"),
    path("invitation/<str:secret>/", staff_pages.invitation_link, name="invitation_link"),
    path(f"{DESK}settings/", settings_pages.settings, name="settings"),
    path(f"{DESK}settings/day/", settings_pages.day, name="day_settings"),
    path(STAFF, staff_pages.staff, name="staff"),
    path(f"{STAFF}add/", staff_pages.staff_add, name="staff_add"),
    path(f"{STAFF}<int:pk>/remove/", staff_pages.staff_remove, name="staff_remove"),
    path(f"{STAFF}<int:pk>/hand-over/", staff_pages.staff_hand_over, name="staff_hand_over"),
    path(f"{STAFF}invite/", staff_pages.invite, name="invite"),
    path(
        f"{STAFF}invitations/<int:pk>/withdraw/",
        staff_pages.invitation_withdraw,
        name="invitation_withdraw",
    ),
]

api_urlpatterns: list[URLPattern] = [
    path("events/", events.EventList.as_view(), name="events"),
    path(EVENT, events.EventDetail.as_view(), name="event"),
    path(f"{EVENT}players/", events.PlayerList.as_view(), name="players"),
    path(f"{EVENT}standings/", events.StandingList.as_view(), name="standings"),
    path("invitations/accept/", staff_api.Accept.as_view(), name="invitation_accept"),
    path(f"{EVENT}settings/", settings_api.Settings.as_view(), name="settings"),
    path(f"{EVENT}finish/", settings_api.EventActions.by_post("finish"), name="finish"),
    path(f"{EVENT}reopen/", settings_api.EventActions.by_post("reopen"), name="reopen"),
    path(f"{EVENT}joining/", settings_api.Joining.as_view(), name="joining"),
    path(f"{EVENT}stages/", settings_api.Stages.as_view(), name="stages"),
    path(API_STAFF, staff_api.StaffList.as_view(), name="staff"),
    path(f"{API_STAFF}<int:pk>/", staff_api.StaffDetail.as_view(), name="staff_member"),
    path(f"{API_STAFF}<int:pk>/hand-over/", staff_api.HandOver.as_view(), name="hand_over"),
    path(f"{EVENT}invitations/", staff_api.InvitationList.as_view(), name="invitations"),
    path(f"{EVENT}invitations/<int:pk>/", staff_api.InvitationDetail.as_view(), name="invitation"),
]
