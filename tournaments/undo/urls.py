"""URLs of the event log and of undo."""

from django.urls import URLPattern, path

from tournaments.undo import views
from tournaments.undo.api import LogViewSet
from tournaments.web.urls import DESK, EVENT, TABLE

LOG = f"{DESK}log/"

urlpatterns: list[URLPattern] = [
    path(LOG, views.log, name="log"),
    path(f"{LOG}<int:pk>/", views.log_entry, name="log_entry"),
    path(f"{LOG}<int:pk>/undo/", views.undo_entry, name="log_undo"),
    path(f"{DESK}versions/", views.versions, name="versions"),
    path(f"{DESK}versions/standings/<int:pk>/", views.standings_version, name="standings_then"),
    path(f"{TABLE}take-back/", views.undo_result, name="take_back"),
]

api_urlpatterns: list[URLPattern] = [
    path(f"{EVENT}log/", LogViewSet.as_view({"get": "list"}), name="log"),
    path(f"{EVENT}log/<int:pk>/", LogViewSet.as_view({"get": "retrieve"}), name="log_entry"),
]
