"""Match the rulings of a new edition to those of the old, so that codes are preserved."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rulings.parsing.digest import fingerprint

# Minimum similarity (0 to 1) of two texts to count as versions of the same ruling.
MIN_SIMILARITY = 0.6
# Limit on text pairs per subject; above it, only equal texts are matched.
MAX_COMPARED = 2_500


@dataclass(frozen=True)
class StoredRuling:
    """A stored ruling with one of its texts; several records may share a code."""

    code: str
    subject: str
    text: str
    is_withdrawn: bool = False


@dataclass(frozen=True)
class EditionRuling:
    """A ruling of the new edition; `id` is its code, or "" to match by text."""

    subject: str
    text: str
    id: str = ""


def match_codes(wanted: Sequence[EditionRuling], known: Iterable[StoredRuling]) -> list[str]:
    """Return the code of each wanted ruling, or "" for a new one.

    Matches by id first, then by equal text under the same subject (rulings in force before
    withdrawn ones), then by similarity. Each code is assigned once.
    """
    found = {place: ruling.id for place, ruling in enumerate(wanted) if ruling.id}
    taken = set(found.values())
    left = [ruling for ruling in known if ruling.code not in taken]
    for place, code in _equal_texts(wanted, left):
        if place not in found and code not in taken:
            found[place] = code
            taken.add(code)
    for place, code in _similar_texts(wanted, left, set(found), taken):
        found[place] = code
    return [found.get(place, "") for place in range(len(wanted))]


def _equal_texts(
    wanted: Sequence[EditionRuling], known: Iterable[StoredRuling]
) -> Iterable[tuple[int, str]]:
    by_words: dict[tuple[str, str], list[str]] = defaultdict(list)
    for ruling in sorted(known, key=lambda ruling: ruling.is_withdrawn):
        by_words[ruling.subject, fingerprint(ruling.text)].append(ruling.code)
    for place, want in enumerate(wanted):
        for code in by_words.get((want.subject, fingerprint(want.text)), []):
            yield place, code


def _similar_texts(
    wanted: Sequence[EditionRuling], known: Iterable[StoredRuling], found: set[int], taken: set[str]
) -> Iterable[tuple[int, str]]:
    """Yield pairs under the same subject, most similar first, using each ruling once."""
    old: dict[str, list[StoredRuling]] = defaultdict(list)
    new: dict[str, list[int]] = defaultdict(list)
    for ruling in known:
        if ruling.code not in taken and not ruling.is_withdrawn:
            old[ruling.subject].append(ruling)
    for place, want in enumerate(wanted):
        if place not in found and want.subject in old:
            new[want.subject].append(place)
    for subject, places in new.items():
        if len(places) * len(old[subject]) > MAX_COMPARED:
            continue
        pairs = sorted(
            (-_similarity(wanted[place].text, stored.text), place, stored.code)
            for place in places
            for stored in old[subject]
        )
        for likeness, place, code in pairs:
            if -likeness >= MIN_SIMILARITY and place not in found and code not in taken:
                found.add(place)
                taken.add(code)
                yield place, code


def _similarity(text: str, other: str) -> float:
    return SequenceMatcher(
        a=_compared_text(text).split(), b=_compared_text(other).split(), autojunk=False
    ).ratio()


def _compared_text(text: str) -> str:
    question, mark, _ = text.partition("\n\nAnswer: ")
    return question.casefold() if mark else text.casefold()
