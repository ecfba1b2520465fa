"""The site starts on every system."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WITHOUT_UNIX = """
import os, sys
import billiard.compat, random  # Both know Windows by its name, not by what is missing.
sys.modules["fcntl"] = None
del os.fork, os.register_at_fork
import config.wsgi
from django.test import Client
print(Client().get("/offline/").status_code)
"""


def test_the_site_starts_where_there_is_no_fcntl_and_no_fork_as_on_windows(tmp_path: Path):
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "DATAFORT_VAR": str(tmp_path),
    }

    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_UNIX],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )

    assert done.stdout.strip() == "200", done.stderr
