"""Commands load only what they need, and the site and its tools start on any system."""

import os
import subprocess
import sys

import pytest

from config.settings.base import CELERY_BEAT_SCHEDULE
from engine.documents.json_text import write_json
from tests.engine.documents.builders import bye, event, table
from tests.live_site import ROOT

EVENT = write_json(event([table(1, (1, 20), (2, 4)), bye(3, 20)], players=3))
RUN = """
import sys
from config.command_line import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""
PAGES = {"config.urls", "rest_framework.views", "allauth.account.views"}
SLOW = {"scipy", "numpy", "celery", "icalendar"}
MATCHING = {"rustworkx"}
CHOSEN = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL"}
APPS = {"django.db.models", "config.settings.base"}
WITHOUT_UNIX = """
import os, sys, threading
import billiard.compat, random  # Both know Windows by its name, not by what is missing.
sys.modules["fcntl"] = None
del os.fork, os.register_at_fork
import config.wsgi, core.management.commands.serve
from django.test import Client
loaded = set(sys.modules)
tickers = [one for one in threading.enumerate() if one.name.startswith("ticker")]
status = Client().get(sys.argv[1]).status_code
late = [name for name in sys.modules.keys() - loaded if name.endswith("urls")]
print(status, len(tickers), *late)
"""


def loaded_modules(*words: str, stdin: bytes, folder: str) -> set[str]:
    """Return the modules in memory at the end of a command."""
    bare = {name: value for name, value in os.environ.items() if name not in CHOSEN}
    process = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=ROOT,
        env={**bare, "DATAFORT_VAR": folder},
        input=stdin,
        capture_output=True,
    )
    assert process.stdout, process.stderr.decode()[-2000:]
    return set(process.stderr.decode().split())


@pytest.mark.parametrize(
    ("command", "stdin", "unwanted"),
    [
        ("engine pair", EVENT, PAGES | SLOW | APPS),
        ("engine standings", EVENT, PAGES | SLOW | APPS | MATCHING),
        ("check_deck - --game anr", b"1x Noise: Hacker Extraordinaire", PAGES | SLOW | MATCHING),
        ("--help", b"", PAGES | SLOW | MATCHING),
    ],
)
def test_command_loads_only_required_modules(command, stdin, unwanted, tmp_path):
    needless = loaded_modules(*command.split(), stdin=stdin, folder=str(tmp_path)) & unwanted

    assert needless == set()


@pytest.mark.parametrize(
    ("settings", "page", "tickers"),
    [
        ("test", "/offline/", 0),
        # Simulate Windows, except for static files, which pages need.
        ("embedded", "/livez", len(CELERY_BEAT_SCHEDULE)),
    ],
)
def test_site_starts_without_fcntl_and_fork_as_on_windows(settings, page, tickers, tmp_path):
    bare = {name: value for name, value in os.environ.items() if name not in CHOSEN}
    environment = {
        "DJANGO_SETTINGS_MODULE": f"config.settings.{settings}",
        "DATAFORT_VAR": str(tmp_path),
    }

    process = subprocess.run(
        [sys.executable, "-c", WITHOUT_UNIX, page],
        cwd=ROOT,
        env={**bare, **environment},
        capture_output=True,
        text=True,
    )

    assert process.stdout.strip() == f"200 {tickers}", process.stderr


def test_each_tool_can_be_imported():
    bare = {name: value for name, value in os.environ.items() if "DJANGO" not in name}
    names = ("attack.requests", "attack.sockets", "bench.__main__", "load.__main__", "screenshots")
    tools = f"import {', '.join(f'tools.{name}' for name in names)}"

    subprocess.run([sys.executable, "-c", tools], cwd=ROOT, env=bare, check=True)
