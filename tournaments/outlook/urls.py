"""URLs of the clinch scenarios."""

from django.urls import URLPattern, path

from tournaments.outlook import views
from tournaments.outlook.api import NeedsViewSet
from tournaments.web.urls import EVENT

urlpatterns: list[URLPattern] = [path(f"{EVENT}needs/", views.needs, name="needs")]

api_urlpatterns: list[URLPattern] = [
    path(f"{EVENT}needs/", NeedsViewSet.as_view({"get": "retrieve"}), name="needs")
]
