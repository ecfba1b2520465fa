"""Many hands on one button, each in a thread with a connection of its own."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connection

from core.errors import Refusal

Answer = TypeVar("Answer")


def at_once(acts: Sequence[Callable[[], Answer]]) -> list[Answer | Refusal]:
    """What every hand gets when all push at the same moment; a refusal is an answer."""
    barrier = Barrier(len(acts))

    def push(act: Callable[[], Answer]) -> Answer | Refusal:
        try:
            barrier.wait()
            return act()
        except Refusal as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as hands:
        return list(hands.map(push, acts))
