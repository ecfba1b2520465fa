"""Waiting for asynchronous effects."""

import time
from collections.abc import Callable


def wait_until(is_so: Callable[[], bool], what: str, patience: float = 30.0) -> float:
    """Wait until `is_so` returns True; return the seconds it took."""
    start = time.monotonic()
    while not is_so():
        assert time.monotonic() - start < patience, f"{what}: not within {patience:.0f} seconds"
        time.sleep(0.05)
    return time.monotonic() - start
