"""The next step at the desk, and the way on without all results."""

from django.urls import URLPattern, path

from tournaments.urls.staff import DESK, ROUND
from tournaments.views import desk, drafting

urlpatterns: list[URLPattern] = [
    path(f"{DESK}/step/", desk.desk_step, name="desk_step"),
    path(f"{ROUND}/without-results/", drafting.without_results, name="without_results"),
]
