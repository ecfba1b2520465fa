"""Addresses of all slices: pages, and the API below api/v1/."""

from tournaments.decklists import urls as decklists
from tournaments.desk import urls as desk
from tournaments.displays import urls as displays
from tournaments.files import urls as files
from tournaments.integrations import urls as integrations
from tournaments.judging import urls as judging
from tournaments.my_event import urls as my_event
from tournaments.ops import urls as ops
from tournaments.outlook import urls as outlook
from tournaments.practice import urls as practice
from tournaments.privacy import urls as privacy
from tournaments.profiles import urls as profiles
from tournaments.public import urls as public
from tournaments.ratings import urls as ratings
from tournaments.registration import urls as registration
from tournaments.results import urls as results
from tournaments.rounds import urls as rounds
from tournaments.series import urls as series
from tournaments.settings import urls as settings
from tournaments.statistics import urls as statistics
from tournaments.undo import urls as undo
from tournaments.web import urls as web

app_name = "tournaments"
urlpatterns = [
    # "events/new/" and the like before the address of an event, which could be named so.
    *settings.urlpatterns,
    *files.urlpatterns,
    *series.urlpatterns,
    *public.urlpatterns,
    *my_event.urlpatterns,
    *desk.urlpatterns,
    *undo.urlpatterns,
    *practice.urlpatterns,
    *ratings.urlpatterns,
    *results.urlpatterns,
    *statistics.urlpatterns,
    *outlook.urlpatterns,
    *registration.urlpatterns,
    *rounds.urlpatterns,
    *decklists.urlpatterns,
    *judging.urlpatterns,
    *integrations.urlpatterns,
    *displays.urlpatterns,
    *profiles.urlpatterns,
    *ops.urlpatterns,
    *privacy.urlpatterns,
    *web.urlpatterns,
]
api_urlpatterns = [
    *settings.api_urlpatterns,
    *series.api_urlpatterns,
    *my_event.api_urlpatterns,
    *undo.api_urlpatterns,
    *ratings.api_urlpatterns,
    *results.api_urlpatterns,
    *statistics.api_urlpatterns,
    *outlook.api_urlpatterns,
    *registration.api_urlpatterns,
    *rounds.api_urlpatterns,
    *decklists.api_urlpatterns,
    *judging.api_urlpatterns,
    *files.api_urlpatterns,
    *integrations.api_urlpatterns,
    *displays.api_urlpatterns,
    *profiles.api_urlpatterns,
]
