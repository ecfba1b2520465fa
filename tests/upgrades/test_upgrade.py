"""A filled database of an earlier release, upgraded to this release."""

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
    """An empty database of the kind this run uses; SQLite in memory."""
    url = os.environ.get("DATABASE_URL")
    with fresh_database(url) if url else nullcontext("sqlite://:memory:") as database:
        settings = {"DJANGO_SETTINGS_MODULE": "config.settings.test", "DATABASE_URL": database}
        yield {**os.environ, **settings}


def run_upgrade(state: str, environment: dict[str, str]) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.upgrades", state]
    process = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    report: dict[str, Any] = json.loads(process.stdout)
    return report


def lost_rows(before: dict[str, int], after: dict[str, int]) -> dict[str, tuple[int, int | None]]:
    """Tables that have fewer rows than before, or are gone."""
    return {
        table: (rows, after.get(table))
        for table, rows in before.items()
        if after.get(table, -1) < rows
    }


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_upgrade_loses_no_row_and_is_reversible_and_readable_by_old_code(
    state: str, environment, figure
):
    report = run_upgrade(state, environment)

    assert report["empty"] == []
    assert lost_rows(report["before"], report["after"]) == {}
    assert report["left_to_do"] == []
    assert report["in_clear"] == []
    if state == "before":
        # During the upgrade, other processes still run the old code, and must be able to read.
        assert report["unreadable"] == []
        assert lost_rows(report["before"], report["back"]) == {}
    rows = sum(report["before"].values())
    figure(
        f"{state}: {rows} rows in {len(report['before'])} tables, 0 lost, in {report['seconds']} s"
    )
