"""Fill the hall and print what came of it: `make hall PHONES=500 MINUTES=10`.

On SQLite, and with TEST_DATABASE_URL and TEST_REDIS_URL answering also on
PostgreSQL and Redis. With --write the figures go into docs/performance.md.
"""

import asyncio
import os
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path

from tests import scaled
from tests.hall import report
from tests.hall.day import Day, Outcome, make_scene, run
from tests.live_site import running_site


def main() -> int:
    """Ends with 1 when something went wrong or took longer than it should."""
    asked = _arguments()
    day = Day(asked.phones, asked.minutes * 60)
    tables, missed = [], []
    for kind in _kinds(asked.on):
        outcome = hall(day, scaled_up=kind == "PostgreSQL and Redis")
        tables.append(report.lines(outcome, day, kind))
        print(*tables[-1], "", sep="\n", flush=True)
        missed += [f"{kind}: {what}" for what in report.goals_missed(outcome)]
    if asked.write:
        report.write(tables)
    print(*missed, sep="\n")
    return int(bool(missed))


def hall(day: Day, *, scaled_up: bool = False) -> Outcome:
    """Start a site, fill it, and measure."""
    for name, url in (("DATABASE_URL", scaled.DATABASE_URL), ("REDIS_URL", scaled.REDIS_URL)):
        if scaled_up:
            os.environ[name] = url
        else:
            os.environ.pop(name, None)
    with (
        tempfile.TemporaryDirectory() as folder,
        # As docs/operations.md starts it: one process on SQLite, two on a server.
        running_site(
            Path(folder),
            workers=2 if scaled_up else 1,
            DATAFORT_LOG_LEVEL="ERROR",
            DATAFORT_FRONT="true",
        ) as site,
    ):
        scene = make_scene(site, day.phones)
        return asyncio.run(run(site, scene, day))


def _kinds(asked: str) -> list[str]:
    kinds = {"sqlite": ["SQLite"], "scaled": ["PostgreSQL and Redis"]}
    if asked in kinds:
        return kinds[asked]
    if reasons := scaled.missing():
        print("Measured on SQLite alone.", *reasons, sep="\n")
        return kinds["sqlite"]
    return kinds["sqlite"] + kinds["scaled"]


def _arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--on", choices=("both", "sqlite", "scaled"), default="both")
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
