"""Figures measured on a test database."""

import os
import sys
from collections.abc import Callable, Iterator

import django
from django.test.runner import DiscoverRunner

from tools.bench.figures import Figure

Measure = Callable[[], Iterator[Figure]]


def on_a_database(measure: Measure) -> Iterator[Figure]:
    """Measure on a new database, which is removed at the end. Requires django.setup()."""
    runner = DiscoverRunner(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    try:
        yield from measure()
    finally:
        runner.teardown_databases(databases)


def print_measured(measure: Measure) -> None:
    """Set up Django, measure on a new database and print the figures, one per line.

    Missed goals are listed on standard error.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    missed = []
    for figure in on_a_database(measure):
        print(*figure.cells, sep=" | ", flush=True)
        if figure.met is False:
            missed.append(figure.words)
    print("Missed:", "; ".join(missed) or "no goal", file=sys.stderr)
