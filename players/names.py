"""Rules for names and pronouns, in any script, without Django."""

import re
from collections.abc import Iterator

from core.text import (
    MAX_MARKS,
    clean,
    comparison_key,
    forbidden_characters,
    has_hidden_letters,
    has_piled_marks,
    is_visible,
)

MAX_NAME_LENGTH = 100
MAX_KEY_LENGTH = 200
MAX_PRONOUNS_LENGTH = 30
_SEPARATORS = r"\s<>()\[\],;|@\uff20\ufe6b"
# "gus@example.org", also in brackets. A social media handle such as "@gus" does not match.
EMAIL_ADDRESS = re.compile(
    rf"(?<![^\s<>()\[\],;|])[<(\[]?[^{_SEPARATORS}]+[@\uff20\ufe6b][^{_SEPARATORS}.]+(?:\.[^{_SEPARATORS}.]+)+\.?[>)\]]?"
)


def without_email_addresses(text: str) -> str:
    """Remove email addresses from the cleaned text; "" if nothing else is visible."""
    if not EMAIL_ADDRESS.search(text):
        return clean(text)
    rest = clean(EMAIL_ADDRESS.sub(" ", text)).strip("\"',;|: ")
    return rest if is_visible(rest) else ""


def name_problems(name: str) -> Iterator[str]:
    """Yield a message for each problem with the name, measured after cleaning as it is stored."""
    text = clean(name)
    if len(text) > MAX_NAME_LENGTH:
        yield f"The name has {len(text)} characters. The limit is {MAX_NAME_LENGTH}: shorten it."
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
        # A single ligature can stand for a sentence of 18 letters.
        yield "The name is too long once its ligatures are written out. Shorten it."


def pronoun_problems(pronouns: str) -> Iterator[str]:
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
    if forbidden := forbidden_characters(text):
        yield f"Remove characters that cannot be shown: {', '.join(forbidden)}."
    if has_hidden_letters(text):
        yield "Remove invisible characters: type it instead of pasting it."
    if has_piled_marks(text):
        yield f"A letter has more than {MAX_MARKS} accents. Remove some."
