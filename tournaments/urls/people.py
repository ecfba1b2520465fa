"""What we keep about you."""

from django.urls import URLPattern, path

from tournaments.views import erasing_guests, my_data

urlpatterns: list[URLPattern] = [
    path("me/data/", my_data.my_data, name="my_data"),
    path("me/data/file/", my_data.my_data_file, name="my_data_file"),
    path("me/stay/", my_data.stay, name="stay"),
    path("me/erase/", my_data.erase_me, name="erase_me"),
    path(
        "events/<slug:slug>/roster/<int:number>/erase/",
        erasing_guests.erase_guest,
        name="erase_guest",
    ),
]
