"""The URLs of the site, and one that returns a constant, to measure server and middleware."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def constant(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"ok", content_type="text/plain")


urlpatterns = [path("constant/", constant), path("", include("config.urls"))]
