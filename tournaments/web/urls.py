"""URL prefixes shared by the slices, and URLs outside the pages."""

from django.urls import URLPattern, path

from tournaments.web import offline, polling

EVENT = "events/<slug:slug>/"
DESK = f"{EVENT}desk/"
MY_EVENT = f"{EVENT}me/"
ROUND = f"{EVENT}rounds/<int:number>/"
TABLE = f"{ROUND}tables/<int:table>/"
urlpatterns: list[URLPattern] = [
    path("time/", polling.server_time, name="time"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("sw.js", offline.service_worker, name="service_worker"),
    path("offline/", offline.offline_page, name="offline"),
]
