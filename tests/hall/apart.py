"""Loops of their own for tests: the thread of a browser test keeps one running."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def apart(coroutine: Coroutine[Any, Any, Answer]) -> Answer:
    """What the coroutine answers, run to its end in another thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
