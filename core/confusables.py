"""Names that look the same on a screen, though their letters differ."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

from core.text import LONGEST_COMPARED, comparison_key

MARKS_OF_DIRECTION = "\u200e\u200f"


def first_like(name: str, others: Iterable[str]) -> str:
    """The first of the others that a reader takes for this name; "" if there is none.

    A reason to ask, never to refuse: "Amie" looks like "Arnie".
    """
    looks = looks_of(name)
    return next((one for one in others if looks & looks_of(one)), "")


def alike(names: Mapping[int, str]) -> dict[int, int]:
    """For each number whose name looks like another's here: the first other one."""
    looks = {one: looks_of(name) for one, name in names.items()}
    firsts: dict[str, list[int]] = defaultdict(list)
    for one in sorted(names):
        for look in looks[one]:
            firsts[look] = [*firsts[look], one][:2]
    others = {one: {o for look in looks[one] for o in firsts[look]} - {one} for one in names}
    return {one: min(found) for one, found in others.items() if found}


def looks_of(name: str) -> set[str]:
    """Keys of a name: whoever shares one of them is spelt or looks the same."""
    return {comparison_key(name), skeleton(name)}


def skeleton(text: str) -> str:
    """What texts share that look alike (Unicode TS 39, section 4), in either case."""
    if len(text) > LONGEST_COMPARED:
        return comparison_key(text)
    letters = unicodedata.normalize("NFD", text).translate(_prototypes())
    return comparison_key(comparison_key(letters).translate(_prototypes()))


@cache
def _prototypes() -> dict[int, str]:
    """For each letter that looks like others the one text that stands for all of them.

    The library names each pair both ways, and no first one: here that is the longest ("rn" for
    "m", as letters are replaced one by one), then the oldest.
    """
    # Its table takes a fifth of a second to load.
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
    """Everything the letter looks like, and what that looks like."""
    family, left = {letter}, [letter]
    while left:
        new = set(looks_like.get(left.pop(), ())) - family
        family |= new
        left += new
    return family
