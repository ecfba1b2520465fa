"""Which ruling of a new edition is which of the old one, so that codes stay."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rulings.parsing.document import fingerprint

ALIKE = 0.6
"""Of two texts, from 0 to 1: from here on one is the other one changed."""
MOST_COMPARED = 2_500
"""Pairs of texts under one subject; where there are more, only equal ones are found."""


@dataclass(frozen=True)
class Known:
    """A ruling that is there, by one of its wordings; there may be several of one code."""

    code: str
    subject: str
    text: str
    is_withdrawn: bool = False


@dataclass(frozen=True)
class Wanted:
    """A ruling of the new edition; `id` is its code, "" where the words tell."""

    subject: str
    text: str
    id: str = ""


def codes_of(wanted: Sequence[Wanted], known: Iterable[Known]) -> list[str]:
    """The code of each wanted ruling, "" for a new one.

    First the ids count, then equal words under the same subject (of those in force before those
    withdrawn), then the most alike of those left. No code is given twice, and the order in which
    rulings stand decides nothing but which of two equals is which.
    """
    found = {place: one.id for place, one in enumerate(wanted) if one.id}
    taken = set(found.values())
    left = [one for one in known if one.code not in taken]
    for place, code in _equal(wanted, left):
        if place not in found and code not in taken:
            found[place] = code
            taken.add(code)
    for place, code in _alike(wanted, left, set(found), taken):
        found[place] = code
    return [found.get(place, "") for place in range(len(wanted))]


def _equal(wanted: Sequence[Wanted], known: Iterable[Known]) -> Iterable[tuple[int, str]]:
    by_words: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in sorted(known, key=lambda one: one.is_withdrawn):
        by_words[one.subject, fingerprint(one.text)].append(one.code)
    for place, want in enumerate(wanted):
        for code in by_words.get((want.subject, fingerprint(want.text)), []):
            yield place, code


def _alike(
    wanted: Sequence[Wanted], known: Iterable[Known], found: set[int], taken: set[str]
) -> Iterable[tuple[int, str]]:
    """Pairs under one subject, the most alike first, each side once."""
    old: dict[str, list[Known]] = defaultdict(list)
    new: dict[str, list[int]] = defaultdict(list)
    for one in known:
        if one.code not in taken and not one.is_withdrawn:
            old[one.subject].append(one)
    for place, want in enumerate(wanted):
        if place not in found and want.subject in old:
            new[want.subject].append(place)
    for subject, places in new.items():
        if len(places) * len(old[subject]) > MOST_COMPARED:
            continue
        pairs = sorted(
            (-_likeness(wanted[place].text, one.text), place, one.code)
            for place in places
            for one in old[subject]
        )
        for likeness, place, code in pairs:
            if -likeness >= ALIKE and place not in found and code not in taken:
                found.add(place)
                taken.add(code)
                yield place, code


def _likeness(one: str, other: str) -> float:
    """How much of the words two texts share, from 0 to 1; of answers, the question decides."""
    return SequenceMatcher(a=_asked(one).split(), b=_asked(other).split(), autojunk=False).ratio()


def _asked(text: str) -> str:
    question, mark, _ = text.partition("\n\nAnswer: ")
    return question.casefold() if mark else text.casefold()
