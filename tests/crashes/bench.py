"""Run one step of an event in child processes that are watched, killed and restarted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import time_machine
from django.core.cache import caches
from django.db import connection

from tests.crashes.children import ChildResult, break_at, death_at, in_child
from tests.crashes.databases import State, copy_of_the_database, state_of, use_database
from tests.crashes.moments import watch_moments
from tests.crashes.works import Work
from tests.moments import Watcher
from tournaments import tasks
from tournaments.event import services as event_services
from tournaments.files import services as files_services

NEXT_START, RETRY = timedelta(seconds=4), timedelta(seconds=5)
TABLES_BESIDE_THE_EVENT = (
    "tournaments_job",
    "tournaments_apitoken",
    "tournaments_keptanswer",
    "tournaments_latestbackup",
)
EVENTS = "tournaments_tournament"
VERSION_COLUMNS = ("version", "hall_version")
"""Columns that a failed job changes too, because pages show its failure."""
RANDOM_COLUMNS = ("join_code",)
"""Columns with a new random value every time the work is done."""


@dataclass(frozen=True)
class RestartOutcome:
    """State after the restart, and the status and state after the retry."""

    after_start: State
    status: int
    after_retry: State


@dataclass(frozen=True)
class Bench:
    """Runs a step on copies of a prepared database; the clock is set to `now`."""

    work: Work
    folder: Path
    now: datetime

    @contextmanager
    def copy(self) -> Iterator[str]:
        with copy_of_the_database(self.folder) as name:
            yield name

    def states_without_faults(self) -> dict[str, State]:
        """Committed state at each moment, and at the "end", without faults."""
        with self.copy() as name:
            states: dict[str, State] = {}

            def record_state(moment: str) -> None:
                states.setdefault(moment, state_of(name))

            def run_work() -> dict[str, State]:
                self._send(name, record_state)
                return states

            states_seen: dict[str, State] = in_child(run_work).value
            states_seen["end"] = state_of(name)
        for moment in self.work.moments:
            if moment.endswith("+"):
                states_seen[moment] = states_seen["end"]
        return states_seen

    def kill_at_moment(self, moment: str, name: str) -> ChildResult:
        return in_child(lambda: self._send(name, death_at(moment)))

    def raise_at_moment(self, moment: str, name: str) -> int:
        """Raise an error at a moment, and return the status of the response."""
        return int(in_child(lambda: self._send(name, break_at(moment))).value)

    def state(self, name: str) -> State:
        """Committed state of a copy."""
        return state_of(name)

    def restart(self, name: str) -> RestartOutcome:
        """Start the site, and send the unanswered request again."""

        def run_work() -> list[object]:
            use_database(name)
            restart_time = self.now + self.work.abandoned_after
            caches["default"].clear()  # The dead import's turn has expired by then.
            with time_machine.travel(restart_time + NEXT_START, tick=False):
                self._start()
            after_start = state_of(name)
            with time_machine.travel(restart_time + RETRY, tick=False):
                return [after_start, self.work.send()]

        after_start, status = in_child(run_work).value
        return RestartOutcome(after_start, status, state_of(name))

    def _start(self) -> None:
        """Recover jobs as a starting site does; on PostgreSQL, the sweeper does it."""
        if connection.vendor == "sqlite":
            event_services.take_over()
        else:
            tasks.sweep_jobs()
        files_services.remove_abandoned_imports()

    def _send(self, name: str, watcher: Watcher) -> int:
        use_database(name)
        with watch_moments(watcher), time_machine.travel(self.now, tick=False):
            return self.work.send()


def without_random_values(state: State) -> State:
    """Every row, without random values and the last use of tokens."""
    return _without(state, ("tournaments_apitoken",), lambda column: column in RANDOM_COLUMNS)


def event_rows(state: State, *without: str, has_other_keys: bool = False) -> State:
    """Rows of events, without some columns, jobs, secrets and times.

    PostgreSQL never reuses a sequence number, so repeated work has other keys there, as have rows
    that were deleted in between.
    """
    is_numbered_anew = has_other_keys or connection.vendor == "postgresql"
    names = {*RANDOM_COLUMNS, *without, "at", *(("id",) if is_numbered_anew else ())}
    endings = ("_at", "_id") if is_numbered_anew else ("_at",)
    return _without(
        state, TABLES_BESIDE_THE_EVENT, lambda column: column in names or column.endswith(endings)
    )


def visible_events(state: State) -> list[dict[str, str]]:
    """Visible events, without those of an incomplete import.

    Keys and slugs are left out: while an event is hidden, the next gets others.
    """
    hidden = {row["slug"] for row in state[EVENTS] if row["import_touched_at"] != "None"}
    visible = [row for row in event_rows(state)[EVENTS] if row["slug"] not in hidden]
    return [
        {name: text for name, text in row.items() if name not in ("id", "slug")} for row in visible
    ]


def _without(state: State, tables: tuple[str, ...], is_excluded: Callable[[str], bool]) -> State:
    return {
        table: sorted(
            ({key: row[key] for key in row if not is_excluded(key)} for row in rows),
            key=lambda row: list(row.values()),
        )
        for table, rows in state.items()
        if table not in tables
    }


def count_unfinished_jobs(state: State) -> int:
    """Count unfinished jobs, except backups, which wait for their interval."""
    jobs = (row for row in state["tournaments_job"] if row["kind"] != "back_up")
    return sum(row["state"] != "done" for row in jobs)
