"""URLs of tournament file imports and exports."""

from django.urls import URLPattern, path

from tournaments.files import views
from tournaments.files.api import ExportViewSet, FileNegotiation, ImportViewSet
from tournaments.files.exports import FORMATS
from tournaments.web.urls import EVENT

urlpatterns: list[URLPattern] = [
    path("events/import/", views.import_event, name="import"),
    path(f"{EVENT}standings.csv", views.standings_csv, name="standings_csv"),
    path(f"{EVENT}calendar.ics", views.download("ics"), name="event_calendar"),
    path(f"{EVENT}exports/", views.export_list, name="exports"),
    *(
        path(f"{EVENT}exports/{form}/", views.download(form), name=format_.route.partition(":")[2])
        for form, format_ in FORMATS.items()
    ),
    path(f"{EVENT}roster.csv", views.download("csv-roster"), name="roster_export"),
]

api_urlpatterns: list[URLPattern] = [
    path("imports/", ImportViewSet.as_view({"post": "create"}), name="imports"),
    path(f"{EVENT}exports/", ExportViewSet.as_view({"get": "list"}), name="exports"),
    path(
        f"{EVENT}exports/<slug:form>/",
        ExportViewSet.as_view({"get": "retrieve"}, content_negotiation_class=FileNegotiation),
        name="export",
    ),
]
