"""Addresses: what a browser asks for beside the pages."""

from django.urls import URLPattern, path

from tournaments.web.views import offline, server_time

urlpatterns: list[URLPattern] = [
    path("time/", server_time.server_time, name="time"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("sw.js", offline.service_worker, name="service_worker"),
    path("offline/", offline.no_signal, name="offline"),
]
