"""PostgreSQL ends in an instant: whatever was answered is there again.

As with a cut of power, but for the cache of the operating system, which outlives it here.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.faults.organiser import create_event
from tests.faults.servers import OwnPostgresql, own_postgresql, postgresql_programs
from tests.faults.troubled import organiser_of
from tests.live_site import running_site

pytestmark = [
    pytest.mark.check(32),
    pytest.mark.goal("G5"),
    pytest.mark.skipif(
        not (os.environ.get("DATABASE_URL") and postgresql_programs()),
        reason="needs the programs of a PostgreSQL",
    ),
]
CUTS = 5
LAZY = "-c wal_writer_delay=10s"
"""What nobody waits for stays in memory for so long."""


@pytest.fixture
def lazy_postgresql() -> Iterator[OwnPostgresql]:
    """A PostgreSQL of this test alone, which by itself brings nothing to the disk."""
    with own_postgresql(LAZY) as server:
        yield server


def cut_the_power(server: OwnPostgresql) -> None:
    server.stop()
    server.start()


def test_what_was_answered_outlives_a_cut(
    tmp_path: Path, lazy_postgresql: OwnPostgresql, figure
) -> None:
    with running_site(tmp_path, DATABASE_URL=lazy_postgresql.url) as site:
        organiser = organiser_of(site)
        for _ in range(CUTS):
            desk = create_event(organiser)
            cut_the_power(lazy_postgresql)
            assert organiser.open(f"{desk.path}desk/").status == 200
    figure(
        f"PostgreSQL cut off {CUTS} times, each time after an answer: 0 of {CUTS} events missing"
    )


def test_what_waited_for_no_disk_is_lost_there(lazy_postgresql: OwnPostgresql) -> None:
    """So the test above would tell of answers that do not wait."""
    with psycopg.connect(lazy_postgresql.url, autocommit=True) as connection:
        connection.execute("create table told (word text)")
        connection.execute("set synchronous_commit = off")
        connection.execute("insert into told values ('gone')")
        lazy_postgresql.stop()
    lazy_postgresql.start()

    with psycopg.connect(lazy_postgresql.url) as connection:
        assert connection.execute("select * from told").fetchall() == []
