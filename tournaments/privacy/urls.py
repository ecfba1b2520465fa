"""URLs for viewing and erasing personal data."""

from django.urls import URLPattern, path

from tournaments.privacy import views
from tournaments.web.urls import EVENT

urlpatterns: list[URLPattern] = [
    path("me/data/", views.my_data, name="my_data"),
    path("me/data/file/", views.my_data_file, name="my_data_file"),
    path("me/stay/", views.extend_stay, name="stay"),
    path("me/erase/", views.erase_self, name="erase_me"),
    path(f"{EVENT}roster/<int:number>/erase/", views.erase_guest, name="erase_guest"),
]
