"""URLs of series, of their pages for organisers, and of copies of events."""

from django.urls import URLPattern, path

from tournaments.series import api, views
from tournaments.web.urls import DESK

SERIES = "series/<slug:series>/"
SERIES_DESK = f"{SERIES}desk/"

urlpatterns: list[URLPattern] = [
    path(
        "my-events/invitations/<slug:slug>/",
        views.invitation_answer,
        name="invitation_answer",
    ),
    path("series/", views.series_list, name="series_list"),
    path("series/new/", views.series_create, name="series_create"),
    path(SERIES, views.series_detail, name="series"),
    path(f"{SERIES}table.csv", views.series_csv, name="series_csv"),
    path(f"{SERIES}statistics/", views.series_statistics, name="series_statistics"),
    path(f"{SERIES}statistics.csv", views.series_statistics_csv, name="series_statistics_csv"),
    path(f"{SERIES}calendar.ics", views.series_calendar, name="series_calendar"),
    path(SERIES_DESK, views.series_desk, name="series_desk"),
    path(f"{SERIES_DESK}settings/", views.series_settings, name="series_settings"),
    path(f"{SERIES_DESK}delete/", views.series_delete, name="series_delete"),
    path(f"{SERIES_DESK}events/add/", views.series_event_add, name="series_event_add"),
    path(f"{SERIES_DESK}events/remove/", views.series_event_remove, name="series_event_remove"),
    path(f"{SERIES_DESK}invite/", views.series_invite, name="series_invite"),
    path(f"{SERIES_DESK}staff/add/", views.series_staff_add, name="series_staff_add"),
    path(
        f"{SERIES_DESK}staff/<int:pk>/remove/",
        views.series_staff_remove,
        name="series_staff_remove",
    ),
    path(
        f"{SERIES_DESK}staff/<int:pk>/hand-over/", views.series_hand_over, name="series_hand_over"
    ),
    path(f"{SERIES_DESK}evenings/new/", views.plan_create, name="plan_create"),
    path(f"{SERIES_DESK}evenings/<int:pk>/", views.plan_change, name="plan"),
    path(f"{SERIES_DESK}evenings/<int:pk>/stop/", views.plan_stop, name="plan_stop"),
    path(f"{SERIES_DESK}evenings/<int:pk>/day/", views.plan_day, name="plan_day"),
    path(f"{DESK}again/", views.event_copy, name="again"),
    path(f"{DESK}series/", views.event_series, name="event_series"),
    path(f"{DESK}invited/", views.invited_players, name="invited"),
    path(f"{DESK}invited/<int:pk>/", views.invitation_change, name="invited_change"),
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
