"""Time and memory of one call."""

import gc
import time
from collections.abc import Callable
from typing import Any


def seconds(work: Callable[[], Any], most: int = 15, enough: float = 3.0) -> float:
    """The best of up to `most` runs; no further run once `enough` seconds have gone.

    On a busy machine the best is nearest to what the work itself takes.
    """
    taken: list[float] = []
    while len(taken) < most and sum(taken) < enough:
        gc.collect()
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return min(taken)


def side_by_side(
    one: Callable[[], Any], other: Callable[[], Any], runs: int
) -> tuple[float, float]:
    """The best times of two that take turns, so that a busy moment meets both."""
    pairs = [(seconds(one, most=1), seconds(other, most=1)) for _ in range(runs)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def shown(taken: float) -> str:
    """Seconds as people read them."""
    return f"{taken:.2f} s" if taken >= 1 else f"{taken * 1000:.3g} ms"
