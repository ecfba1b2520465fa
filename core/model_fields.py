"""Model fields for exact numbers and for secrets."""

from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext

SIXTIETHS = 60


def label_or_text(choices: type[models.TextChoices], stored: str) -> str:
    """Return the label of a stored code; another text, such as one of an earlier release, as is."""
    return str(choices(stored).label) if stored in choices.values else stored


if TYPE_CHECKING:
    IntegerField: TypeAlias = models.IntegerField[Any, Any]
    CharField: TypeAlias = models.CharField[str, str]
else:
    # check_deck runs without the patch in core.apps that makes fields subscriptable.
    IntegerField, CharField = models.IntegerField, models.CharField


class ExactField(IntegerField):
    """A whole number, or a fraction in halves, thirds, quarters or fifths.

    Stored as a number of sixtieths, so SQL orders values correctly. Whole numbers are returned as
    int, fractions as Fraction. All other numbers raise ValidationError and are never rounded.
    """

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def from_db_value(self, value: int | None, *_: Any) -> int | Fraction | None:
        if value is None:
            return None
        # Nearly all values are whole, and creating thousands of Fractions is slow.
        whole, part = divmod(value, SIXTIETHS)
        return Fraction(value, SIXTIETHS) if part else whole

    def get_prep_value(self, value: Any) -> int | None:
        if value is None:
            return None
        sixtieths = Fraction(value) * SIXTIETHS
        if sixtieths.denominator != 1:
            raise ValidationError(
                gettext("%(value)s is not a multiple of 1/60 and cannot be stored exactly.")
                % {"value": value}
            )
        return sixtieths.numerator

    def to_python(self, value: Any) -> Any:
        # Also the text of a number, such as "10/3".
        if value is None:
            return None
        try:
            number = Fraction(value)
        except (ValueError, TypeError, ZeroDivisionError) as error:
            raise ValidationError(
                gettext("%(value)s is not a whole number or a fraction.") % {"value": value}
            ) from error
        return number.numerator if number.denominator == 1 else number


class StoredHash(str):
    pass


class HashedField(CharField):
    """A secret for look-ups only, stored as its SHA-256, which cannot be used as the secret."""

    def from_db_value(self, value: str | None, *_: Any) -> StoredHash | None:
        return None if value is None else StoredHash(value)

    def get_prep_value(self, value: Any) -> str | None:
        if value is None or isinstance(value, StoredHash):
            return value
        return sha256(str(value).encode()).hexdigest()


class LostSecret(str):
    """A secret whose key is missing: empty to code, and saved again as `stored`."""

    stored: str


class EncryptedField(CharField):
    """A secret needed in clear text, stored encrypted; empty if its key is missing."""

    def from_db_value(self, value: str | None, *_: Any) -> str | None:
        # Load the library only when such a row is read.
        from cryptography.fernet import InvalidToken

        from core import encryption

        try:
            return value and encryption.decrypt_if_needed(value)
        except InvalidToken:
            lost = LostSecret()
            lost.stored = value or ""
            return lost

    def get_prep_value(self, value: Any) -> str | None:
        if isinstance(value, LostSecret):
            return value.stored
        from core import encryption

        return value and encryption.encrypt(value)
