"""A place in a document: a value and its JSON path."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches

from engine.documents.json_text import DocumentRefused, Json, step, written
from engine.standings import PlayerId

MOST_LETTERS = 200
LARGEST_ID = 2**63 - 1
# Keys with this prefix are the author's own and are ignored.
_OWN = "x_"


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its parent. Each reader method refuses values of another kind."""

    value: Json
    parent: "Node | None" = None
    key: str | int = ""

    @property
    def path(self) -> str:
        """The JSON path, computed lazily because few are used."""
        return "$" if self.parent is None else step(self.parent.path, self.key)

    def refusal(self, text: str) -> DocumentRefused:
        return DocumentRefused(text, self.path)

    def under(self, key: str) -> "Node":
        """Return the node at a key, with value None if missing. This node must be an object."""
        return Node(self.value.get(key), self, key)

    def is_set(self) -> bool:
        """Return True unless the value is missing or null."""
        return self.value is not None

    def object_of(self, known: Collection[str], needed: Collection[str] = ()) -> "Node":
        """Check for an object with all `needed` and no unknown keys; return the node."""
        if not isinstance(self.value, dict):
            raise self.refusal(f"Expected an object, not {self.shown()}.")
        for key in self.value:
            if key not in known and not key.startswith(_OWN):
                raise Node(None, self, key).refusal(_unknown(key, known))
        for key in needed:
            if self.value.get(key) is None:
                raise self.under(key).refusal(f'"{key}" is missing. Add it.')
        return self

    def items(self, least: int = 0, most: int | None = None) -> Iterator["Node"]:
        if not isinstance(self.value, list):
            raise self.refusal(f"Expected a list, not {self.shown()}.")
        if len(self.value) < least:
            raise self.refusal(f"Expected at least {least}, not {len(self.value)}.")
        if most is not None and len(self.value) > most:
            raise self.refusal(f"Expected at most {most}, not {len(self.value)}.")
        return (Node(inner, self, place) for place, inner in enumerate(self.value))

    def integer(self, least: int, most: int) -> int:
        """Return an integer. Refuse `3.0`, `"3"` and `true`."""
        if isinstance(self.value, Decimal):
            raise self.refusal(f"Expected a whole number in digits alone, not {self.shown()}.")
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.refusal(f"Expected a whole number, not {self.shown()}.")
        if not least <= self.value <= most:
            raise self.refusal(
                f"{self.value} is out of bounds. Write a whole number from {least} to {most}."
            )
        return self.value

    def optional_integer(self, least: int, most: int) -> int | None:
        """Return an integer, or None if missing."""
        return self.integer(least, most) if self.is_set() else None

    def flag(self) -> bool:
        """Return a boolean, False if missing."""
        if not isinstance(self.value, bool | None):
            raise self.refusal(f"Expected true or false, not {self.shown()}.")
        return bool(self.value)

    def text(self) -> str:
        """Return a text of at most MOST_LETTERS."""
        if not isinstance(self.value, str):
            raise self.refusal(f"Expected a text, not {self.shown()}.")
        if len(self.value) > MOST_LETTERS:
            raise self.refusal(
                f"The text has more than {MOST_LETTERS} letters. Write a shorter one."
            )
        return self.value

    def one_of(self, words: Collection[str]) -> str:
        word = self.text()
        if word not in words:
            raise self.refusal(
                f"Unknown value {self.shown()}.{_meant(word, words)} Allowed: {', '.join(words)}."
            )
        return word

    def player_id(self) -> PlayerId:
        """Return an integer or a text; 1 and "1" are different players."""
        if isinstance(self.value, str):
            return self.text()
        if isinstance(self.value, Decimal):
            raise self.refusal(
                f"An id is a whole number in digits alone, or a text in quotes, not {self.shown()}."
            )
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.refusal(f"An id is a whole number or a text, not {self.shown()}.")
        return self.integer(-LARGEST_ID, LARGEST_ID)

    def shown(self) -> str:
        """Return the value shortened for a message."""
        if isinstance(self.value, dict):
            return "an object"
        if isinstance(self.value, list):
            return "a list"
        if isinstance(self.value, Decimal):
            # Not `written`, which writes 100 for 1e2.
            letters = str(self.value)
        else:
            letters = written(self.value).decode().strip()
        return letters if len(letters) <= 40 else f"{letters[:39]}…"


def _unknown(key: str, known: Collection[str]) -> str:
    return f"Unknown key.{_meant(key, known)} Allowed: {', '.join(known)}."


def _meant(word: str, words: Collection[str]) -> str:
    near = get_close_matches(word[:MOST_LETTERS], words, n=1)
    return f' Did you mean "{near[0]}"?' if near else ""
