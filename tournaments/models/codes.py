"""Join codes, check-in codes and random seeds of an event."""

import secrets

from django.core import signing

# 32 characters, so six give 30 bits. 0, 1, I and O are easily misread.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 6


def new_join_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def new_seed() -> int:
    return secrets.randbelow(2**31)


def normal_join_code(typed: str) -> str:
    """Return a typed join code as it is stored: upper case, without blanks or dashes."""
    return "".join(character for character in typed.upper() if character.isalnum())


_CHECK_IN = signing.Signer(salt="tournaments.check-in", sep=".")


def check_in_code(registration: int) -> str:
    """Return the signed QR code of a registration. It does not log anyone in."""
    return _CHECK_IN.sign(str(registration))


def registration_of_code(typed: str) -> int | None:
    """Return the primary key in a check-in code, or in a URL that ends with it; None if invalid."""
    try:
        return int(_CHECK_IN.unsign(typed.strip().rstrip("/").rpartition("/")[2]))
    except (signing.BadSignature, ValueError):
        return None
