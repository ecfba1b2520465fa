"""Measure everything, print it, and write docs/dev/performance.md: `make bench`.

With --quick, samples are small and nothing is written.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from functools import partial

import django

from tools.bench.database import on_a_database
from tools.bench.figures import Figure


def main() -> int:
    """Run all benchmarks for some minutes; return 1 if a goal is missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    quick = "--quick" in sys.argv
    figures = list(_printed(_all(quick)))
    if not quick:
        from tools.bench import report

        report.write(figures)
    return int(any(figure.met is False for figure in figures))


def _all(quick: bool) -> Iterator[Figure]:
    from tools.bench import (
        action,
        clinch,
        decks,
        large_site,
        locks,
        look_ahead,
        memory,
        optimum,
        pages,
        pairing,
        rulings,
        season,
        serving,
        standings,
        starting,
        stranger,
    )

    yield from on_a_database(decks.figures)
    yield from on_a_database(rulings.figures)
    yield from on_a_database(pages.figures)
    yield from on_a_database(partial(season.figures, *(season.FEW if quick else season.LARGE)))
    yield from large_site.in_a_process_of_its_own(is_quick=quick)
    yield from serving.figures()
    yield from stranger.figures()
    yield from standings.figures()
    yield from clinch.figures(1 if quick else clinch.EVENTS)
    yield from starting.figures()
    yield from on_a_database(action.figures)
    yield from on_a_database(action.clicks)
    yield from on_a_database(partial(locks.figures, largest=not quick))
    yield from memory.figures()
    yield from pairing.figures()
    yield from optimum.figures(range(60 if quick else 1000), sizes=(8, 200))
    yield from look_ahead.figures(2 if quick else 10)


def _printed(figures: Iterable[Figure]) -> Iterator[Figure]:
    for figure in figures:
        print(*figure.cells, sep=" | ", flush=True)
        yield figure


if __name__ == "__main__":
    sys.exit(main())
