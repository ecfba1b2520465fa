"""Correct typos in titles and words."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from decks.titles import TitleIndex, folded_title, without_article
from rulings.words import FILLERS, folded_words

SHORTEST_SLIP = 4  # letters; shorter texts are similar to too many others
LIKE_ENOUGH = 0.8  # minimum similarity, of 1
MOST_WORDS_OF_A_TITLE = 8


class Slips:
    """Search for texts one edit away: a wrong, missing or extra letter, or two swapped letters."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = sorted(set(texts))

    def near(self, typed: str) -> list[str]:
        """Return the texts one edit away in alphabetical order, excluding the text itself."""
        if len(typed) < SHORTEST_SLIP:
            return []
        from rapidfuzz import process  # imported lazily: most queries have no typo
        from rapidfuzz.distance import OSA

        found = process.extract(
            typed, self._texts, scorer=OSA.distance, processor=None, limit=None, score_cutoff=1
        )
        return sorted(text for text, distance, _ in found if distance == 1)


class Titles:
    """Search over card titles and aliases, built once for a catalogue.

    `spellings` are (text, card key) pairs. Several cards may share a text.
    """

    def __init__(self, spellings: Iterable[tuple[str, int]]) -> None:
        rows = sorted(spellings)
        self._keys: dict[str, list[int]] = defaultdict(list)
        self._by_folded: dict[str, str] = {}
        for text, key in rows:
            folded = folded_title(text)
            for form in {folded, without_article(folded)}:
                self._keys[form].append(key)
                self._by_folded.setdefault(form, text)
        self._folded = sorted(self._keys)
        self._slips = Slips(self._folded)
        self._index = TitleIndex(text for text, _ in rows)
        # "N.E.T.O." may be typed as four words or as one.
        self._words = {" ".join(folded_words(text)): folded_title(text) for text, _ in rows}
        self._words |= {form: form for form in self._folded}

    def nearest(self, typed: str, count: int = 5) -> list[int]:
        """Return keys of up to `count` cards, best first.

        Exact titles, titles one edit away, prefixes, titles with all words, then similar titles.
        """
        found: dict[int, None] = {}
        for form in self._forms(folded_title(typed)):
            found.update(dict.fromkeys(self._keys[form]))
            if len(found) >= count:
                break
        return list(found)[:count]

    def corrected(self, typed: str) -> str:
        """Return the title that the text misspells; "" for a prefix, or if none is similar."""
        folded = folded_title(typed)
        if not folded or any(self._beginning(folded)):
            return ""
        for form in (*self._slips.near(folded), *self._alike(folded)):
            return self._by_folded[form]
        return ""

    def named_in(self, typed: str) -> set[int]:
        """Return the keys of cards whose whole title occurs in the text."""
        words = folded_words(typed)
        spans = (
            " ".join(words[start:end])
            for start in range(len(words))
            for end in range(start + 1, min(start + MOST_WORDS_OF_A_TITLE, len(words)) + 1)
        )
        forms = (self._words[span] for span in spans if span in self._words)
        return {key for form in forms for key in self._keys[form]}

    def _forms(self, folded: str) -> Iterator[str]:
        if not folded:
            return
        bare = without_article(folded)
        yield from (form for form in (folded, bare) if form in self._keys)
        yield from self._slips.near(folded)
        yield from self._beginning(bare)
        words = bare.split()
        yield from (form for form in self._folded if all(f" {one}" in f" {form}" for one in words))
        yield from self._alike(folded)

    def _beginning(self, folded: str) -> Iterator[str]:
        for form in self._folded[bisect_left(self._folded, folded) :]:
            if not form.startswith(folded):
                return
            yield form

    def _alike(self, folded: str) -> Iterator[str]:
        if len(folded) < SHORTEST_SLIP:
            return
        for title in self._index.nearest(folded, at_least=LIKE_ENOUGH):
            yield folded_title(title)


class Vocabulary:
    """The words of all rulings, for correcting unknown words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._counts = Counter(word for text in texts for word in set(text.split()))
        self._slips = Slips(word for word in self._counts if len(word) >= SHORTEST_SLIP)

    def mended(self, words: Sequence[str]) -> str:
        """Replace unknown words by the most frequent word one edit away; "" if nothing changes."""
        better = [self._mended(word) for word in words]
        return " ".join(better) if better != list(words) else ""

    def _mended(self, word: str) -> str:
        if word in self._counts or word in FILLERS:
            return word
        return max(self._slips.near(word), key=lambda near: self._counts[near], default=word)
