"""What the checker answers: one fault for each broken invariant."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A broken invariant: a code for tests, the JSON path of the place, a sentence for people."""

    code: str
    path: str
    sentence: str
