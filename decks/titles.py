"""How two spellings of a card's title are compared, and which titles lie near.

Nothing here chooses a card: equal after folding is equal, and what is only
near is a suggestion for the reader.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable

from core.text import LONGEST_COMPARED, comparison_key

TRADEMARK = re.compile(r"[(\[](?:tm|sm|r|c)[)\]]|[\u2122\u2120\u00ae\u00a9]", re.IGNORECASE)
DASH = re.compile(r"[-\u2010-\u2015\u2212/_]")
ARTICLE = re.compile(r"^the | the$")
MOST_COMPARED = 80
"""Letters of a text that are compared; no title is so long."""


def folded_title(title: str) -> str:
    """The title without trademark signs, accents, case and punctuation.

    Dashes separate words, other punctuation vanishes: "N.E.T.O." is "neto", "Bolt-Hole" is
    "bolt hole". A "&" between words is "and"; in "R&D" it stays.
    """
    # Signs go first: compatibility folding would glue a "tm" to the word before.
    without_signs = DASH.sub(" ", TRADEMARK.sub(" ", title))
    key = comparison_key(without_signs)
    if len(key) > LONGEST_COMPARED:
        return key
    decomposed = unicodedata.normalize("NFKD", key)
    bare = decomposed.replace("\u03c0", "pi")
    kept = (character for character in bare if character.isalnum() or character in " &")
    return " ".join("and" if word == "&" else word for word in "".join(kept).split())


def without_article(folded: str) -> str:
    """A folded title without "the" at its start, or at its end as in "Deck, The"."""
    return ARTICLE.sub("", folded)


class TitleIndex:
    """Finds titles that look like a misspelled one; built once for a catalogue."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._titles = sorted(set(titles))
        self._folded = [folded_title(title) for title in self._titles]
        self._in_order = sorted(self._folded)

    def nearest(self, text: str, count: int = 3, at_least: float = 0) -> tuple[str, ...]:
        """The `count` nearest titles, best first, of those at least so alike (of 1)."""
        from rapidfuzz import fuzz, process  # most lists have no slip

        found = process.extract(
            folded_title(text)[:MOST_COMPARED],
            self._folded,
            scorer=fuzz.ratio,
            processor=None,
            limit=count,
            score_cutoff=100 * at_least,
        )
        return tuple(self._titles[place] for _, _, place in found)

    def may_go_on(self, text: str) -> bool:
        """Whether a title begins with the text and goes on, as "Fang 2.0" does after "Fang 2"."""
        folded = folded_title(text)
        place = bisect_right(self._in_order, folded)
        return place < len(self._in_order) and self._in_order[place].startswith(folded)
