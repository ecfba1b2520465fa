"""Join codes, seeds and slugs: what an event is found and drawn by."""

import secrets

# 32 signs, so six of them are 30 bits; without 0, 1, I and O, which are misread.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 6


def new_join_code() -> str:
    """Six letters and digits that cannot be misread."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def new_seed() -> int:
    """A seed for all chance of an event, 0 <= seed < 2**31."""
    return secrets.randbelow(2**31)


def normal_join_code(typed: str) -> str:
    """What a person typed, as the code is stored: upper case, no blanks or dashes."""
    return "".join(character for character in typed.upper() if character.isalnum())
