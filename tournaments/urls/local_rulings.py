"""Local rulings of an event: for everybody, and behind the desk."""

from django.urls import path

from tournaments.views import local_rulings as views

DESK = "events/<slug:slug>/desk/rulings/"

urlpatterns = [
    path("events/<slug:slug>/rulings/", views.event_rulings, name="event_rulings"),
    path(
        "events/<slug:slug>/rulings/<int:pk>/adopt/",
        views.event_ruling_adopt,
        name="event_ruling_adopt",
    ),
    path(DESK, views.local_rulings, name="local_rulings"),
    path(f"{DESK}new/", views.local_ruling_new, name="local_ruling_new"),
    path(f"{DESK}<int:pk>/", views.local_ruling_edit, name="local_ruling_edit"),
    path(f"{DESK}<int:pk>/withdraw/", views.local_ruling_withdraw, name="local_ruling_withdraw"),
    path(f"{DESK}<int:pk>/leave/", views.local_ruling_leave, name="local_ruling_leave"),
    path(f"{DESK}use/<int:pk>/", views.local_ruling_use, name="local_ruling_use"),
]
