"""Run slow I/O outside the write transaction.

A write that needs an answer from another site, or a large file, is rolled back first, so that it
blocks no other writer. Then the answer is fetched and the write starts again with it. All checks
before the request therefore pass before anything leaves this machine.
"""

from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from core.errors import Refusal

P = ParamSpec("P")
T = TypeVar("T")

_known: ContextVar[dict[Hashable, Any] | None] = ContextVar("known", default=None)


class _NotAskedYetError(Exception):
    """The write must be rolled back to fetch this answer."""

    def __init__(self, question: Hashable, ask: Callable[[], Any]) -> None:
        super().__init__(question)
        self.question, self.ask = question, ask


def begun_anew(act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call `act`, restarting it after each external request it makes.

    Each request is made only once. `act` must work in a transaction before a request, or be safe to
    repeat. A nested call does nothing of its own: the outer call restarts.
    """
    if _known.get() is not None:
        return act(*args, **kwargs)
    known: dict[Hashable, Any] = {}
    before = _known.set(known)
    try:
        while True:
            try:
                return act(*args, **kwargs)
            except _NotAskedYetError as error:
                question, ask = error.question, error.ask
            known[question] = _answer_or_refusal(ask)
    finally:
        _known.reset(before)


def answer(question: Hashable, ask: Callable[[], T]) -> T:
    """Return the cached answer, or abort the transaction to fetch it.

    Raises the Refusal that `ask` raised. Outside `begun_anew` it calls `ask` directly.
    """
    known = _known.get()
    if known is None:
        return ask()
    if question not in known:
        raise _NotAskedYetError(question, ask)
    found: T | Refusal = known[question]
    if isinstance(found, Refusal):
        raise found
    return found


def _answer_or_refusal(ask: Callable[[], T]) -> T | Refusal:
    try:
        return ask()
    except Refusal as refusal:
        return refusal
