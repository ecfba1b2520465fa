"""Production settings with the app that may kill the site, for processes started by tests."""

from config.settings.embedded import *  # noqa: F403
from config.settings.embedded import INSTALLED_APPS, STORAGES

# Static files are not collected: no page of these tests loads one.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
INSTALLED_APPS = [*INSTALLED_APPS, "tests.crashes"]
