"""The few threads of a web process that work on requests; the many of the server wait for them.

Work in Python takes turns on one core anyway: with many at once each is late, and all are slower
for the changing of turns. So one worker is at work at a time, and another only begins when that
one takes long. A thread that waits costs nothing and holds no connection to the database, so there
are never more connections than workers.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from enum import Enum
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Thread, local
from time import monotonic
from typing import Any, TypeAlias

from core.methods import SAFE_METHODS

FOR_MANY = "datafort.for_many"
"""Where a request says that many wait for its answer."""
SLOW = 0.05
"""Seconds for which a piece of work has the others wait; most are done sooner."""

Environ: TypeAlias = dict[str, Any]
Application: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Work: TypeAlias = Callable[[], Iterable[bytes]]
Task: TypeAlias = tuple[Work, "Future[Iterable[bytes]]"]


class Patience(float, Enum):
    """By how many seconds others may have come later and be first all the same.

    Who writes waits for nobody who came later. A page for many is made again and again while a
    hall writes. Who looks for themselves alone gives way for as long as a phone rests between two
    polls.
    """

    TO_WRITE = 0.0
    TO_SHOW_MANY = 1.0
    TO_LOOK = 5.0


class Crew:
    """So many workers at most; tasks wait in the order in which the patience of each ends."""

    def __init__(self, workers: int, slow: float = SLOW) -> None:
        self._changed = Condition()
        self._to_hire, self._idle, self._watching = workers, 0, 0
        self._slow = slow
        self._numbers = count()
        self._waiting: list[tuple[float, int, Task]] = []
        self._newest: Task | None = None
        self._slow_at = 0.0

    def do(self, work: Work, patience: float) -> Iterable[bytes]:
        """What `work` answers, or raises, in the thread of a worker."""
        task = work, Future[Iterable[bytes]]()
        with self._changed:
            heappush(self._waiting, (monotonic() + patience, next(self._numbers), task))
            self._call()
        return task[1].result()

    def _call(self) -> None:
        """See to it that somebody begins what waits, as soon as that may be."""
        if not self._waiting or (self._watching and self._seconds_to_wait() > 0):
            return
        if self._idle:
            self._changed.notify()
        elif self._to_hire:
            # Counted when it has started: it waits for the lock that is held here.
            Thread(target=self._work, daemon=True, name="crew").start()
            self._to_hire -= 1
            self._idle += 1

    def _seconds_to_wait(self) -> float:
        """Until another one may begin: 0 or less when the newest work is done, or slow."""
        return 0.0 if self._newest is None else self._slow_at - monotonic()

    def aside(self, task: Task) -> None:
        """Whoever has this task has the others wait no more."""
        with self._changed:
            if self._newest is task:
                self._newest = None
                self._call()

    def _work(self) -> None:
        while True:
            task = self._next()
            _here.at_work = self, task
            work, told = task
            try:
                told.set_result(work())
            except BaseException as error:  # noqa: BLE001 - the thread that waits is told
                told.set_exception(error)
            with self._changed:
                self._idle += 1
                if self._newest is task:
                    self._newest = None
            # The next one may be long in coming; nothing is kept alive until then.
            del task, work, told, _here.at_work

    def _next(self) -> Task:
        with self._changed:
            while not self._waiting or self._seconds_to_wait() > 0:
                self._wait()
            self._idle -= 1
            self._newest = heappop(self._waiting)[2]
            self._slow_at = monotonic() + self._slow
            self._call()
            return self._newest

    def _wait(self) -> None:
        """Until there is something to do; one of those who wait watches whether it is slow."""
        if not self._waiting:
            self._changed.wait()
            return
        self._watching += 1
        self._changed.wait(self._seconds_to_wait())
        self._watching -= 1


_here = local()


def is_at_work() -> bool:
    """Whether this thread is one of a crew, with something to do."""
    return hasattr(_here, "at_work")


def step_aside() -> None:
    """Said by who from now on only waits: the next worker begins meanwhile."""
    at_work: tuple[Crew, Task] | None = getattr(_here, "at_work", None)
    if at_work is not None:
        crew, task = at_work
        crew.aside(task)


def crewed(application: Application, workers: int, slow: float = SLOW) -> Application:
    """The application, asked by so many threads at most and always the same ones.

    Who writes comes first, then who asks for many, then who only looks: see Patience. What is not
    done after `slow` seconds has the others wait no more.
    """
    crew = Crew(workers, slow)

    def by_the_crew(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        told: list[tuple[Any, ...]] = []
        answer = crew.do(
            lambda: application(environ, lambda *head: told.append(head)),
            _patience_of(environ),
        )
        # A server may want to be told by the thread that it has asked.
        start_response(*told[-1])
        return answer

    return by_the_crew


def _patience_of(environ: Environ) -> Patience:
    if FOR_MANY in environ:
        return Patience.TO_SHOW_MANY
    return Patience.TO_LOOK if environ["REQUEST_METHOD"] in SAFE_METHODS else Patience.TO_WRITE
