"""Rows in the database of a running site."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from tests.faults.done import ONCE
from tests.faults.organiser import FaultEvents
from tests.live_site import Site

JOBS = """select kind, state, error from tournaments_job
where state <> 'done' and kind <> 'back_up'"""
LOG = """select slug, action from tournaments_logentry
join tournaments_tournament as event on event.id = tournament_id"""


def rows(site: Site, query: str) -> list[tuple[Any, ...]]:
    """Result of a query without parameters in the site's database."""
    if url := site.environment.get("DATABASE_URL"):
        with psycopg.connect(url, autocommit=True) as server:
            return list(server.execute(query.encode()).fetchall())
    file = Path(site.environment["DATAFORT_VAR"]) / "datafort.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.execute(query).fetchall())


def unfinished_jobs(site: Site) -> list[tuple[Any, ...]]:
    """Unfinished jobs, without backups, which may wait until the last backup is old enough."""
    return rows(site, JOBS)


def assert_site_did_all_once(site: Site, events: FaultEvents) -> None:
    """Assert that the twelve actions and their jobs were done exactly once."""
    assert unfinished_jobs(site) == []
    logged = Counter(rows(site, LOG))
    for name, expected in ONCE.items():
        slug = getattr(events, name).path.strip("/").split("/")[-1]
        assert {action: logged[slug, action] for action in expected} == expected, name
