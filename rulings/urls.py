"""Addresses of the rulings. Codes end in a number, so no page hides another."""

from django.urls import path, register_converter

from rulings.models import CODE_PATTERN
from rulings.views import pages, search


class CodeConverter:
    """The code of a ruling, such as "lockjaw-1"."""

    regex = CODE_PATTERN.strip("^$")

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(CodeConverter, "ruling_code")

app_name = "rulings"
urlpatterns = [
    path("", pages.index, name="index"),
    path("search/", search.search, name="search"),
    path("card/<slug:slug>/", pages.card, name="card"),
    path("subject/<slug:slug>/", pages.subject, name="subject"),
    path("<ruling_code:code>/", pages.ruling, name="ruling"),
    path("<ruling_code:code>/v<int:number>/", pages.ruling, name="version"),
]
