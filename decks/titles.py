"""Compare spellings of card titles and find similar titles.

Nothing here chooses a card: titles are equal after folding, or they are only suggestions.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable

from core.text import LONGEST_COMPARED, comparison_key

TRADEMARK = re.compile(r"[(\[](?:tm|sm|r|c)[)\]]|[\u2122\u2120\u00ae\u00a9]", re.IGNORECASE)
DASH = re.compile(r"[-\u2010-\u2015\u2212/_]")
ARTICLE = re.compile(r"^the | the$")
# Number of letters compared; longer than any title.
MAX_COMPARED = 80


def folded_title(title: str) -> str:
    """Remove trademark signs, accents, case and punctuation.

    Dashes separate words; other punctuation is removed: "N.E.T.O." becomes "neto", "Bolt-Hole"
    becomes "bolt hole". A separate "&" becomes "and"; in "R&D" it stays.
    """
    # Signs first: compatibility normalisation would append "tm" to the word before.
    without_signs = DASH.sub(" ", TRADEMARK.sub(" ", title))
    key = comparison_key(without_signs)
    if len(key) > LONGEST_COMPARED:
        return key
    decomposed = unicodedata.normalize("NFKD", key)
    bare = decomposed.replace("\u03c0", "pi")
    letters = (character for character in bare if character.isalnum() or character in " &")
    return " ".join("and" if word == "&" else word for word in "".join(letters).split())


def without_article(folded: str) -> str:
    """Strip "the" from the start of a folded title, or from the end as in "Deck, The"."""
    return ARTICLE.sub("", folded)


class TitleIndex:
    """Similarity search over titles, built once for a catalogue."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._titles = sorted(set(titles))
        self._folded = [folded_title(title) for title in self._titles]
        self._in_order = sorted(self._folded)

    def nearest(self, text: str, count: int = 3, at_least: float = 0) -> tuple[str, ...]:
        """Return up to `count` similar titles, best first; `at_least` is a similarity (0–1)."""
        from rapidfuzz import fuzz, process  # imported lazily: most lists have no typos

        matches = process.extract(
            folded_title(text)[:MAX_COMPARED],
            self._folded,
            scorer=fuzz.ratio,
            processor=None,
            limit=count,
            score_cutoff=100 * at_least,
        )
        return tuple(self._titles[place] for _, _, place in matches)

    def has_longer_title(self, text: str) -> bool:
        """Return True if a longer title starts with the text, such as "Fang 2.0" for "Fang 2"."""
        folded = folded_title(text)
        place = bisect_right(self._in_order, folded)
        return place < len(self._in_order) and self._in_order[place].startswith(folded)
