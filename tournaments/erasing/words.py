"""Take names out of texts and JSON, and leave everything else as it stands."""

import re
from collections.abc import Iterable
from typing import Any

from django.apps import apps

from core.text import clean

OWN_APPS = ("players", "decks", "matches", "rulings", "tournaments")
CUT_AT = 160
"""Where the subject of a log entry ends: the last name in it may be half a name."""
SHORTEST_HALF = 3
COMMON = frozenset(
    """
    a about after all also am an and any are as at be been before but by can corp could deck did
    do does draw drop end event for from game games had has have he her him his how if in into is
    it its judge just last late lost match may me more my new no not note of off on one only open
    or our out over penalty play player players points report result round rounds ruling runner
    seat she so staff table than that the their them then they this time to told too two under
    until up was we were what when where which who why will win with won you your
    And Corp Game Judge Match Player Round Runner Table The They This
    """.split()  # noqa: SIM905 - it is read as a text
)
"""Words of every sentence: calling oneself "the" empties nobody's notes. A name is as written:
Will and Can are people."""


class Names:
    """The names of one person, and the label that takes their place.

    A name of one word is found as it is written, one of several in any case of letters, both as
    whole words only. A name without two letters ("7", "X") and one that is a word of every
    sentence are found where they stand alone: a number in a sentence is no person.
    """

    def __init__(self, names: Iterable[str], label: str) -> None:
        self.label = label
        self.known = {clean(name) for name in names if clean(name)} - {label}
        # The longest first, so that "Ada Lovelace" leaves no "Player 17 Lovelace".
        ordered = sorted(self.known, key=lambda name: (-len(name), name))
        self.in_text = [_pattern(name) for name in ordered if _is_told_apart(name)]
        self.codes = _codes()

    def in_words(self, text: str) -> str:
        """A sentence without the names."""
        if clean(text) in self.known:
            return self.label
        for pattern in self.in_text:
            text = pattern.sub(self.label, text)
        return text

    def in_subject(self, text: str) -> str:
        """As `in_words`, for a text that may have been cut off in the middle of a name."""
        found = self.in_words(text)
        if len(text) < CUT_AT:
            return found
        for name in self.known:
            for length in range(len(name) - 1, SHORTEST_HALF - 1, -1):
                if found.endswith(name[:length]):
                    return f"{found[: len(found) - length]}{self.label}"[:CUT_AT]
        return found[:CUT_AT]

    def in_json(self, value: Any) -> Any:
        """The same document without the names; keys and codes ("judge", "open") stay."""
        if isinstance(value, str):
            return value if value in self.codes else self.in_words(value)
        if isinstance(value, list):
            return [self.in_json(one) for one in value]
        if isinstance(value, dict):
            return {key: self.in_json(one) for key, one in value.items()}
        return value


def _is_told_apart(name: str) -> bool:
    """Whether a sentence with it is about the person."""
    letters = sum(character.isalpha() for character in name)
    return letters > 1 and name not in COMMON


def _pattern(name: str) -> re.Pattern[str]:
    is_one_word = name.isalnum()
    flags = re.NOFLAG if is_one_word else re.IGNORECASE
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", flags)


def _codes() -> frozenset[str]:
    """Every value a column with choices can have: words of the machine, whoever is called so."""
    fields = (
        field
        for app in OWN_APPS
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.get_fields()
    )
    return frozenset(
        str(value) for field in fields for value, _ in getattr(field, "flatchoices", ()) if value
    )
