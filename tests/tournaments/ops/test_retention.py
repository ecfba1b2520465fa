"""Retention of backups: hourly, daily, weekly."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from core import backups
from core.backups import Retention

pytestmark = pytest.mark.check(38)

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SHOP = Retention(hours=24, days=14, weeks=8)


def add(folder: Path, moments: Iterable[datetime]) -> None:
    for moment in moments:
        (folder / f"{moment.strftime(backups.NAME_FORMAT)}.sqlite3.gz").touch()


def ages_kept(folder: Path, unit: timedelta, moment: datetime = NOON) -> list[float]:
    return [(moment - backup.began_at) / unit for backup in backups.backups_in(folder)]


def run_site(folder: Path, begin: datetime, every: timedelta, times: int) -> datetime:
    """Make backups at a steady interval; return the time of the last."""
    moment = begin
    for turn in range(times):
        moment = begin + turn * every
        add(folder, [moment])
        backups.delete_old(folder, moment, SHOP)
    return moment


def test_day_of_backups_leaves_one_per_hour_and_the_newest_three(tmp_path: Path):
    end = run_site(tmp_path, NOON - timedelta(hours=23), timedelta(minutes=10), 23 * 6)

    minutes = ages_kept(tmp_path, timedelta(minutes=1), end)

    assert end.minute == 50
    assert minutes == [0, 10, 20, *range(60, 23 * 60, 60)]


def test_months_of_backups_leave_days_and_weeks(tmp_path: Path):
    end = run_site(tmp_path, NOON - timedelta(days=70), timedelta(hours=1), 70 * 24)

    days = ages_kept(tmp_path, timedelta(days=1), end)

    assert len(days) <= 24 + 14 + 8
    assert sum(age < 1 for age in days) == 24
    daily = [age for age in days if 1 <= age < 14]
    assert all(0.9 < later - age < 1.1 for age, later in pairwise(daily[1:]))
    weekly = [age for age in days if age >= 14]
    assert [round(later - age) for age, later in pairwise(weekly)] == [7] * 5
    assert max(days) < 56


def test_burst_deletes_no_older_backup(tmp_path: Path):
    days = [NOON - timedelta(days=days) for days in range(1, 57)]
    add(tmp_path, days)
    backups.delete_old(tmp_path, NOON, SHOP)
    before = {backup.path for backup in backups.backups_in(tmp_path)}

    run_site(tmp_path, NOON, timedelta(seconds=1), 58)

    stored = {backup.path for backup in backups.backups_in(tmp_path)}
    assert before <= stored
    assert len(stored - before) == 3


def test_newest_three_stay_at_any_age(tmp_path: Path):
    add(tmp_path, (NOON - timedelta(days=400, minutes=minutes) for minutes in range(5)))

    backups.delete_old(tmp_path, NOON, SHOP)

    minutes = ages_kept(tmp_path, timedelta(minutes=1), NOON - timedelta(days=400))
    assert minutes == [0, 1, 2]


def test_clock_a_year_ahead_leaves_earlier_days(tmp_path: Path):
    add(tmp_path, (NOON - timedelta(days=days) for days in range(10)))

    run_site(tmp_path, NOON + timedelta(days=365), timedelta(minutes=10), 30)

    days = ages_kept(tmp_path, timedelta(days=1))
    assert [age for age in days if age >= 0] == [0, 1]
    assert len(days) > 5


def test_clock_that_is_behind_deletes_no_later_backups(tmp_path: Path):
    days = [NOON - timedelta(days=days) for days in range(10)]
    add(tmp_path, days)

    backups.delete_old(tmp_path, datetime(2020, 1, 1, tzinfo=UTC), SHOP)

    assert len(backups.backups_in(tmp_path)) == 10


def test_files_of_the_operator_stay(tmp_path: Path):
    names = ("notes.gz", "datafort-2026-09-24Z.sql.gz", "datafort-20200101.sqlite3.gz")
    for name in names:
        (tmp_path / name).touch()
    add(tmp_path, (NOON - timedelta(days=days) for days in range(400, 404)))

    backups.delete_old(tmp_path, NOON, SHOP)

    assert all((tmp_path / name).exists() for name in names)
    assert len(backups.backups_in(tmp_path)) == 3


@pytest.mark.parametrize(
    ("hours", "days", "weeks", "longest"),
    [(24, 14, 8, 57), (24, 30, 0, 31), (2000, 1, 0, 85), (0, 1, 0, 2)],
)
def test_erased_data_is_in_backups_until_the_longest_series_ends(
    settings, tmp_path: Path, hours: int, days: int, weeks: int, longest: int
):
    settings.BACKUP_FOLDER = str(tmp_path)
    settings.BACKUP_HOURS, settings.BACKUP_DAYS, settings.BACKUP_WEEKS = hours, days, weeks
    assert backups.days_in_backups() == longest

    settings.BACKUP_FOLDER = ""
    assert backups.days_in_backups() == 0
