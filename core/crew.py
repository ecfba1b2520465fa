"""The few threads of a web process that work on requests; the many of the server wait for them.

Work in Python takes turns on one core anyway: with many at once each is late. A thread that waits
costs nothing and holds no connection to the database, so there are never more connections than
workers, and what core.front answers passes by all who wait.
"""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import Any, TypeAlias

FOR_MANY = "datafort.for_many"
"""Where a request says that many wait for its answer."""
Environ: TypeAlias = dict[str, Any]
Application: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Work: TypeAlias = Callable[[], Iterable[bytes]]
Task: TypeAlias = tuple[Work, "Future[Iterable[bytes]]"]

LOOKS = ("GET", "HEAD", "OPTIONS")
ONE_LOOK_IN = 4
"""Of so many tasks that are taken while both wait, one is of who only looks for one."""


class Crew:
    """So many workers; some tasks come first, and both they and the others in their order."""

    def __init__(self, workers: int) -> None:
        self._changed = Condition()
        self._to_hire, self._idle, self._taken = workers, 0, 0
        self._first: deque[Task] = deque()
        self._others: deque[Task] = deque()

    def do(self, work: Work, *, first: bool) -> Iterable[bytes]:
        """What `work` answers, or raises, in the thread of a worker."""
        task = work, Future[Iterable[bytes]]()
        with self._changed:
            (self._first if first else self._others).append(task)
            if self._to_hire and len(self._first) + len(self._others) > self._idle:
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
            while not (self._first or self._others):
                self._changed.wait()
            self._idle -= 1
            self._taken += 1
            lines = [self._first, self._others]
            if self._taken % ONE_LOOK_IN == 0:
                lines.reverse()
            return next(line for line in lines if line).popleft()


def crewed(application: Application, workers: int) -> Application:
    """The application, asked by so many threads at most and always the same ones.

    Who writes, or asks for many, comes in before who only looks.
    """
    crew = Crew(workers)

    def by_the_crew(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        told: list[tuple[Any, ...]] = []
        answer = crew.do(
            lambda: application(environ, lambda *head: told.append(head)),
            first=FOR_MANY in environ or environ["REQUEST_METHOD"] not in LOOKS,
        )
        # A server may want to be told by the thread that it has asked.
        start_response(*told[-1])
        return answer

    return by_the_crew
