"""Addresses of the API that tournaments answer, each topic in its own list."""

from tournaments.api.urls import exports, imports, judging, people, play, programs, reading

urlpatterns = [
    *reading.urlpatterns,
    *people.urlpatterns,
    *play.urlpatterns,
    *judging.urlpatterns,
    *imports.urlpatterns,
    *exports.urlpatterns,
    *programs.urlpatterns,
]
