"""Marks: shared by processes, in doubt while somebody writes."""

import multiprocessing
from pathlib import Path

import pytest
from django.db import transaction

from core import freshness
from tests.core.fronting import own_marks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _own_marks(tmp_path: Path):
    with own_marks(tmp_path):
        yield


def test_a_mark_stays_until_the_thing_is_changed():
    before = freshness.mark(7)

    assert before is not None
    assert freshness.mark(7) == before
    freshness.changing(7)
    assert freshness.mark(7) not in (None, before)


def test_other_things_keep_their_marks():
    before = freshness.mark(8)

    freshness.changing(7)

    assert freshness.mark(8) == before


def test_everything_is_marked_anew_at_once():
    before = [freshness.mark(thing) for thing in (7, 8)]

    freshness.changing_everything()

    assert not set(before) & {freshness.mark(thing) for thing in (7, 8)}


def test_nothing_has_a_mark_while_a_transaction_changes_it():
    with transaction.atomic():
        freshness.changing(7)
        assert freshness.mark(7) is None
    assert freshness.mark(7) is not None


def test_what_is_rolled_back_stays_in_doubt_for_a_minute(time_machine):
    time_machine.move_to("2026-11-22T10:00:00Z", tick=False)
    with transaction.atomic():
        freshness.changing(7)
        transaction.set_rollback(True)

    assert freshness.mark(7) is None
    time_machine.shift(freshness.IN_DOUBT_SECONDS + 1)
    assert freshness.mark(7) is not None


def test_the_end_of_one_change_does_not_end_the_doubt_of_the_next():
    with transaction.atomic():
        freshness.changing(7)
        # Another process begins before this one has told that it is through.
        marks = freshness._marks()
        marks[freshness._slot(7)] = 12345

    assert freshness.mark(7) is None


def _change_elsewhere(folder: Path) -> None:
    with own_marks(folder):
        freshness.changing(7)


def test_another_process_sees_the_change(tmp_path: Path):
    before = freshness.mark(7)

    other = multiprocessing.get_context("fork").Process(target=_change_elsewhere, args=(tmp_path,))
    other.start()
    other.join()

    assert other.exitcode == 0
    assert freshness.mark(7) not in (None, before)


def test_without_a_front_nothing_is_written(settings, tmp_path: Path):
    settings.FRONT = False
    settings.VAR_DIR = tmp_path / "nothing"

    freshness.changing(7)

    assert not settings.VAR_DIR.exists()
