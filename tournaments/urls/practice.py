"""Sandboxes."""

from django.urls import URLPattern, path

from tournaments.views import practice

PRACTICE = "events/<slug:slug>/desk/practice"

urlpatterns: list[URLPattern] = [
    path(f"{PRACTICE}/", practice.practice, name="practice"),
    path(f"{PRACTICE}/play/", practice.practice_play, name="practice_play"),
    path(f"{PRACTICE}/end/", practice.practice_end, name="practice_end"),
]
