"""What stands in the database of a site that runs beside the test."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from tests.faults.done import ONCE
from tests.faults.organiser import Evening
from tests.live_site import Site

JOBS = """select kind, state, error from tournaments_job
where state <> 'done' and kind <> 'back_up'"""
LOG = """select slug, action from tournaments_logentry
join tournaments_tournament as event on event.id = tournament_id"""


def rows(site: Site, query: str) -> list[tuple[Any, ...]]:
    """The answer of the site's own database to a query without parameters."""
    if url := site.environment.get("DATABASE_URL"):
        with psycopg.connect(url, autocommit=True) as server:
            return list(server.execute(query.encode()).fetchall())
    file = Path(site.environment["DATAFORT_VAR"]) / "datafort.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.execute(query).fetchall())


def jobs_left(site: Site) -> list[tuple[Any, ...]]:
    """Jobs that are not done. A backup may wait until the last one of the site is old enough."""
    return rows(site, JOBS)


def assert_all_is_done_at(site: Site, night: Evening) -> None:
    """The twelve actions have happened, each once, and so have their jobs."""
    assert jobs_left(site) == []
    logged = Counter(rows(site, LOG))
    for name, expected in ONCE.items():
        slug = getattr(night, name).path.strip("/").split("/")[-1]
        assert {action: logged[slug, action] for action in expected} == expected, name
