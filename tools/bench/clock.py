"""Time of a call."""

import gc
import time
from collections.abc import Callable
from typing import Any


def seconds(work: Callable[[], Any], most: int = 15, enough: float = 3.0) -> float:
    """The best of up to `most` runs; no further run starts after `enough` seconds.

    On a busy machine the best run is closest to the real cost.
    """
    durations: list[float] = []
    while len(durations) < most and sum(durations) < enough:
        gc.collect()
        start = time.perf_counter()
        work()
        durations.append(time.perf_counter() - start)
    return min(durations)


def side_by_side(
    first: Callable[[], Any], second: Callable[[], Any], runs: int
) -> tuple[float, float]:
    """The best times of two functions that take turns, so that a busy moment affects both."""
    pairs = [(seconds(first, most=1), seconds(second, most=1)) for _ in range(runs)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def shown(duration: float) -> str:
    """Seconds in readable form."""
    return f"{duration:.2f} s" if duration >= 1 else f"{duration * 1000:.3g} ms"
