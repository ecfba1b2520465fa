"""What a name may be. Plain Python: any script, but nothing that breaks a page."""

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


def problems(name: str) -> Iterator[str]:
    """Everything wrong with the name as typed, each with what to do; nothing when it can be used.

    Lengths count code points after cleaning, as the column that stores them does.
    """
    text = clean(name)
    yield from _character_problems(text)
    if not is_visible(text):
        yield "Enter a name with at least one letter."
    if len(text) > MAX_LENGTH:
        yield f"The name has {len(text)} characters, {MAX_LENGTH} are allowed. Shorten it."
    elif len(comparison_key(text)) > MAX_KEY_LENGTH:
        # One ligature can stand for a sentence of 18 letters.
        yield "The name is too long once its ligatures are written out. Shorten it."


def pronoun_problems(pronouns: str) -> Iterator[str]:
    """Everything wrong with the pronouns as typed; none at all are fine."""
    text = clean(pronouns)
    yield from _character_problems(text)
    if len(text) > MAX_PRONOUNS_LENGTH:
        yield (
            f"Pronouns have at most {MAX_PRONOUNS_LENGTH} characters, not {len(text)}. "
            "Shorten them."
        )


def _character_problems(text: str) -> Iterator[str]:
    if found := forbidden_characters(text):
        yield f"Remove characters that cannot be shown: {', '.join(found)}."
    if hides_letters(text):
        yield "It has invisible characters. Type it instead of pasting it."
    if has_piled_marks(text):
        yield f"A letter has more than {MOST_MARKS} accents. Remove some."
