"""Five hundred names: hand-picked, and generated from the letters of every script."""

import sys
import unicodedata
from collections import defaultdict
from random import Random

from core.text import clean, comparison_key
from players.names import name_problems
from tests.players.name_corpus import NAMES

MANY = 500
LATIN_SHAPES = (
    "I\u0307stanbul",
    "\u0131l\u0131k",
    "Wei\u00df",
    "\u1e9eel",
    "\ua731\u1d00\u0274",
    "\u01c5aka",
)
EMOJI = (
    "\U0001f469\u200d\U0001f680",
    "\U0001f1e9\U0001f1ea",
    "\U0001f44b\U0001f3ff",
    "\u2764\ufe0f",
)


def _letters() -> dict[str, list[str]]:
    """The letters of each script, by the first word of their Unicode names."""
    scripts: dict[str, list[str]] = defaultdict(list)
    for point in range(sys.maxunicode + 1):
        letter = chr(point)
        if unicodedata.category(letter) in ("Lu", "Ll", "Lo"):
            scripts[unicodedata.name(letter, "?").split()[0]].append(letter)
    return {script: letters for script, letters in scripts.items() if len(letters) > 5}


def _make_names() -> list[str]:
    rng, scripts = Random(1996), _letters()
    names = {comparison_key(name): name for name in [*NAMES, *LATIN_SHAPES, *EMOJI]}
    while len(names) < MANY:
        script = rng.choice(sorted(scripts))
        words = ["".join(rng.choices(scripts[script], k=rng.randint(2, 9))) for _ in range(2)]
        marks = "".join(rng.choices(["", "", "\u0301", "\u0323", "\u0308\u0304"], k=2))
        name = clean(" ".join([words[0] + marks, words[1]]))
        if not list(name_problems(name)):
            names.setdefault(comparison_key(name), name)
    return list(names.values())


HUNDREDS = _make_names()


def other_spelling(name: str) -> str:
    """The same name as typed on another keyboard: decomposed, with other spaces around it."""
    return f" {unicodedata.normalize('NFD', name)}\u200b".replace(" ", "\u00a0")
