"""Form fields for titles, whole numbers and moments."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.text import clean, forbidden_characters, is_visible

FORBIDDEN_MESSAGE = gettext_lazy(
    "This contains characters that cannot be shown: {found}. Remove them."
)
INVISIBLE_MESSAGE = gettext_lazy(
    "This has no visible characters. Enter at least one letter or digit."
)
ANY_CHOICE = ("", gettext_lazy("Any"))
TOO_LONG_MESSAGE = gettext_lazy("This is longer than {most} characters. Shorten it.")


class TitleField(forms.CharField):
    """A single line of text in NFC with single spaces, without characters that break a layout."""

    def clean(self, value: Any) -> str:
        # Line ends and tabs count as spaces.
        typed = " ".join(str(super().clean(value)).split())
        if forbidden := forbidden_characters(typed):
            raise forms.ValidationError(FORBIDDEN_MESSAGE.format(found=", ".join(forbidden)))
        title = clean(typed)
        if typed and not is_visible(title):
            raise forms.ValidationError(INVISIBLE_MESSAGE)
        if self.max_length is not None and len(title) > self.max_length:
            # NFC can lengthen the text.
            raise forms.ValidationError(TOO_LONG_MESSAGE.format(most=self.max_length))
        return title


def whole_number(typed: str, digits: int) -> int | None:
    """Parse a whole number; None for anything else and for more than `digits` digits."""
    is_valid = typed.isascii() and typed.isdecimal() and len(typed) <= digits
    return int(typed) if is_valid else None


def refuse_far_years(day: date) -> None:
    """Reject half-typed years such as 0002; some time zones cannot represent them."""
    if not 1990 <= day.year <= 2200:
        raise forms.ValidationError(
            _("Enter a year from 1990 to 2200, not %(year)s.") % {"year": day.year}
        )


def moment_input() -> forms.DateTimeInput:
    return forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
