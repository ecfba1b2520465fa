"""Addresses of all slices: pages, and the API below api/v1/."""

from tournaments.clinch import urls as clinch
from tournaments.decklists import urls as decklists
from tournaments.desk import urls as desk
from tournaments.integrations import urls as integrations
from tournaments.interchange import urls as interchange
from tournaments.judging import urls as judging
from tournaments.operations import urls as operations
from tournaments.people import urls as people
from tournaments.privacy import urls as privacy
from tournaments.ratings import urls as ratings
from tournaments.registration import urls as registration
from tournaments.results import urls as results
from tournaments.rounds import urls as rounds
from tournaments.screens import urls as screens
from tournaments.series import urls as series
from tournaments.settings import urls as settings
from tournaments.statistics import urls as statistics
from tournaments.web import urls as web

app_name = "tournaments"
urlpatterns = [
    # "events/new/" and the like before the address of an event, which could be named so.
    *settings.urlpatterns,
    *interchange.urlpatterns,
    *series.urlpatterns,
    *desk.urlpatterns,
    *ratings.urlpatterns,
    *results.urlpatterns,
    *statistics.urlpatterns,
    *clinch.urlpatterns,
    *registration.urlpatterns,
    *rounds.urlpatterns,
    *decklists.urlpatterns,
    *judging.urlpatterns,
    *integrations.urlpatterns,
    *screens.urlpatterns,
    *people.urlpatterns,
    *operations.urlpatterns,
    *privacy.urlpatterns,
    *web.urlpatterns,
]
api_urlpatterns = [
    *settings.api_urlpatterns,
    *series.api_urlpatterns,
    *desk.api_urlpatterns,
    *ratings.api_urlpatterns,
    *results.api_urlpatterns,
    *statistics.api_urlpatterns,
    *clinch.api_urlpatterns,
    *registration.api_urlpatterns,
    *rounds.api_urlpatterns,
    *decklists.api_urlpatterns,
    *judging.api_urlpatterns,
    *interchange.api_urlpatterns,
    *integrations.api_urlpatterns,
    *screens.api_urlpatterns,
    *people.api_urlpatterns,
]
