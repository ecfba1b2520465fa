"""Every pattern of the project, tried on long lines that patterns stumble over.

`python -m tests.hostile.patterns 10000 100000` prints those whose work grows faster than the line.
"""

import importlib
import os
import pkgutil
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import django

APPS = ("config", "core", "players", "decks", "matches", "engine", "rulings", "tournaments")
SEEDS = (
    *("a", " ", "\t", "\n", "1", "(", "[", "<", "&", "-", ".", "*", "#", ":", '"', "'", "/", "@"),
    *("a ", " a", "1 ", "(a", "a)", "a:", "[a", "a-", "a.", "<a", "&a", "1x", "x1", " (", ") ("),
    *("\u00e9", "\u2022", "\u200b", "a\n", "\n ", "- ", "1. ", "**", "_a_", "](", "http://a"),
)
STARTS = ("", "a", "  - a")
TAILS = ("", "!")
SHORT, LONG = 1_000, 4_000
"""Letters; a process may be given other numbers."""
IMPORTED = re.compile(r"\s*(?:from|import)\b|\s+[A-Z_]+,$")
COMPARED_WHOLE = frozenset({r"[a-z0-9]+(-[a-z0-9]+)*-[0-9]+"})
"""Compared with whole words alone; the name of the pattern is that of another one, which is not."""
FLOOR = 0.02
"""Seconds; less cannot be distinguished from nothing."""


@dataclass(frozen=True)
class Used:
    """A pattern of a module, and whether it is also looked for within a text."""

    pattern: re.Pattern[str]
    is_searched: bool

    def taken(self, text: str) -> float:
        """Seconds of the processor that it takes."""
        begun = time.process_time()
        self.pattern.fullmatch(text)
        self.pattern.match(text)
        if self.is_searched:
            self.pattern.sub("", text)
        return time.process_time() - begun


def patterns() -> list[Used]:
    """Every pattern that a module holds."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    found = {
        value.pattern: Used(value, value.pattern not in COMPARED_WHOLE and _is_searched(app, name))
        for app in APPS
        for module in _modules(app)
        for name, value in vars(importlib.import_module(module)).items()
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str)
    }
    return list(found.values())


def _is_searched(app: str, name: str) -> bool:
    """Whether its app does anything with it but compare a whole text or its beginning."""
    wanted = re.compile(rf"\b{name}\b(?!\s*=|\.(?:fullmatch|match)\()")
    sources = (path.read_text(encoding="utf-8") for path in Path(app).rglob("*.py"))
    lines = (line for text in sources for line in text.splitlines() if name in line)
    return any(wanted.search(line) for line in lines if not IMPORTED.match(line))


def _modules(app: str) -> Iterator[str]:
    package = importlib.import_module(app)
    for found in pkgutil.walk_packages(package.__path__, f"{app}."):
        if not re.search(r"\.(migrations|settings|live|wsgi|ticker)\b", found.name):
            yield found.name


def steep(short: int = SHORT, long: int = LONG) -> list[str]:
    """The patterns, each with a line, whose work grows three times as much as the line."""
    return [
        f"{used.pattern.pattern!r} on {seed!r}...{tail!r}: {taken:.2f} s"
        for used in patterns()
        for seed in SEEDS
        for start in STARTS
        for tail in TAILS
        if (taken := _steep(used, start, seed, tail, short, long))
    ]


def _steep(used: Used, start: str, seed: str, tail: str, short: int, long: int) -> float:
    """Seconds that the long line takes, where that is out of proportion; else 0."""
    before = used.taken(start + seed * (short // len(seed)) + tail)
    # What takes long already would take minutes with more.
    if before > 1:
        return before
    taken = used.taken(start + seed * (long // len(seed)) + tail)
    allowed = 3 * long / short * max(before, FLOOR / 20)
    return taken if taken > max(FLOOR, allowed) else 0.0


if __name__ == "__main__":
    found = steep(*map(int, sys.argv[1:3]))
    sys.stdout.write("".join(f"{line}\n" for line in [f"{len(patterns())} patterns", *found]))
    sys.exit(bool(found))
