"""The rulings of an event on paper."""

from django.urls import path

from tournaments.views import booklets

urlpatterns = [
    path("events/<slug:slug>/rulings/booklet/", booklets.rulings_booklet, name="rulings_booklet"),
    path("events/<slug:slug>/desk/booklet/", booklets.judges_booklet, name="judges_booklet"),
]
