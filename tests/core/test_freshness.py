"""Marks: shared by processes, in doubt while somebody writes."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
from django.db import connections, transaction

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


def test_what_is_only_tried_moves_no_mark():
    before = freshness.mark(7)

    with freshness.only_tried(), transaction.atomic():
        freshness.changing(7)
        freshness.changing_everything()
        transaction.set_rollback(True)

    assert freshness.mark(7) == before


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
        marks[freshness._slot(7) + freshness.CHANGER] = 12345

    assert freshness.mark(7) is None


class Interrupted:
    """Marks that are looked at or written so many times before `act` is called."""

    def __init__(self, marks: memoryview, times: int, act: Callable[[], None]) -> None:
        self.marks, self.left, self.act = marks, times, act

    def __getitem__(self, place: int) -> int:
        self._count()
        return int(self.marks[place])

    def __setitem__(self, place: int, value: int) -> None:
        self._count()
        self.marks[place] = value

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.act()


@contextmanager
def interrupted(
    monkeypatch: pytest.MonkeyPatch, times: int, act: Callable[[], None]
) -> Iterator[None]:
    marks = Interrupted(freshness._marks(), times, act)
    with monkeypatch.context() as patch:
        patch.setattr(freshness, "_marks", lambda: marks.marks if marks.left <= 0 else marks)
        yield


class Change:
    """A transaction on another thread, which changes thing 7 when it begins."""

    def __init__(self) -> None:
        self._begun, self._may_end = Event(), Event()
        self._thread = Thread(target=self._run)

    def begin(self) -> None:
        self._thread.start()
        assert self._begun.wait(10)

    def end(self) -> None:
        self._may_end.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            with transaction.atomic():
                freshness.changing(7)
                self._begun.set()
                self._may_end.wait(10)
        finally:
            connections.close_all()


@pytest.mark.parametrize("times", range(1, 5))
def test_a_change_that_begins_while_the_mark_is_read_is_noticed(
    times: int, monkeypatch: pytest.MonkeyPatch
):
    change = Change()

    with interrupted(monkeypatch, times, change.begin):
        seen = freshness.mark(7)
    change.end()

    assert seen is None or freshness.mark(7) != seen


@pytest.mark.parametrize("times", range(4, 7))
def test_a_change_that_begins_while_another_ends_is_noticed(
    times: int, monkeypatch: pytest.MonkeyPatch
):
    change = Change()

    # Three are to begin the change, the others to end it, after the commit.
    with interrupted(monkeypatch, times, change.begin), transaction.atomic():
        freshness.changing(7)
    seen = freshness.mark(7)
    change.end()

    assert seen is None or freshness.mark(7) != seen


def test_the_file_has_all_its_room_from_the_beginning(tmp_path: Path):
    """Else the process would end where the disk is full and a mark is written."""
    freshness.changing(7)

    told = (tmp_path / "freshness").stat()

    assert told.st_blocks * 512 >= told.st_size


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


def test_the_mark_of_several_things_is_another_when_one_of_them_changes():
    before = freshness.mark(7, 8)

    assert freshness.mark(7, 8) == before
    freshness.changing(8)
    assert freshness.mark(7, 8) not in (None, before)
    with transaction.atomic():
        freshness.changing(7, 9)
        assert freshness.mark(7, 8) is None
