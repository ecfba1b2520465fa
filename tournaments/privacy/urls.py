"""Addresses: what is kept about a person, and erasing."""

from django.urls import URLPattern, path

from tournaments.privacy import api
from tournaments.privacy.views import erasing_guests, my_data
from tournaments.web.addresses import EVENT

urlpatterns: list[URLPattern] = [
    path("me/data/", my_data.my_data, name="my_data"),
    path("me/data/file/", my_data.my_data_file, name="my_data_file"),
    path("me/stay/", my_data.stay, name="stay"),
    path("me/erase/", my_data.erase_me, name="erase_me"),
    path(f"{EVENT}roster/<int:number>/erase/", erasing_guests.erase_guest, name="erase_guest"),
]

api_urlpatterns: list[URLPattern] = [
    path("me/data/", api.MyData.as_view(), name="my_data"),
    path("me/data/stay/", api.Stay.as_view(), name="stay"),
]
