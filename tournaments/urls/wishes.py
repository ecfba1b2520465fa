"""What players need of the room."""

from django.urls import path

from tournaments.views import wishes

urlpatterns = [
    path("events/<slug:slug>/roster/<int:number>/wishes/", wishes.set_wishes, name="wishes"),
    path("events/<slug:slug>/me/stream/", wishes.my_stream, name="my_stream"),
]
