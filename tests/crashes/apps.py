"""The app that kills the processes of a served site, for tests.crashes.settings."""

import os
from contextlib import ExitStack
from pathlib import Path

from django.apps import AppConfig

from tests.crashes.children import death_at_moment_in


class CrashesConfig(AppConfig):
    """Kill the process at the moment named in the file DATAFORT_DEATH.

    A moment that ends with "!" kills every time, other moments once.
    """

    name = "tests.crashes"

    def ready(self) -> None:
        from tests.crashes.moments import watch_moments  # needs the models

        # Never closed: moments are watched for the lifetime of the process.
        self.watching = ExitStack()
        self.watching.enter_context(
            watch_moments(death_at_moment_in(Path(os.environ["DATAFORT_DEATH"])))
        )
