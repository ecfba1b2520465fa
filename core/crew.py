"""The few threads of a web process that work on requests; the many of the server wait for them.

Work in Python takes turns on one core anyway: with many at once each is late. A thread that waits
costs nothing and holds no connection to the database, so there are never more connections than
workers, and what core.front answers passes by all who wait.
"""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from enum import IntEnum
from threading import Condition, Thread
from typing import Any, TypeAlias

FOR_MANY = "datafort.for_many"
"""Where a request says that many wait for its answer."""
Environ: TypeAlias = dict[str, Any]
Application: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Work: TypeAlias = Callable[[], Iterable[bytes]]
Task: TypeAlias = tuple[Work, "Future[Iterable[bytes]]"]

LOOKS = ("GET", "HEAD", "OPTIONS")


class Line(IntEnum):
    """Where tasks wait: what many wait for, what is written, what one looks at."""

    MANY, WRITES, LOOKS = range(3)


TURNS = (
    (Line.MANY, Line.WRITES, Line.LOOKS),
    (Line.WRITES, Line.MANY, Line.LOOKS),
    (Line.MANY, Line.WRITES, Line.LOOKS),
    (Line.LOOKS, Line.MANY, Line.WRITES),
)
"""Which line comes first at each turn, and then which; so none is kept out by another."""


class Crew:
    """So many workers; tasks wait in three lines, in each in their order."""

    def __init__(self, workers: int) -> None:
        self._changed = Condition()
        self._to_hire, self._idle, self._taken = workers, 0, 0
        self._lines: tuple[deque[Task], ...] = tuple(deque() for _ in Line)

    def do(self, work: Work, line: Line) -> Iterable[bytes]:
        """What `work` answers, or raises, in the thread of a worker."""
        task = work, Future[Iterable[bytes]]()
        with self._changed:
            self._lines[line].append(task)
            if self._to_hire and sum(map(len, self._lines)) > self._idle:
                self._to_hire -= 1
                Thread(target=self._work, daemon=True, name="crew").start()
            self._changed.notify()
        return task[1].result()

    def _work(self) -> None:
        while True:
            work, told = self._next()
            try:
                answer = work()
            except BaseException as error:  # noqa: BLE001 - the thread that waits is told
                told.set_exception(error)
            else:
                told.set_result(answer)
            # The next one may be long in coming; nothing is kept alive until then.
            del work, told

    def _next(self) -> Task:
        with self._changed:
            self._idle += 1
            while not any(self._lines):
                self._changed.wait()
            self._idle -= 1
            self._taken += 1
            lines = (self._lines[line] for line in TURNS[self._taken % len(TURNS)])
            return next(line for line in lines if line).popleft()


def crewed(application: Application, workers: int) -> Application:
    """The application, asked by so many threads at most and always the same ones.

    Who asks for many comes in first, then who writes, then who only looks.
    """
    crew = Crew(workers)

    def by_the_crew(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        told: list[tuple[Any, ...]] = []
        answer = crew.do(
            lambda: application(environ, lambda *head: told.append(head)),
            _line_of(environ),
        )
        # A server may want to be told by the thread that it has asked.
        start_response(*told[-1])
        return answer

    return by_the_crew


def _line_of(environ: Environ) -> Line:
    if FOR_MANY in environ:
        return Line.MANY
    return Line.LOOKS if environ["REQUEST_METHOD"] in LOOKS else Line.WRITES
