"""The site as it is served, with somebody in it who may kill it: for processes a test starts.

DATAFORT_DEATH names a file; the process that comes to the moment written in there dies. A moment
that ends with "!" is deadly every time, any other one once.
"""

from pathlib import Path

from config.settings.embedded import *  # noqa: F403
from config.settings.embedded import STORAGES
from config.settings.environment import env
from core import pause_points
from tests.crashes.children import death_named_in

# Nothing is collected: no page of these tests asks for a picture.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
pause_points.watchers.append(death_named_in(Path(env("DATAFORT_DEATH"))))
