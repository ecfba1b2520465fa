"""URLs of practice events."""

from django.urls import URLPattern, path

from tournaments.practice import views
from tournaments.web.urls import DESK

PRACTICE = f"{DESK}practice/"

urlpatterns: list[URLPattern] = [
    path(PRACTICE, views.practice_list, name="practice"),
    path(f"{PRACTICE}play/", views.play_practice, name="practice_play"),
    path(f"{PRACTICE}end/", views.end_practice, name="practice_end"),
]
