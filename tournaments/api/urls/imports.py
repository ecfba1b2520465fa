"""Events made of files."""

from django.urls import URLPattern, path

from tournaments.api import importing

urlpatterns: list[URLPattern] = [
    path("imports/", importing.ImportView.as_view(), name="imports"),
]
