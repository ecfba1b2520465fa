"""URLs of event creation, settings and staff."""

from django.urls import URLPattern, path

from tournaments.settings import api, views
from tournaments.web.urls import DESK, EVENT

STAFF = f"{DESK}staff/"

urlpatterns: list[URLPattern] = [
    path("events/new/", views.create_event, name="create"),
    path("invitation/", views.staff_invitation, name="invitation"),
    path("invitation/<str:secret>/", views.invitation_link, name="invitation_link"),
    path(f"{DESK}created/", views.event_created, name="created"),
    path(f"{DESK}settings/", views.event_settings, name="settings"),
    path(f"{DESK}settings/day/", views.day_settings, name="day_settings"),
    path(f"{DESK}settings/delete/", views.delete_event, name="delete"),
    path(STAFF, views.staff_list, name="staff"),
    path(f"{STAFF}add/", views.staff_add, name="staff_add"),
    path(f"{STAFF}<int:pk>/remove/", views.staff_remove, name="staff_remove"),
    path(f"{STAFF}<int:pk>/hand-over/", views.staff_hand_over, name="staff_hand_over"),
    path(f"{STAFF}invite/", views.staff_invite, name="invite"),
    path(
        f"{STAFF}invitations/<int:pk>/withdraw/",
        views.invitation_withdraw,
        name="invitation_withdraw",
    ),
]

api_urlpatterns: list[URLPattern] = [
    path("events/", api.EventListViewSet.as_view({"get": "list", "post": "create"}), name="events"),
    path(
        EVENT, api.TournamentViewSet.as_view({"get": "retrieve", "delete": "destroy"}), name="event"
    ),
    path(
        f"{EVENT}settings/",
        api.TournamentViewSet.as_view({"get": "read_settings", "patch": "change_settings"}),
        name="settings",
    ),
    path(f"{EVENT}finish/", api.TournamentViewSet.as_view({"post": "finish"}), name="finish"),
    path(f"{EVENT}reopen/", api.TournamentViewSet.as_view({"post": "reopen"}), name="reopen"),
    path(f"{EVENT}joining/", api.TournamentViewSet.as_view({"get": "joining"}), name="joining"),
    path(f"{EVENT}stages/", api.TournamentViewSet.as_view({"get": "stages"}), name="stages"),
]
