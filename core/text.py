"""Cleaning and comparing names and titles in any script."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

# Unicode's property Default_Ignorable_Code_Point (14 to 16): invisible characters.
IGNORABLE = frozenset(
    point
    for first, last in [
        (0x00AD, 0x00AD),
        (0x034F, 0x034F),
        (0x061C, 0x061C),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x200B, 0x200F),
        (0x202A, 0x202E),
        (0x2060, 0x206F),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFEFF, 0xFEFF),
        (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFF8),
        (0x1BCA0, 0x1BCA3),
        (0x1D173, 0x1D17A),
        (0xE0000, 0xE0FFF),
    ]
    for point in range(first, last + 1)
)
# The flags of England, Scotland and Wales use invisible tag letters; elsewhere these hide text.
FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,6}\U000e007f")
TAGS = range(0xE0000, 0xE0080)
BIDI_OVERRIDES = frozenset(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x2070)]))
# Joiners, variation selectors and fillers shape letters and emoji, so names contain them. Names
# that differ in nothing else look alike, so the key drops them.
SHAPING = frozenset(
    [
        0x034F,
        0x115F,
        0x1160,
        0x17B4,
        0x17B5,
        0x200C,
        0x200D,
        0x3164,
        0xFFA0,
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    ]
)
# PostgreSQL rejects NUL in text.
UNSEEN = dict.fromkeys(IGNORABLE - {*TAGS} | {0x0000, 0x2800})
# Marks without effect on a letter; direction overrides and hidden letters are refused instead.
ZERO_WIDTH = dict.fromkeys(IGNORABLE - SHAPING - {*TAGS} - {*map(ord, BIDI_OVERRIDES)})
FOLDED_PUNCTUATION = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
# Letters that Unicode does not decompose; the key is in lower case.
BARE_LETTERS = str.maketrans(
    {"\u0142": "l", "\u00f8": "o", "\u0111": "d", "\u00f0": "d", "\u0131": "i", "\u0127": "h"}
    | {"\u00e6": "ae", "\u0153": "oe", "\u00fe": "th"}
)
# Longest word or name, in characters, that is normalised; every field for a name is shorter. A
# character may become 18 in NFKC, and the time for piled accents is quadratic.
LONGEST_COMPARED = 400
# Accents and vowel signs on a letter; no script in use today has more.
MAX_MARKS = 4


def gettext_noop(text: str) -> str:
    """Mark a text of a module without Django for translation; pages translate it when shown."""
    return text


@dataclass(frozen=True)
class Message:
    """A text with values, from a module without Django; core.languages translates it when shown.

    `plural` is the text if the value `number` is not 1. A value may be a message itself.
    """

    text: str
    values: Mapping[str, object] = field(default_factory=dict, hash=False)
    plural: str = ""

    def __str__(self) -> str:
        is_plural = self.plural and self.values["number"] != 1
        return (self.plural if is_plural else self.text) % self.values


def ngettext_lazy(text: str, plural: str, **values: object) -> Message:
    """Mark a text and its plural, chosen by the value `number`, for translation."""
    return Message(text, values, plural)


def with_full_stop(sentence: str) -> str:
    """Append a full stop unless the sentence ends with it, as in "Encoder, Inc."."""
    return sentence if sentence.endswith(".") else f"{sentence}."


def plain_newlines(text: str) -> str:
    # Browsers send two characters.
    return text.replace("\r\n", "\n").replace("\r", "\n")


def clean(text: str) -> str:
    """Return the text in NFC, without zero-width marks, with single spaces between words."""
    if text.isascii():
        return " ".join(text.split())
    return " ".join(
        word if len(word) > LONGEST_COMPARED else unicodedata.normalize("NFC", word)
        for word in text.translate(ZERO_WIDTH).split()
    )


def comparison_key(text: str) -> str:
    """Return the key that two spellings of a name share: NFKC and casefolded.

    A text of more than LONGEST_COMPARED characters is not folded: no stored name equals it.
    """
    if text.isascii():
        return " ".join(text.replace("\0", "").lower().split())
    key = clean(text.replace("\0", ""))
    folded = _fold(key)
    # Folding may yield a text that folds further (Unicode 3.13, D146).
    while folded != key:
        key, folded = folded, _fold(folded)
    return key


def _fold(text: str) -> str:
    if len(text) > LONGEST_COMPARED:
        return text
    compatible = unicodedata.normalize("NFKC", text.translate(UNSEEN))
    if len(compatible) > LONGEST_COMPARED:
        return " ".join(compatible.split())
    folded = unicodedata.normalize("NFKC", compatible.casefold())
    return clean(folded.translate(FOLDED_PUNCTUATION))


def folded_text(text: str) -> str:
    """Fold a text of any length word by word, as `comparison_key` folds a name."""
    if text.isascii():
        return comparison_key(text)
    return " ".join(comparison_key(word) for word in text.split())


def sort_key(text: str) -> str:
    """Return a key for alphabetical order without accents: "Émile" under E, "Łucja" under L."""
    key = comparison_key(text)
    if len(key) > LONGEST_COMPARED:
        return key
    decomposed = unicodedata.normalize("NFKD", key.translate(BARE_LETTERS))
    bare = "".join(letter for letter in decomposed if unicodedata.category(letter) != "Mn")
    return unicodedata.normalize("NFC", bare)


def forbidden_characters(text: str) -> list[str]:
    """Return the names of control, private and direction-override characters."""
    if text.isascii() and text.isprintable():
        return []
    # Unassigned code points pass: they may be letters newer than this Python.
    forbidden = dict.fromkeys(
        character
        for character in text
        if unicodedata.category(character) in {"Cc", "Cs", "Co"}
        or character in BIDI_OVERRIDES
        or ord(character) & 0xFFFE == 0xFFFE
        or 0xFDD0 <= ord(character) <= 0xFDEF
    )
    return [unicodedata.name(character, f"U+{ord(character):04X}") for character in forbidden]


def has_hidden_letters(text: str) -> bool:
    # Invisible tag characters are allowed in flags only.
    return not text.isascii() and any(ord(character) in TAGS for character in FLAG.sub("", text))


def has_piled_marks(text: str) -> bool:
    run, seen = 0, text.translate(UNSEEN)
    for character in "" if text.isascii() else unicodedata.normalize("NFD", seen):
        run = run + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if run > MAX_MARKS:
            return True
    return False


def is_visible(text: str) -> bool:
    return any(unicodedata.category(character)[0] in "LNPS" for character in text.translate(UNSEEN))


# Names that look the same although their letters differ.

DIRECTION_MARKS = "\u200e\u200f"


def find_lookalike(name: str, candidates: Iterable[str]) -> str:
    """Return the first candidate that looks like this name, or "": to warn, never to refuse."""
    keys = lookalike_keys(name)
    return next((candidate for candidate in candidates if keys & lookalike_keys(candidate)), "")


def find_lookalikes(names: Mapping[int, str]) -> dict[int, int]:
    """Map each number to the first other number whose name looks the same, if any."""
    keys = {number: lookalike_keys(name) for number, name in names.items()}
    # The first two suffice: one of them has another number.
    firsts: dict[str, list[int]] = defaultdict(list)
    for number in sorted(names):
        for key in keys[number]:
            firsts[key] = [*firsts[key], number][:2]
    lookalikes = {
        number: {first for key in keys[number] for first in firsts[key]} - {number}
        for number in names
    }
    return {number: min(similar) for number, similar in lookalikes.items() if similar}


def lookalike_keys(name: str) -> set[str]:
    """Return keys for comparison: names that share a key are spelt or look the same."""
    return {comparison_key(name), skeleton(name)}


def skeleton(text: str) -> str:
    """Return the key of texts that look alike in either case (Unicode TS 39, section 4)."""
    if len(text) > LONGEST_COMPARED:
        return comparison_key(text)
    letters = unicodedata.normalize("NFD", text).translate(_prototypes())
    return comparison_key(comparison_key(letters).translate(_prototypes()))


@cache
def _prototypes() -> dict[int, str]:
    """Map each confusable letter to the text that represents its group.

    The library lists each pair in both directions without a preferred letter. The longest is used
    here ("rn" for "m", as letters are replaced individually), then the lowest code point.
    """
    # Loading its table takes a fifth of a second.
    from confusable_homoglyphs.confusables import confusables_data

    looks_like = {
        text: [pair["c"].strip(DIRECTION_MARKS) for pair in pairs]
        for text, pairs in confusables_data.items()
    }
    prototypes: dict[int, str] = {}
    for letter in looks_like:
        if len(letter) != 1 or ord(letter) in prototypes:
            continue
        group, unvisited = {letter}, [letter]
        while unvisited:
            new = set(looks_like.get(unvisited.pop(), ())) - group
            group |= new
            unvisited += new
        prototype = min(group, key=lambda text: (-len(text), text))
        prototypes |= {ord(text): prototype for text in group if len(text) == 1}
    return prototypes
