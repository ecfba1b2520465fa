"""Mark search words in a text."""

import re
from dataclasses import dataclass

from rulings.words import folded_words, terms_of

WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
ENDINGS = ("ing", "ed", "es", "s", "e")
SHORTEST_STEM = 3


@dataclass(frozen=True)
class Passage:
    """A piece of text; `is_hit` marks a search word."""

    text: str
    is_hit: bool


def passages(text: str, typed: str) -> list[Passage]:
    """Split the text into pieces; joined they are exactly the text."""
    words = {(word, term.starts) for term in terms_of(typed) for word in term.words}
    pieces, done = [], 0
    for found in WORD.finditer(text):
        if any(_fits(found.group(), word, starts) for word, starts in words):
            pieces.append(Passage(text[done : found.start()], is_hit=False))
            pieces.append(Passage(found.group(), is_hit=True))
            done = found.end()
    pieces.append(Passage(text[done:], is_hit=False))
    return [piece for piece in pieces if piece.text]


def _fits(shown: str, word: str, starts: bool) -> bool:
    """True if the words match like in the index: same word, possibly another ending."""
    bare = "".join(folded_words(shown))
    if starts or bare == word:
        return bare.startswith(word)
    stem = next((word.removesuffix(end) for end in ENDINGS if word.endswith(end)), word)
    if len(stem) < SHORTEST_STEM:
        return False
    return bare.startswith(stem) and bare[len(stem) :] in {"", *ENDINGS}
