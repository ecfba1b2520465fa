"""URLs of series, of their pages for organisers, and of copies of events."""

from django.urls import URLPattern, path

from tournaments.series.api import series as api
from tournaments.series.views import desk, events, invitations, public
from tournaments.web.urls import DESK

SERIES = "series/<slug:series>/"
BEHIND = f"{SERIES}desk/"

urlpatterns: list[URLPattern] = [
    path(
        "my-events/invitations/<slug:slug>/",
        invitations.invitation_answer,
        name="invitation_answer",
    ),
    path("series/", public.series_list, name="series_list"),
    path("series/new/", desk.series_create, name="series_create"),
    path(SERIES, public.series, name="series"),
    path(f"{SERIES}table.csv", public.series_csv, name="series_csv"),
    path(f"{SERIES}statistics/", public.series_statistics, name="series_statistics"),
    path(f"{SERIES}statistics.csv", public.series_statistics_csv, name="series_statistics_csv"),
    path(f"{SERIES}calendar.ics", public.series_calendar, name="series_calendar"),
    path(BEHIND, desk.series_desk, name="series_desk"),
    path(f"{BEHIND}settings/", desk.series_settings, name="series_settings"),
    path(f"{BEHIND}delete/", desk.series_delete, name="series_delete"),
    path(f"{BEHIND}events/add/", desk.series_event_add, name="series_event_add"),
    path(f"{BEHIND}events/remove/", desk.series_event_remove, name="series_event_remove"),
    path(f"{BEHIND}invite/", desk.series_invite, name="series_invite"),
    path(f"{BEHIND}staff/add/", desk.series_staff_add, name="series_staff_add"),
    path(f"{BEHIND}staff/<int:pk>/remove/", desk.series_staff_remove, name="series_staff_remove"),
    path(f"{BEHIND}staff/<int:pk>/hand-over/", desk.series_hand_over, name="series_hand_over"),
    path(f"{BEHIND}evenings/new/", desk.plan_create, name="plan_create"),
    path(f"{BEHIND}evenings/<int:pk>/", desk.plan, name="plan"),
    path(f"{BEHIND}evenings/<int:pk>/stop/", desk.plan_stop, name="plan_stop"),
    path(f"{BEHIND}evenings/<int:pk>/day/", desk.plan_day, name="plan_day"),
    path(f"{DESK}again/", events.again, name="again"),
    path(f"{DESK}series/", events.event_series, name="event_series"),
    path(f"{DESK}invited/", events.invited, name="invited"),
    path(f"{DESK}invited/<int:pk>/", events.invited_change, name="invited_change"),
]

api_urlpatterns: list[URLPattern] = [
    path("series/", api.SeriesListViewSet.as_view({"get": "list"}), name="series_list"),
    path(SERIES, api.SeriesViewSet.as_view({"get": "retrieve"}), name="series"),
    path(f"{SERIES}table/", api.SeriesViewSet.as_view({"get": "table"}), name="series_table"),
    path(
        f"{SERIES}statistics/",
        api.SeriesViewSet.as_view({"get": "statistics"}),
        name="series_statistics",
    ),
    path(
        f"{SERIES}qualified/",
        api.SeriesViewSet.as_view({"get": "qualified"}),
        name="series_qualified",
    ),
    path(f"{SERIES}events/", api.SeriesViewSet.as_view({"get": "events"}), name="series_events"),
]
