"""What takes seconds in a write, done while it holds nothing that others wait for.

Another site is asked, or a large file is read, and whoever has a transaction open has the others
wait. So a write that comes to such a question is undone, the question is asked, and the write
begins anew with the answer: all that is checked before the question is checked before anything
leaves this machine.
"""

from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from core.errors import Refusal

P = ParamSpec("P")
T = TypeVar("T")

_known: ContextVar[dict[Hashable, Any] | None] = ContextVar("known", default=None)


class _NotAskedYetError(Exception):
    """The write that came to this question has to be undone."""

    def __init__(self, question: Hashable, ask: Callable[[], Any]) -> None:
        super().__init__(question)
        self.question, self.ask = question, ask


def begun_anew(act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `act` answers, once everything it wants to know from elsewhere is known.

    Each question is asked once. What `act` does before a question is done in a transaction, or does
    no harm when it is done again. A nested call does nothing of its own:
    the outer call restarts.
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
    """What `ask` answers, or the Refusal it raises; under `begun_anew` with nothing held."""
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
