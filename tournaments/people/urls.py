"""Addresses: a player across events."""

from django.urls import URLPattern, path

from tournaments.people import views
from tournaments.people.api import PrivacyViewSet

urlpatterns: list[URLPattern] = [
    path("me/privacy/", views.my_privacy, name="my_privacy"),
]

api_urlpatterns: list[URLPattern] = [
    path(
        "me/privacy/",
        PrivacyViewSet.as_view({"get": "retrieve", "patch": "partial_update"}),
        name="my_privacy",
    ),
]
