"""Files made of events."""

from django.urls import URLPattern, path

from tournaments.api import exporting

EXPORTS = "events/<slug:slug>/exports/"

urlpatterns: list[URLPattern] = [
    path(EXPORTS, exporting.ExportList.as_view(), name="exports"),
    path(f"{EXPORTS}<slug:form>/", exporting.ExportFile.as_view(), name="export"),
]
