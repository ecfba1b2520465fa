"""The clock, and the time it goes by."""

from django.urls import URLPattern, path

from tournaments.urls.staff import ROUND
from tournaments.views import clock_staff, server_time

urlpatterns: list[URLPattern] = [
    path("time/", server_time.server_time, name="time"),
    path(f"{ROUND}/clock/pause/", clock_staff.pause, name="clock_pause"),
    path(f"{ROUND}/clock/resume/", clock_staff.resume, name="clock_resume"),
    path(f"{ROUND}/clock/add/", clock_staff.add, name="clock_add"),
    path(f"{ROUND}/clock/table/", clock_staff.add_to_table, name="clock_add_table"),
]
