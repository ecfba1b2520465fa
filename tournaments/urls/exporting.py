"""Events as files."""

from django.urls import path

from tournaments.services.exporting import FORMATS
from tournaments.views import exporting

EXPORTS = "events/<slug:slug>/exports/"

urlpatterns = [
    path("events/calendar.ics", exporting.all_events, name="all_events_calendar"),
    path("events/<slug:slug>/calendar.ics", exporting.download("ics"), name="event_calendar"),
    path(EXPORTS, exporting.offered, name="exports"),
    *(
        path(f"{EXPORTS}{form}/", exporting.download(form), name=format_.route.partition(":")[2])
        for form, format_ in FORMATS.items()
    ),
]
