"""Rules for names and pronouns, in any script, without Django."""

import re
from collections.abc import Iterator

from core.text import (
    MAX_MARKS,
    Message,
    clean,
    comparison_key,
    forbidden_characters,
    gettext_noop,
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


def name_problems(name: str) -> Iterator[Message]:
    """Yield a message for each problem with the name, measured after cleaning as it is stored."""
    text = clean(name)
    if len(text) > MAX_NAME_LENGTH:
        yield Message(
            gettext_noop("The name has %(length)s characters. The limit is %(most)s: shorten it."),
            {"length": len(text), "most": MAX_NAME_LENGTH},
        )
        return
    yield from _character_problems(text)
    if not is_visible(text):
        yield Message(gettext_noop("Enter a name with at least one letter."))
    if EMAIL_ADDRESS.search(text):
        if without_email_addresses(text):
            yield Message(gettext_noop("Remove the email address: everyone can see the name."))
        else:
            yield Message(gettext_noop("Enter a name, not an email address: everyone can see it."))
    if len(comparison_key(text)) > MAX_KEY_LENGTH:
        # A single ligature can stand for a sentence of 18 letters.
        yield Message(
            gettext_noop("The name is too long once its ligatures are written out. Shorten it.")
        )


def pronoun_problems(pronouns: str) -> Iterator[Message]:
    text = clean(pronouns)
    if len(text) > MAX_PRONOUNS_LENGTH:
        yield Message(
            gettext_noop(
                "Pronouns have at most %(most)s characters, not %(length)s. Shorten them."
            ),
            {"most": MAX_PRONOUNS_LENGTH, "length": len(text)},
        )
        return
    yield from _character_problems(text)
    if EMAIL_ADDRESS.search(text):
        yield Message(gettext_noop("Remove the email address: everyone can see the pronouns."))


def _character_problems(text: str) -> Iterator[Message]:
    if forbidden := forbidden_characters(text):
        yield Message(
            gettext_noop("Remove characters that cannot be shown: %(characters)s."),
            {"characters": ", ".join(forbidden)},
        )
    if has_hidden_letters(text):
        yield Message(gettext_noop("Remove invisible characters: type it instead of pasting it."))
    if has_piled_marks(text):
        yield Message(
            gettext_noop("A letter has more than %(most)s accents. Remove some."),
            {"most": MAX_MARKS},
        )
