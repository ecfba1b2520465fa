"""The site as an app: what a browser asks for beside the pages."""

from django.urls import path

from tournaments.views import offline

urlpatterns = [
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("sw.js", offline.service_worker, name="service_worker"),
    path("offline/", offline.no_signal, name="offline"),
]
