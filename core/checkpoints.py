"""Named moments in the middle of work, where a test can wait, break off or kill the process.

Code that has moments worth breaking says `checkpoint("pair:drafted")`; nothing happens, unless a
test has put somebody there to watch.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_watchers: list[Callable[[str], None]] = []


def checkpoint(name: str) -> None:
    """The work has come to this moment, named `<work>:<moment>`."""
    for watcher in _watchers:
        watcher(name)


def watch(watcher: Callable[[str], None]) -> None:
    """Have the watcher called at every moment from now on, with its name.

    It is called in the thread that works, within its transaction: it may wait, raise, or kill.
    """
    _watchers.append(watcher)


@contextmanager
def watched(watcher: Callable[[str], None]) -> Iterator[None]:
    """As `watch`, for as long as the block lasts."""
    watch(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)
