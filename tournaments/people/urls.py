"""URLs of player pages and of merging player records."""

from django.urls import URLPattern, path

from tournaments.people.api import PersonViewSet
from tournaments.people.views import merging, person

PERSON = "people/<int:pk>/"
MERGES = "people/merges/"

urlpatterns: list[URLPattern] = [
    path("me/privacy/", person.my_privacy, name="my_privacy"),
    path("me/records/", merging.my_records, name="my_records"),
    path(MERGES, merging.merge_players, name="merge_players"),
    path(f"{MERGES}<int:pk>/undo/", merging.undo_merge, name="undo_merge"),
    path(PERSON, person.person, name="person"),
    path(f"{PERSON}opponents/<slug:game>/", person.opponents, name="opponents"),
    path(f"{PERSON}statistics/<slug:game>.csv", person.person_csv, name="person_csv"),
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
