"""The addresses of the site, and one that answers a constant: what server and middleware cost."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def constant(request: HttpRequest) -> HttpResponse:
    """Two bytes for everybody."""
    return HttpResponse(b"ok", content_type="text/plain")


urlpatterns = [path("constant/", constant), path("", include("config.urls"))]
