"""Tokenise texts and search queries."""

import re
import unicodedata
from dataclasses import dataclass

from core.text import folded_text

LONGEST_TYPED = 300  # characters
MOST_TERMS = 16
LONGEST_WORD = 60  # letters; an index refuses words without end
APOSTROPHE = re.compile(r"(?<=\w)['\u2032](?=\w)")
WORD = re.compile(r"[^\W_]+")
# A quoted phrase (the closing quote may be missing) or a run of letters.
PIECE = re.compile(r'"([^"]*)(?:"|$)|([^\s"]+)')
# Stop words. They count inside quotes, or if the query has no other words.
SAID_OFTEN = (
    "a an and are as at be but by can do does for from has have how i if in is it its may of on or "
    "so than that the their then there they this to was what when where which who will with you "
    "your"
)
FILLERS = frozenset(SAID_OFTEN.split())


@dataclass(frozen=True)
class Term:
    """Adjacent words; with `starts`, the last is a prefix."""

    words: tuple[str, ...]
    starts: bool = False


def folded_words(text: str) -> list[str]:
    """Return lower-case words without accents and apostrophes: "Don't" becomes "dont".

    >>> folded_words("R&D, Crèche")
    ['r', 'd', 'creche']
    """
    decomposed = unicodedata.normalize("NFKD", APOSTROPHE.sub("", folded_text(text)))
    bare = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return [word[:LONGEST_WORD] for word in WORD.findall(bare)]


def squeezed_words(text: str) -> list[str]:
    """Join the parts of a word with inner punctuation: "N.E.T.O." is also "neto"."""
    split = (folded_words(piece) for piece in text.split())
    return ["".join(words) for words in split if len(words) > 1]


def terms_of(typed: str) -> list[Term]:
    """Parse a search query. Accepts any text; without words the result is empty.

    A "quoted phrase" matches adjacent words and `vir*` matches a prefix. A word with inner
    punctuation, such as Self-Modifying, also matches adjacent words.
    """
    pieces = PIECE.findall(folded_text(typed[:LONGEST_TYPED]))
    terms = [(_term(quoted or plain), bool(quoted)) for quoted, plain in pieces]
    asked = [(term, quoted) for term, quoted in terms if term.words][:MOST_TERMS]
    significant = [term for term, quoted in asked if quoted or not _is_filler(term)]
    return significant or [term for term, _ in asked]


def loosened(terms: list[Term]) -> list[Term]:
    return [Term(term.words, starts=True) for term in terms]


def _term(piece: str) -> Term:
    return Term(tuple(folded_words(piece)), starts=piece.endswith("*"))


def _is_filler(term: Term) -> bool:
    return len(term.words) == 1 and not term.starts and term.words[0] in FILLERS
