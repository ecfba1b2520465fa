"""Faults found by the checker."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A broken invariant: a code for tests, a JSON path and a sentence."""

    code: str
    path: str
    sentence: str
