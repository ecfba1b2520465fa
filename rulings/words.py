"""Words of texts and queries: terms, typos, differences and marks."""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from core.text import folded_text
from decks.titles import TitleIndex, folded_title, without_article

LONGEST_TYPED = 300  # characters
MAX_TERMS = 16
LONGEST_WORD = 60  # letters; an index refuses words without end
APOSTROPHE = re.compile(r"(?<=\w)['\u2032](?=\w)")
WORD = re.compile(r"[^\W_]+")
# A quoted phrase (the closing quote may be missing) or a run of letters.
QUERY_PIECE = re.compile(r'"([^"]*)(?:"|$)|([^\s"]+)')
# Stop words. They count inside quotes, or if the query has no other words.
_FILLER_TEXT = (
    "a an and are as at be but by can do does for from has have how i if in is it its may of on or "
    "so than that the their then there they this to was what when where which who will with you "
    "your"
)
FILLER_WORDS = frozenset(_FILLER_TEXT.split())


@dataclass(frozen=True)
class SearchTerm:
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


def terms_of(typed: str) -> list[SearchTerm]:
    """Parse a search query. Accepts any text; without words the result is empty.

    A "quoted phrase" matches adjacent words and `vir*` matches a prefix. A word with inner
    punctuation, such as Self-Modifying, also matches adjacent words.
    """
    pieces = QUERY_PIECE.findall(folded_text(typed[:LONGEST_TYPED]))
    terms: list[SearchTerm] = []
    significant: list[SearchTerm] = []
    for quoted, plain in pieces:
        piece = quoted or plain
        term = SearchTerm(tuple(folded_words(piece)), starts=piece.endswith("*"))
        if not term.words or len(terms) == MAX_TERMS:
            continue
        terms.append(term)
        is_filler = len(term.words) == 1 and not term.starts and term.words[0] in FILLER_WORDS
        if quoted or not is_filler:
            significant.append(term)
    return significant or terms


def prefix_terms(terms: list[SearchTerm]) -> list[SearchTerm]:
    return [SearchTerm(term.words, starts=True) for term in terms]


# Typos.

SHORTEST_CORRECTED = 4  # letters; shorter texts are similar to too many others
MIN_SIMILARITY = 0.8  # minimum similarity, of 1
MAX_WORDS_OF_A_TITLE = 8


class TypoIndex:
    """Search for texts one edit away: a wrong, missing or extra letter, or two swapped letters."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = sorted(set(texts))

    def near(self, typed: str) -> list[str]:
        if len(typed) < SHORTEST_CORRECTED:
            return []
        from rapidfuzz import process  # imported lazily: most queries have no typo
        from rapidfuzz.distance import OSA

        found = process.extract(
            typed, self._texts, scorer=OSA.distance, processor=None, limit=None, score_cutoff=1
        )
        return sorted(text for text, distance, _ in found if distance == 1)


class CardTitles:
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
        self._slips = TypoIndex(self._folded)
        self._index = TitleIndex(text for text, _ in rows)
        # "N.E.T.O." may be typed as four words or as one.
        self._words = {" ".join(folded_words(text)): folded_title(text) for text, _ in rows}
        self._words |= {form: form for form in self._folded}

    def nearest(self, typed: str, count: int = 5) -> list[int]:
        """Return keys of up to `count` cards, best first."""
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
            for end in range(start + 1, min(start + MAX_WORDS_OF_A_TITLE, len(words)) + 1)
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
        if len(folded) < SHORTEST_CORRECTED:
            return
        for title in self._index.nearest(folded, at_least=MIN_SIMILARITY):
            yield folded_title(title)


class Vocabulary:
    def __init__(self, texts: Iterable[str]) -> None:
        self._counts = Counter(word for text in texts for word in set(text.split()))
        self._slips = TypoIndex(word for word in self._counts if len(word) >= SHORTEST_CORRECTED)

    def corrected(self, words: Sequence[str]) -> str:
        """Replace unknown words by the most frequent word one edit away; "" if nothing changes."""
        better = [self._corrected(word) for word in words]
        return " ".join(better) if better != list(words) else ""

    def _corrected(self, word: str) -> str:
        if word in self._counts or word in FILLER_WORDS:
            return word
        return max(self._slips.near(word), key=lambda near: self._counts[near], default=word)


# Differences, word by word.

DIFF_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


class DiffKind(StrEnum):
    KEPT = "kept"
    DELETED = "deleted"
    INSERTED = "inserted"


@dataclass(frozen=True)
class DiffPiece:
    text: str
    change: DiffKind


def difference(old: str, new: str) -> list[DiffPiece]:
    """Return the pieces in reading order; a deletion comes before its replacement.

    Kept and deleted pieces joined are exactly the old text; kept and inserted pieces joined are
    exactly the new text.

    >>> [(piece.change.value, piece.text) for piece in difference("pay one", "pay two")]
    [('kept', 'pay '), ('deleted', 'one'), ('inserted', 'two')]
    """
    return list(_merge_spaces(_diff_pieces(DIFF_TOKEN.findall(old), DIFF_TOKEN.findall(new))))


def _diff_pieces(before: list[str], after: list[str]) -> Iterator[DiffPiece]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield DiffPiece("".join(before[old_start:old_end]), DiffKind.KEPT)
        else:
            yield DiffPiece("".join(before[old_start:old_end]), DiffKind.DELETED)
            yield DiffPiece("".join(after[new_start:new_end]), DiffKind.INSERTED)


def _merge_spaces(pieces: Iterator[DiffPiece]) -> Iterator[DiffPiece]:
    # Single spaces between two changes join them, so that phrases stay together.
    kept = [piece for piece in pieces if piece.text]
    gone, come = "", ""
    for place, piece in enumerate(kept):
        between = piece.change is DiffKind.KEPT and 0 < place < len(kept) - 1
        if piece.change is DiffKind.KEPT and not (between and piece.text.isspace()):
            yield from _changed_pieces(gone, come)
            gone, come = "", ""
            yield piece
            continue
        gone += piece.text if piece.change is not DiffKind.INSERTED else ""
        come += piece.text if piece.change is not DiffKind.DELETED else ""
    yield from _changed_pieces(gone, come)


def _changed_pieces(gone: str, come: str) -> Iterator[DiffPiece]:
    if gone:
        yield DiffPiece(gone, DiffKind.DELETED)
    if come:
        yield DiffPiece(come, DiffKind.INSERTED)


# Marks.

DISPLAYED_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
WORD_ENDINGS = ("ing", "ed", "es", "s", "e")
SHORTEST_STEM = 3


@dataclass(frozen=True)
class TextPassage:
    text: str
    is_hit: bool


def passages(text: str, typed: str) -> list[TextPassage]:
    """Split the text into pieces; joined they are exactly the text."""
    words = {(word, term.starts) for term in terms_of(typed) for word in term.words}
    pieces, done = [], 0
    for found in DISPLAYED_WORD.finditer(text):
        if any(_is_same_word(found.group(), word, starts) for word, starts in words):
            pieces.append(TextPassage(text[done : found.start()], is_hit=False))
            pieces.append(TextPassage(found.group(), is_hit=True))
            done = found.end()
    pieces.append(TextPassage(text[done:], is_hit=False))
    return [piece for piece in pieces if piece.text]


def _is_same_word(shown: str, word: str, starts: bool) -> bool:
    # As in the index: the same word, possibly with another ending.
    bare = "".join(folded_words(shown))
    if starts or bare == word:
        return bare.startswith(word)
    stem = next((word.removesuffix(end) for end in WORD_ENDINGS if word.endswith(end)), word)
    if len(stem) < SHORTEST_STEM:
        return False
    return bare.startswith(stem) and bare[len(stem) :] in {"", *WORD_ENDINGS}
