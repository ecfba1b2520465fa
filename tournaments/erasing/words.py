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


class Names:
    """The names of one person, and the label that takes their place.

    A name of one word is found as it is written, one of several in any case of letters, both as
    whole words only. A name without two letters ("7", "X") is found where it stands alone: a
    number in a sentence is no person.
    """

    def __init__(self, names: Iterable[str], label: str) -> None:
        self.label = label
        self.known = {clean(name) for name in names if clean(name)} - {label}
        # The longest first, so that "Ada Lovelace" leaves no "Player 17 Lovelace".
        ordered = sorted(self.known, key=lambda name: (-len(name), name))
        self.in_text = [_pattern(name) for name in ordered if _letters(name) > 1]
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


def _letters(name: str) -> int:
    return sum(character.isalpha() for character in name)


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
