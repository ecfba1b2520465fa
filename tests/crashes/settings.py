"""The site as it is served, with the app that may kill it: for processes a test starts."""

from config.settings.embedded import *  # noqa: F403
from config.settings.embedded import INSTALLED_APPS, STORAGES

# Nothing is collected: no page of these tests asks for a picture.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
INSTALLED_APPS = [*INSTALLED_APPS, "tests.crashes"]
