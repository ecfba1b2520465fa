"""One document in, one document out, and the exit status that goes with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from engine.documents.json_text import DocumentRefused, Json, parse, written

Answering: TypeAlias = Callable[[Json], Json]

DIFFERENT, REFUSED = 1, 2
"""Exit statuses: a replay that came out otherwise, and a document that is wrong."""


@dataclass(frozen=True)
class Outcome:
    """What goes to standard output, and the exit status."""

    text: bytes
    status: int = 0


def run(answering: Answering, data: bytes, indent: int | None = None) -> Outcome:
    """Answer the document in `data`; a wrong one is answered {"error", "path"}."""
    try:
        answer = answering(parse(data))
    except DocumentRefused as refusal:
        wrong = {"error": str(refusal), "path": refusal.path}
        return Outcome(written(wrong, indent), REFUSED)
    status = DIFFERENT if answer.get("ok") is False else 0
    return Outcome(written(answer, indent), status)
