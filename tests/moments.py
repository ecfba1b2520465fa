"""Being there at the named moments of core.pause_points."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.pause_points import watchers


@contextmanager
def watched(watcher: Callable[[str], None]) -> Iterator[None]:
    """The watcher is called at every moment for as long as the block lasts."""
    watchers.append(watcher)
    try:
        yield
    finally:
        watchers.remove(watcher)
