"""Named moments in the middle of work, where a test can wait, break off or kill the process.

Code that has moments worth breaking says `pause_point("pair:drafted")`; nothing happens, unless a
test has put somebody there to watch.
"""

from collections.abc import Callable

watchers: list[Callable[[str], None]] = []
"""Called at every moment, with its name: in the thread that works, within its transaction. They
may wait, raise, or kill."""


def pause_point(name: str) -> None:
    """The work has come to this moment, named `<work>:<moment>`."""
    for watcher in watchers:
        watcher(name)
