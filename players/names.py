"""What a name may be. Plain Python: any script, but nothing that breaks a page."""

import re
from collections.abc import Iterator

from core.text import (
    MOST_MARKS,
    clean,
    comparison_key,
    forbidden_characters,
    has_piled_marks,
    hides_letters,
    is_visible,
)

MAX_LENGTH = 100
MAX_KEY_LENGTH = 200
MAX_PRONOUNS_LENGTH = 30
_APART = r"\s<>()\[\],;|@\uff20\ufe6b"
# "gus@example.org", also in brackets. A handle of a social network begins with "@" and is none.
EMAIL_ADDRESS = re.compile(
    rf"(?<![^\s<>()\[\],;|])[<(\[]?[^{_APART}]+[@\uff20\ufe6b][^{_APART}.]+(?:\.[^{_APART}.]+)+\.?[>)\]]?"
)


def without_email_addresses(text: str) -> str:
    """The cleaned text with its email addresses taken out; "" if nothing else can be seen."""
    if not EMAIL_ADDRESS.search(text):
        return clean(text)
    rest = clean(EMAIL_ADDRESS.sub(" ", text)).strip("\"',;|: ")
    return rest if is_visible(rest) else ""


def problems(name: str) -> Iterator[str]:
    """Everything wrong with the name as typed, each with what to do; nothing when it can be used.

    Of a name that is too long, only the length is checked. Lengths count code points after
    cleaning, as the column that stores them does.
    """
    text = clean(name)
    if len(text) > MAX_LENGTH:
        yield f"The name has {len(text)} characters, {MAX_LENGTH} are allowed. Shorten it."
        return
    yield from _character_problems(text)
    if not is_visible(text):
        yield "Enter a name with at least one letter."
    if EMAIL_ADDRESS.search(text):
        if without_email_addresses(text):
            yield "Remove the email address: everyone can see the name."
        else:
            yield "Enter a name, not an email address: everyone can see it."
    if len(comparison_key(text)) > MAX_KEY_LENGTH:
        # One ligature can stand for a sentence of 18 letters.
        yield "The name is too long once its ligatures are written out. Shorten it."


def pronoun_problems(pronouns: str) -> Iterator[str]:
    """Everything wrong with the pronouns as typed; none at all are fine."""
    text = clean(pronouns)
    if len(text) > MAX_PRONOUNS_LENGTH:
        yield (
            f"Pronouns have at most {MAX_PRONOUNS_LENGTH} characters, not {len(text)}. "
            "Shorten them."
        )
        return
    yield from _character_problems(text)
    if EMAIL_ADDRESS.search(text):
        yield "Remove the email address: everyone can see the pronouns."


def _character_problems(text: str) -> Iterator[str]:
    if found := forbidden_characters(text):
        yield f"Remove characters that cannot be shown: {', '.join(found)}."
    if hides_letters(text):
        yield "It has invisible characters. Type it instead of pasting it."
    if has_piled_marks(text):
        yield f"A letter has more than {MOST_MARKS} accents. Remove some."
