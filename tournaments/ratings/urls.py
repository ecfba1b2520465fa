"""URLs of ratings, pages and API."""

from django.urls import URLPattern, path

from tournaments.ratings import views
from tournaments.ratings.api import RatingViewSet

urlpatterns: list[URLPattern] = [
    path("ratings/", views.ratings_of_default_game, name="all_ratings"),
    path("ratings/<slug:game>/", views.ratings, name="ratings"),
    path("ratings/<slug:game>/ratings.csv", views.ratings_csv, name="ratings_csv"),
    path("ratings/<slug:game>/<int:pk>/", views.rating_history, name="rating_history"),
    path("help/ratings/", views.help_ratings, name="help_ratings"),
]

api_urlpatterns: list[URLPattern] = [
    path("ratings/<slug:game>/", RatingViewSet.as_view({"get": "list"}), name="ratings"),
    path(
        "ratings/<slug:game>/<int:pk>/",
        RatingViewSet.as_view({"get": "retrieve"}),
        name="rating_history",
    ),
]
