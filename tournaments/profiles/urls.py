"""URLs of player pages and of merging player records."""

from django.urls import URLPattern, path

from tournaments.profiles import views
from tournaments.profiles.api import PersonViewSet

PERSON = "people/<int:pk>/"
MERGES = "people/merges/"

urlpatterns: list[URLPattern] = [
    path("me/privacy/", views.my_privacy, name="my_privacy"),
    path("me/records/", views.my_records, name="my_records"),
    path(MERGES, views.merge_players, name="merge_players"),
    path(f"{MERGES}<int:pk>/undo/", views.undo_merge, name="undo_merge"),
    path(PERSON, views.player_page, name="person"),
    path(f"{PERSON}opponents/<slug:game>/", views.opponents, name="opponents"),
    path(f"{PERSON}statistics/<slug:game>.csv", views.player_statistics_csv, name="person_csv"),
]

api_urlpatterns: list[URLPattern] = [
    path(PERSON, PersonViewSet.as_view({"get": "retrieve"}), name="person"),
    path(f"{PERSON}events/", PersonViewSet.as_view({"get": "events"}), name="person_events"),
    path(
        f"{PERSON}opponents/<slug:game>/",
        PersonViewSet.as_view({"get": "opponents"}),
        name="opponents",
    ),
]
