"""Named points in the code where a test can wait, raise or kill the process.

`pause_point("pair:drafted")` does nothing unless a test has added a watcher.
"""

from collections.abc import Callable

# Called with the name of each point, in the working thread and its transaction. They may wait,
# raise or kill the process.
watchers: list[Callable[[str], None]] = []


def pause_point(name: str) -> None:
    """Call the watchers of this point, named `<work>:<moment>`."""
    for watcher in watchers:
        watcher(name)
