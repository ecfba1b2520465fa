"""The site with one more address, which answers a constant: what the server and middleware cost.

Settings and URLs of W1: DJANGO_SETTINGS_MODULE and ROOT_URLCONF both name this module.
"""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from config.settings.embedded import *  # noqa: F403

ROOT_URLCONF = __name__


def constant(request: HttpRequest) -> HttpResponse:
    """Two bytes for everybody."""
    return HttpResponse(b"ok", content_type="text/plain")


urlpatterns = [path("constant/", constant), path("", include("config.urls"))]
