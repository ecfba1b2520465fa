"""One step of an evening, asked in processes that are watched, killed and started again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import time_machine
from django.core.cache import caches
from django.db import connection

from tests.crashes.children import Ended, break_at, death_at, in_child
from tests.crashes.databases import State, copy_of_the_database, state_of, use
from tests.crashes.moments import watched
from tests.crashes.works import Work
from tests.moments import Watcher
from tournaments import tasks
from tournaments.event import services as event_services
from tournaments.files import services as files_services

NEXT_START, ASKED_AGAIN = timedelta(seconds=4), timedelta(seconds=5)
NOT_OF_THE_EVENT = (
    "tournaments_job",
    "tournaments_apitoken",
    "tournaments_keptanswer",
    "tournaments_latestbackup",
)
EVENTS = "tournaments_tournament"
VERSIONS = ("version", "hall_version")
"""They move with a job that fails, because pages name it."""
DRAWN = ("join_code",)
"""Another one each time the same work is done."""


@dataclass(frozen=True)
class Mended:
    """What the next start made of it, and what came of asking again."""

    after_start: State
    status: int
    after_asking: State


@dataclass(frozen=True)
class Bench:
    """Tries a step on copies of a database that is ready for it. The clock stands at `now`."""

    work: Work
    folder: Path
    now: datetime

    @contextmanager
    def copy(self) -> Iterator[str]:
        """A copy to be broken."""
        with copy_of_the_database(self.folder) as name:
            yield name

    def undisturbed(self) -> dict[str, State]:
        """What is committed at each moment, then at "end", when nobody disturbs."""
        with self.copy() as name:
            states: dict[str, State] = {}

            def look(moment: str) -> None:
                states.setdefault(moment, state_of(name))

            def work() -> dict[str, State]:
                self._ask(name, look)
                return states

            seen: dict[str, State] = in_child(work).said
            seen["end"] = state_of(name)
        for moment in self.work.moments:
            if moment.endswith("+"):
                seen[moment] = seen["end"]
        return seen

    def killed_at(self, moment: str, name: str) -> Ended:
        """The process after it was killed there."""
        return in_child(lambda: self._ask(name, death_at(moment)))

    def broken_at(self, moment: str, name: str) -> int:
        """The status of the answer when the work raises there."""
        return int(in_child(lambda: self._ask(name, break_at(moment))).said)

    def state(self, name: str) -> State:
        """What is committed in a copy."""
        return state_of(name)

    def started_again(self, name: str) -> Mended:
        """The site starts, and the organiser sends what was not answered once more."""

        def work() -> list[object]:
            use(name)
            later = self.now + self.work.left_after
            caches["default"].clear()  # The turn of the dead import is over by then.
            with time_machine.travel(later + NEXT_START, tick=False):
                self._start()
            after_start = state_of(name)
            with time_machine.travel(later + ASKED_AGAIN, tick=False):
                return [after_start, self.work.ask()]

        after_start, status = in_child(work).said
        return Mended(after_start, status, state_of(name))

    def _start(self) -> None:
        """On PostgreSQL others may be at work, and the sweeper looks who is."""
        if connection.vendor == "sqlite":
            event_services.take_over()
        else:
            tasks.sweep_jobs()
        files_services.remove_abandoned_imports()

    def _ask(self, name: str, watcher: Watcher) -> int:
        use(name)
        with watched(watcher), time_machine.travel(self.now, tick=False):
            return self.work.ask()


def all_of(state: State) -> State:
    """Every row, without what is drawn and the moment at which a token was last used."""
    return _without(state, ("tournaments_apitoken",), lambda column: column in DRAWN)


def event_of(state: State, *without: str, has_other_keys: bool = False) -> State:
    """The rows of events, `without` some columns: no jobs, no secrets, no moments.

    PostgreSQL gives no number twice, so what is done once more there has other keys, as has what
    was deleted meanwhile.
    """
    is_numbered_anew = has_other_keys or connection.vendor == "postgresql"
    names = {*DRAWN, *without, "at", *(("id",) if is_numbered_anew else ())}
    endings = ("_at", "_id") if is_numbered_anew else ("_at",)
    return _without(
        state, NOT_OF_THE_EVENT, lambda column: column in names or column.endswith(endings)
    )


def shown_events(state: State) -> list[dict[str, str]]:
    """The events that can be seen: not those of an import that is not complete.

    Keys and addresses are left out: while one is hidden, the next gets others.
    """
    hidden = {row["slug"] for row in state[EVENTS] if row["import_touched_at"] != "None"}
    shown = [row for row in event_of(state)[EVENTS] if row["slug"] not in hidden]
    return [
        {name: text for name, text in row.items() if name not in ("id", "slug")} for row in shown
    ]


def _without(state: State, tables: tuple[str, ...], is_out: Callable[[str], bool]) -> State:
    return {
        table: sorted(
            ({key: row[key] for key in row if not is_out(key)} for row in rows),
            key=lambda row: list(row.values()),
        )
        for table, rows in state.items()
        if table not in tables
    }


def jobs_left(state: State) -> int:
    """Count the unfinished jobs, without backups that wait for the interval of the site."""
    jobs = (row for row in state["tournaments_job"] if row["kind"] != "back_up")
    return sum(row["state"] != "done" for row in jobs)
