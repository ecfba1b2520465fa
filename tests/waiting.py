"""Waiting for what comes by itself."""

import time
from collections.abc import Callable


def wait_until(is_so: Callable[[], bool], what: str, patience: float = 30.0) -> float:
    """Until it is so; after how many seconds it was."""
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < patience, f"{what}: not within {patience:.0f} seconds"
        time.sleep(0.05)
    return time.monotonic() - began
