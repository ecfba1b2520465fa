"""A database of an earlier release, every table filled, brought up to the release of now."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from tests.live_site import ROOT, fresh_database
from tests.upgrades.releases import STATES

pytestmark = [pytest.mark.check(37), pytest.mark.goal("G14")]


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    """An empty database of the kind the suite runs on; of SQLite one in memory."""
    url = os.environ.get("DATABASE_URL")
    with fresh_database(url) if url else nullcontext("sqlite://:memory:") as database:
        settings = {"DJANGO_SETTINGS_MODULE": "config.settings.test", "DATABASE_URL": database}
        yield {**os.environ, **settings}


def upgraded(state: str, environment: dict[str, str]) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.upgrades", state]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def lost(before: dict[str, int], after: dict[str, int]) -> dict[str, tuple[int, int | None]]:
    """The tables that have fewer rows than before, or are gone."""
    return {
        table: (rows, after.get(table))
        for table, rows in before.items()
        if after.get(table, -1) < rows
    }


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_an_upgrade_loses_no_row_is_read_by_code_of_before_and_can_be_taken_back(
    state: str, environment, figure
):
    report = upgraded(state, environment)

    assert report["empty"] == []
    assert lost(report["before"], report["after"]) == {}
    assert report["left_to_do"] == []
    assert report["in_clear"] == []
    if state == "before":
        # While the other processes still run the code of before, they go on reading.
        assert report["unreadable"] == []
        assert lost(report["before"], report["back"]) == {}
    rows = sum(report["before"].values())
    figure(
        f"{state}: {rows} rows in {len(report['before'])} tables, 0 lost, in {report['seconds']} s"
    )
