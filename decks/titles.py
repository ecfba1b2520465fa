"""How two spellings of a card's title are compared, and which titles lie near.

Nothing here chooses a card: equal after folding is equal, and what is only
near is a suggestion for the reader.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from difflib import SequenceMatcher
from heapq import nsmallest
from itertools import chain

from core.text import comparison_key

TRADEMARK = re.compile(r"[(\[](?:tm|sm|r|c)[)\]]|[\u2122\u2120\u00ae\u00a9]", re.IGNORECASE)
DASH = re.compile(r"[-\u2010-\u2015\u2212/_]")
ARTICLE = re.compile(r"^the | the$")
CANDIDATES = 12
MOST_COMPARED = 80
"""Letters of a text that are compared; no title is so long."""


def folded_title(title: str) -> str:
    """The title without trademark signs, accents, case and punctuation.

    Dashes separate words, other punctuation vanishes: "N.E.T.O." is "neto",
    "Bolt-Hole" is "bolt hole".
    """
    # Signs go first: compatibility folding would glue a "tm" to the word before.
    without_signs = DASH.sub(" ", TRADEMARK.sub(" ", title))
    decomposed = unicodedata.normalize("NFKD", comparison_key(without_signs))
    bare = decomposed.replace("\u03c0", "pi")
    kept = (character for character in bare if character.isalnum() or character in " &")
    return " ".join("".join(kept).split())


def without_article(folded: str) -> str:
    """A folded title without "the" at its start, or at its end as in "Deck, The"."""
    return ARTICLE.sub("", folded)


class TitleIndex:
    """Finds titles that look like a misspelled one; built once for a catalogue."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._titles = sorted(set(titles))
        self._folded = [folded_title(title) for title in self._titles]
        self._in_order = sorted(self._folded)
        self._holders: dict[str, list[int]] = defaultdict(list)
        self._pairs: list[int] = []
        for place, folded in enumerate(self._folded):
            pairs = _letter_pairs(folded)
            self._pairs.append(len(pairs))
            for pair in pairs:
                self._holders[pair].append(place)

    def nearest(self, text: str, count: int = 3) -> tuple[str, ...]:
        """The `count` nearest titles, best first; the same text gives the same answer.

        Letter pairs choose a few candidates, so that a long list of unknown
        lines costs little; only those are compared letter by letter.
        """
        folded = folded_title(text)[:MOST_COMPARED]
        matcher = SequenceMatcher(b=folded, autojunk=False)
        ranked = sorted(
            self._candidates(folded, max(count, CANDIDATES)),
            key=lambda place: (-_likeness(matcher, self._folded[place]), self._titles[place]),
        )
        return tuple(self._titles[place] for place in ranked[:count])

    def likeness(self, text: str, title: str) -> float:
        """How alike two titles are once folded, from 0 to 1."""
        matcher = SequenceMatcher(b=folded_title(text), autojunk=False)
        return _likeness(matcher, folded_title(title))

    def may_go_on(self, text: str) -> bool:
        """Whether a title begins with the text and goes on, as "Fang 2.0" does after "Fang 2"."""
        folded = folded_title(text)
        place = bisect_right(self._in_order, folded)
        return place < len(self._in_order) and self._in_order[place].startswith(folded)

    def _candidates(self, folded: str, count: int) -> list[int]:
        """The `count` titles that share most letter pairs, as a part of those of both."""
        pairs = _letter_pairs(folded)
        shared: Counter[int] = Counter()
        for pair in pairs:
            shared.update(self._holders.get(pair, ()))
        if len(shared) < count:
            shared.update(dict.fromkeys(range(len(self._titles)), 0))
        by_number: dict[int, list[int]] = defaultdict(list)
        for place, number in shared.items():
            by_number[number].append(place)
        best: list[tuple[float, int, int]] = []
        for number in sorted(by_number, reverse=True):
            # Nobody who shares fewer pairs can come nearer than those who share only these.
            if len(best) == count and -2 * number / (len(pairs) + number) > best[-1][0]:
                break
            found = (self._unlikeness(place, number, folded, pairs) for place in by_number[number])
            best = nsmallest(count, chain(best, found))
        return [place for _, _, place in best]

    def _unlikeness(
        self, place: int, shared: int, folded: str, pairs: set[str]
    ) -> tuple[float, int, int]:
        dice = 2 * shared / (len(pairs) + self._pairs[place])
        return -dice, abs(len(self._folded[place]) - len(folded)), place


def _letter_pairs(folded: str) -> set[str]:
    padded = f" {folded} "
    return {padded[place : place + 2] for place in range(len(padded) - 1)}


def _likeness(matcher: "SequenceMatcher[str]", folded: str) -> float:
    matcher.set_seq1(folded)
    return matcher.ratio()
