"""What judges have cited."""

from django.urls import path

from tournaments.views import citing

urlpatterns = [
    path("events/<slug:slug>/desk/cited/", citing.event_cited, name="event_cited"),
]
