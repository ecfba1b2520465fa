"""Text for a chat channel: names as they are, no mentions, in pieces that fit.

A channel reads Markdown. A name may hold any sign, so each that would mean something there is
escaped, and nobody is called by an @.
"""

import re
from collections.abc import Iterable

MOST = 2000
"""Characters of one message, counted as UTF-16 does: the strictest way to count."""
MARKS = re.compile(r"([\\`*_~|<>\[\]()#:+-])")
GAP = "\N{ZERO WIDTH SPACE}"
"""Behind an @ it keeps the word from calling anybody, wherever the text is pasted."""


def escaped(text: str) -> str:
    """The text as a reader of the channel is to see it, in one line."""
    return MARKS.sub(r"\\\1", " ".join(text.split())).replace("@", f"@{GAP}")


def length(text: str) -> int:
    """How many characters the channel counts."""
    return len(text.encode("utf-16-le")) // 2


def pieces(heading: str, lines: Iterable[str], most: int = MOST) -> list[str]:
    """The lines under their heading in as few messages as they fit in; no line is cut.

    Every message after the first says that it goes on. A line alone must fit with its heading.
    """
    made: list[str] = []
    again = f"{heading} (continued)"
    piece = heading
    for line in lines:
        if length(piece) + 1 + length(line) > most:
            made.append(piece)
            piece = again
        piece = f"{piece}\n{line}"
    return [*made, piece]
