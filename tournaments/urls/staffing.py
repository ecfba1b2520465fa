"""Roles, invitations to them, and the page of the streamer."""

from django.urls import URLPattern, path

from tournaments.views import invitations, staff, stream

STAFF = "events/<slug:slug>/desk/staff"

urlpatterns: list[URLPattern] = [
    path(f"{STAFF}/", staff.staff, name="staff"),
    path(f"{STAFF}/add/", staff.staff_add, name="staff_add"),
    path(f"{STAFF}/<int:pk>/remove/", staff.staff_remove, name="staff_remove"),
    path(f"{STAFF}/<int:pk>/hand-over/", staff.staff_hand_over, name="staff_hand_over"),
    path(f"{STAFF}/invite/", staff.invite, name="invite"),
    path(
        f"{STAFF}/invitations/<int:pk>/withdraw/",
        staff.invitation_withdraw,
        name="invitation_withdraw",
    ),
    path("events/<slug:slug>/stream/", stream.stream, name="stream"),
    path("invitation/", invitations.invitation, name="invitation"),
    path("invitation/<str:secret>/", invitations.invitation_link, name="invitation_link"),
]
