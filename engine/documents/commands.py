"""Commands: a document in, a document and an exit status out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from engine.documents.json_text import DocumentRefused, Json, parse, written

Answering: TypeAlias = Callable[[Json], Json]

# Exit statuses: a replay with a different answer, and an invalid document.
DIFFERENT, REFUSED = 1, 2


@dataclass(frozen=True)
class Outcome:
    text: bytes
    status: int = 0


def run(answering: Answering, data: bytes, indent: int | None = None) -> Outcome:
    """Answer the document in `data`; an invalid document gives {"error", "path"}."""
    try:
        answer = answering(parse(data))
    except DocumentRefused as refusal:
        wrong = {"error": str(refusal), "path": refusal.path}
        return Outcome(written(wrong, indent), REFUSED)
    status = DIFFERENT if answer.get("ok") is False else 0
    return Outcome(written(answer, indent), status)
