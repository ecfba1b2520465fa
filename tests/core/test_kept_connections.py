"""A connection to SQLite that a thread keeps is to the file that stands there now."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from core.sqlite3.base import DatabaseWrapper

FILE = "kept.sqlite3"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[DatabaseWrapper]:
    """A connection that lasts, as sites keep it."""
    said = {**connection.settings_dict, "NAME": str(tmp_path / FILE), "OPTIONS": {}}
    wrapper = DatabaseWrapper({**said, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": False})
    # It shares the alias of the one for tests, which alone may be asked.
    wrapper.inc_thread_sharing()
    yield wrapper
    wrapper.close()


def write(file: Path, word: str) -> None:
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE said (word)")
        database.execute("INSERT INTO said VALUES (?)", [word])
    database.close()


def said(wrapper: DatabaseWrapper) -> str:
    with wrapper.cursor() as cursor:
        return str(cursor.execute("SELECT word FROM said").fetchone()[0])


@pytest.mark.django_db
def test_it_lasts_from_request_to_request(kept: DatabaseWrapper, tmp_path: Path):
    write(tmp_path / FILE, "one")
    kept.connect()
    first = kept.connection

    kept.close_if_unusable_or_obsolete()

    assert kept.connection is first


@pytest.mark.django_db
def test_a_backup_put_in_place_of_the_file_is_what_the_next_request_reads(
    kept: DatabaseWrapper, tmp_path: Path
):
    write(tmp_path / FILE, "one")
    assert said(kept) == "one"
    write(tmp_path / "restored", "another")

    (tmp_path / "restored").replace(tmp_path / FILE)
    kept.close_if_unusable_or_obsolete()

    assert said(kept) == "another"
