"""Join codes, check-in codes and seeds: what an event and its players are found and drawn by."""

import secrets

from django.core import signing

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


_CHECK_IN = signing.Signer(salt="tournaments.check-in", sep=".")


def check_in_code(registration: int) -> str:
    """What stands in the QR code of a place in an event, by its key; it opens no account."""
    return _CHECK_IN.sign(str(registration))


def registration_of_code(typed: str) -> int | None:
    """The key of the place a check-in code, or an address that ends with it, is of; else None."""
    try:
        return int(_CHECK_IN.unsign(typed.strip().rstrip("/").rpartition("/")[2]))
    except (signing.BadSignature, ValueError):
        return None
