"""Names that look the same although their letters differ."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

from core.text import LONGEST_COMPARED, comparison_key

MARKS_OF_DIRECTION = "\u200e\u200f"


def first_like(name: str, others: Iterable[str]) -> str:
    """Return the first of the others that looks like this name, or "".

    Use it to warn, never to refuse: "Amie" looks like "Arnie".
    """
    looks = looks_of(name)
    return next((one for one in others if looks & looks_of(one)), "")


def alike(names: Mapping[int, str]) -> dict[int, int]:
    """Map each number whose name looks like another's to the first such number."""
    looks = {one: looks_of(name) for one, name in names.items()}
    firsts: dict[str, list[int]] = defaultdict(list)
    for one in sorted(names):
        for look in looks[one]:
            firsts[look] = [*firsts[look], one][:2]
    others = {one: {o for look in looks[one] for o in firsts[look]} - {one} for one in names}
    return {one: min(found) for one, found in others.items() if found}


def looks_of(name: str) -> set[str]:
    """Return the keys of a name. Names that share a key are spelt or look the same."""
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
        text: [pair["c"].strip(MARKS_OF_DIRECTION) for pair in pairs]
        for text, pairs in confusables_data.items()
    }
    found: dict[int, str] = {}
    for letter in looks_like:
        if len(letter) == 1 and ord(letter) not in found:
            family = _family(letter, looks_like)
            first = min(family, key=lambda one: (-len(one), one))
            found |= {ord(one): first for one in family if len(one) == 1}
    return found


def _family(letter: str, looks_like: Mapping[str, list[str]]) -> set[str]:
    """Return the transitive closure of all texts that the letter looks like."""
    family, left = {letter}, [letter]
    while left:
        new = set(looks_like.get(left.pop(), ())) - family
        family |= new
        left += new
    return family
