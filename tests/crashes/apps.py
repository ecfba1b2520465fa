"""The app that kills the processes of a served site, for tests.crashes.settings."""

import os
from contextlib import ExitStack
from pathlib import Path

from django.apps import AppConfig

from tests.crashes.children import death_named_in


class CrashesConfig(AppConfig):
    """DATAFORT_DEATH names a file; the process that comes to the moment written in there dies.

    A moment that ends with "!" is deadly every time, any other one once.
    """

    name = "tests.crashes"

    def ready(self) -> None:
        from tests.crashes.moments import watched  # needs the models

        # Never closed: the moments are watched as long as the process lives.
        self.watching = ExitStack()
        self.watching.enter_context(watched(death_named_in(Path(os.environ["DATAFORT_DEATH"]))))
