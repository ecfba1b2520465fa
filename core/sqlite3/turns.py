"""A lock that is given in the order in which it was asked for."""

from collections import deque
from threading import Lock


class Turns:
    """One at a time, first come, first served: with a plain lock chance decides who is next."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._line: deque[Lock] = deque()
        self._is_taken = False

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        with self._guard:
            return len(self._line)

    def take(self, patience: float) -> bool:
        """Wait for the turn, at most so many seconds; whether it came."""
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return True
            call = Lock()
            call.acquire()
            self._line.append(call)
        try:
            has_come = call.acquire(timeout=patience)
        except BaseException:
            if not self._leave_line(call):
                self.give()
            raise
        # It may have come in the very moment in which patience ended.
        return has_come or not self._leave_line(call)

    def give(self) -> None:
        """The turn is the next one's."""
        with self._guard:
            if self._line:
                self._line.popleft().release()
            else:
                self._is_taken = False

    def _leave_line(self, call: Lock) -> bool:
        """Whether it was still in the line; else its turn has come."""
        with self._guard:
            if call not in self._line:
                return False
            self._line.remove(call)
            return True
