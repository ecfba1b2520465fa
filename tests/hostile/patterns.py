"""Every regular expression of the project, run on long inputs that provoke backtracking.

`python -m tests.hostile.patterns 10000 100000` prints those whose work grows faster than the input.
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
"""Numbers of letters; a process may be given others."""
IMPORTED = re.compile(r"\s*(?:from|import)\b|\s+[A-Z_]+,$")
COMPARED_WHOLE = frozenset({r"[a-z0-9]+(-[a-z0-9]+)*-[0-9]+"})
"""Only compared with whole words; a pattern of the same name elsewhere is not."""
FLOOR = 0.02
"""Seconds; shorter times cannot be measured."""


@dataclass(frozen=True)
class UsedPattern:
    """A pattern of a module, and a flag that it is also searched within texts."""

    pattern: re.Pattern[str]
    is_searched: bool

    def seconds_for(self, text: str) -> float:
        """Processor time that it takes, in seconds."""
        start = time.process_time()
        self.pattern.fullmatch(text)
        self.pattern.match(text)
        if self.is_searched:
            self.pattern.sub("", text)
        return time.process_time() - start


def patterns() -> list[UsedPattern]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    patterns_ = {
        value.pattern: UsedPattern(
            value, value.pattern not in COMPARED_WHOLE and _is_searched(app, name)
        )
        for app in APPS
        for module in _modules(app)
        for name, value in vars(importlib.import_module(module)).items()
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str)
    }
    return list(patterns_.values())


def _is_searched(app: str, name: str) -> bool:
    """Return True unless its app only matches whole texts or their beginnings with it."""
    usage = re.compile(rf"\b{name}\b(?!\s*=|\.(?:fullmatch|match)\()")
    sources = (path.read_text(encoding="utf-8") for path in Path(app).rglob("*.py"))
    lines = (line for text in sources for line in text.splitlines() if name in line)
    return any(usage.search(line) for line in lines if not IMPORTED.match(line))


def _modules(app: str) -> Iterator[str]:
    package = importlib.import_module(app)
    for module in pkgutil.walk_packages(package.__path__, f"{app}."):
        if not re.search(r"\.(migrations|settings|live|wsgi|ticker)\b", module.name):
            yield module.name


def superlinear_patterns(short: int = SHORT, long: int = LONG) -> list[str]:
    """Patterns whose work grows three times as much as the input, each with an input."""
    return [
        f"{used.pattern.pattern!r} on {seed!r}...{tail!r}: {seconds:.2f} s"
        for used in patterns()
        for seed in SEEDS
        for start in STARTS
        for tail in TAILS
        if (seconds := _disproportionate_seconds(used, start, seed, tail, short, long))
    ]


def _disproportionate_seconds(
    used: UsedPattern, start: str, seed: str, tail: str, short: int, long: int
) -> float:
    """Seconds for the long input if that is disproportionate, else 0."""
    before = used.seconds_for(start + seed * (short // len(seed)) + tail)
    # A pattern that is already slow would take minutes for more.
    if before > 1:
        return before
    seconds = used.seconds_for(start + seed * (long // len(seed)) + tail)
    allowed = 3 * long / short * max(before, FLOOR / 20)
    return seconds if seconds > max(FLOOR, allowed) else 0.0


if __name__ == "__main__":
    superlinear = superlinear_patterns(*map(int, sys.argv[1:3]))
    sys.stdout.write("".join(f"{line}\n" for line in [f"{len(patterns())} patterns", *superlinear]))
    sys.exit(bool(superlinear))
