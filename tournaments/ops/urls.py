"""URLs of the operations page."""

from django.urls import URLPattern, path

from tournaments.ops import views

OPERATIONS = "operations/"

urlpatterns: list[URLPattern] = [
    path(OPERATIONS, views.operations_page, name="operations"),
    path(f"{OPERATIONS}jobs/retry/", views.retry_jobs, name="operations_retry_all"),
    path(f"{OPERATIONS}jobs/<int:pk>/retry/", views.retry_job, name="operations_retry"),
    path(f"{OPERATIONS}jobs/<int:pk>/delete/", views.delete_job, name="operations_delete"),
]
