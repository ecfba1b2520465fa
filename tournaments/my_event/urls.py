"""URLs of a player's own pages."""

from django.urls import URLPattern, path

from tournaments.my_event import views
from tournaments.my_event.api import AccountViewSet, MeViewSet
from tournaments.web.urls import MY_EVENT

urlpatterns: list[URLPattern] = [
    path("my-events/", views.my_events, name="mine"),
    path("my-table/", views.my_table, name="my_table"),
    path(MY_EVENT, views.my_event, name="my_event"),
    path(f"{MY_EVENT}check-in/", views.check_in, name="my_check_in"),
    path(f"{MY_EVENT}drop/", views.drop, name="my_drop"),
    path(f"{MY_EVENT}return/", views.return_to_event, name="my_return"),
    path(f"{MY_EVENT}stream/", views.set_stream_preference, name="my_stream"),
]

api_urlpatterns: list[URLPattern] = [
    path(
        "me/",
        AccountViewSet.as_view({"get": "retrieve", "patch": "partial_update"}),
        name="profile",
    ),
    path("me/events/", AccountViewSet.as_view({"get": "events"}), name="my_events"),
    path(MY_EVENT, MeViewSet.as_view({"get": "retrieve"}), name="me"),
    path(f"{MY_EVENT}check-in/", MeViewSet.as_view({"post": "check_in"}), name="my_check_in"),
    path(f"{MY_EVENT}drop/", MeViewSet.as_view({"post": "drop"}), name="my_drop"),
    path(f"{MY_EVENT}return/", MeViewSet.as_view({"post": "return_"}), name="my_return"),
]
