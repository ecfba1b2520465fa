"""URLs of the desk."""

from django.urls import URLPattern, path

from tournaments.desk import views
from tournaments.web.urls import DESK

urlpatterns: list[URLPattern] = [
    path(DESK, views.desk, name="desk"),
    path(f"{DESK}step/", views.desk_step, name="desk_step"),
    path(f"{DESK}sections/<str:section>/", views.desk_section, name="desk_section"),
    path(f"{DESK}results/", views.current_results, name="current_results"),
    path(f"{DESK}registration/", views.toggle_registration, name="registration_toggle"),
    path(f"{DESK}jobs/<int:pk>/retry/", views.retry_job, name="job_retry"),
    path(f"{DESK}finish/", views.finish_event, name="finish"),
    path(f"{DESK}reopen/", views.reopen_event, name="reopen"),
]
