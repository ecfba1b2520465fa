"""Compare an answer that a document shows with the real one."""

from collections.abc import Iterator
from typing import Any

# Stands for any value.
ANY = "…"


def missing(path: str, shown: Any, real: Any) -> Iterator[str]:
    """Yield differences; documented objects may have fewer keys."""
    if shown == ANY and real is not None:
        return
    if isinstance(shown, dict) and isinstance(real, dict):
        for key, value in shown.items():
            yield from missing(f"{path}.{key}", value, real.get(key))
    elif isinstance(shown, list) and isinstance(real, list) and len(shown) == len(real):
        for place, (value, answered) in enumerate(zip(shown, real, strict=True)):
            yield from missing(f"{path}[{place}]", value, answered)
    elif shown != real:
        yield f"{path}: {shown} is documented, the answer is {real}"
