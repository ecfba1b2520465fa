"""The log, the way back, and how things were."""

from django.urls import URLPattern, path

from tournaments.views import as_it_was, log

DESK = "events/<slug:slug>/desk"

urlpatterns: list[URLPattern] = [
    path(f"{DESK}/log/", log.log, name="log"),
    path(f"{DESK}/log/<int:pk>/", log.log_entry, name="log_entry"),
    path(f"{DESK}/log/<int:pk>/undo/", log.log_undo, name="log_undo"),
    path(f"{DESK}/versions/", as_it_was.versions, name="versions"),
    path(f"{DESK}/versions/standings/<int:pk>/", as_it_was.standings_then, name="standings_then"),
]
