"""Columns for exact numbers, and for secrets."""

from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from django.core.exceptions import ValidationError
from django.db import models

SIXTIETHS = 60

if TYPE_CHECKING:
    IntegerField: TypeAlias = models.IntegerField[Any, Any]
    CharField: TypeAlias = models.CharField[str, str]
else:
    # check_deck runs without the patch of core.apps that lets a field take brackets.
    IntegerField, CharField = models.IntegerField, models.CharField


class ExactField(IntegerField):
    """A whole number or a fraction of halves, thirds, quarters or fifths; SQL orders it rightly.

    Stored as a count of sixtieths, so every share among up to six has a place. Whole numbers come
    back as int, others as Fraction. A number that has no place is refused, never rounded.
    """

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def from_db_value(self, value: int | None, *_: Any) -> int | Fraction | None:
        """What code reads."""
        return None if value is None else _read(value)

    def get_prep_value(self, value: Any) -> int | None:
        """What the database keeps."""
        if value is None:
            return None
        counted = Fraction(value) * SIXTIETHS
        if counted.denominator != 1:
            raise ValidationError(f"{value} cannot be kept exactly: it is no number of sixtieths.")
        return counted.numerator

    def to_python(self, value: Any) -> Any:
        """A number or its text, such as "10/3"."""
        if value is None:
            return None
        try:
            points = Fraction(value)
        except (ValueError, TypeError, ZeroDivisionError) as error:
            raise ValidationError(f"{value} is no whole number and no fraction.") from error
        return points.numerator if points.denominator == 1 else points


class KeptHash(str):
    """The hash of a secret, as it was read from the database."""


class HashedField(CharField):
    """A secret that is only looked up: the database keeps its SHA-256, and code reads that.

    Any other text is hashed, a hash that somebody stole as well.
    """

    def from_db_value(self, value: str | None, *_: Any) -> KeptHash | None:
        """What code reads."""
        return None if value is None else KeptHash(value)

    def get_prep_value(self, value: Any) -> str | None:
        """What the database keeps."""
        if value is None or isinstance(value, KeptHash):
            return value
        return sha256(str(value).encode()).hexdigest()


class LostSecret(str):
    """A secret whose key is not here: empty to code, and saved as it was `kept`."""

    kept: str


class EncryptedField(CharField):
    """A secret the site has to use as it is: code reads it, the database keeps it encrypted.

    Without its key it is empty, so that the rest of the row can be used and a new one be set.
    """

    def from_db_value(self, value: str | None, *_: Any) -> str | None:
        """What code reads."""
        # Only who asks for such a row pays for the library.
        from cryptography.fernet import InvalidToken

        from core import encryption

        try:
            return value and encryption.decrypt_if_needed(value)
        except InvalidToken:
            lost = LostSecret()
            lost.kept = value or ""
            return lost

    def get_prep_value(self, value: Any) -> str | None:
        """What the database keeps."""
        if isinstance(value, LostSecret):
            return value.kept
        from core import encryption

        return value and encryption.encrypt(value)


def _read(counted: int) -> int | Fraction:
    # Nearly all are whole, and thousands are read at once.
    whole, part = divmod(counted, SIXTIETHS)
    return Fraction(counted, SIXTIETHS) if part else whole
