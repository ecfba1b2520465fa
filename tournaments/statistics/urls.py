"""URLs of statistics of an event and of the site."""

from django.urls import URLPattern, path

from tournaments.statistics import views
from tournaments.statistics.api import EventStatisticsViewSet, SiteStatisticsViewSet
from tournaments.web.urls import EVENT

urlpatterns: list[URLPattern] = [
    path("statistics/", views.site_statistics, name="site_statistics"),
    path("statistics.csv", views.site_statistics_csv, name="site_statistics_csv"),
    path(f"{EVENT}statistics/", views.event_statistics, name="statistics"),
    path(f"{EVENT}statistics.csv", views.event_statistics_csv, name="statistics_csv"),
]

api_urlpatterns: list[URLPattern] = [
    path("statistics/", SiteStatisticsViewSet.as_view({"get": "retrieve"}), name="site_statistics"),
    path(
        f"{EVENT}statistics/",
        EventStatisticsViewSet.as_view({"get": "retrieve"}),
        name="statistics",
    ),
]
