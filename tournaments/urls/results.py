"""Results behind the desk, besides those in `staff`."""

from django.urls import URLPattern, path

from tournaments.views import taking_back

TABLE = "events/<slug:slug>/rounds/<int:number>/tables/<int:table>"

urlpatterns: list[URLPattern] = [
    path(f"{TABLE}/take-back/", taking_back.take_back, name="take_back"),
]
