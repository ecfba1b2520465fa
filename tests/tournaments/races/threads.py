"""Simultaneous calls, each in a thread with a connection of its own."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connection

from core.errors import Refusal

Answer = TypeVar("Answer")


def run_at_once(functions: Sequence[Callable[[], Answer]]) -> list[Answer | Refusal]:
    """Run all functions at the same moment; return a Refusal instead of raising it."""
    barrier = Barrier(len(functions))

    def push(function: Callable[[], Answer]) -> Answer | Refusal:
        try:
            barrier.wait()
            return function()
        except Refusal as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(functions)) as pool:
        return list(pool.map(push, functions))
