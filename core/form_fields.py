"""What people type into forms and addresses: titles, whole numbers, moments."""

from datetime import date
from typing import Any

from django import forms

from core.text import clean, forbidden_characters, is_visible

FORBIDDEN = "It contains characters that cannot be shown: {found}. Remove them."
UNSEEN = "It has no visible character. Write a letter or a number."
TOO_LONG = "It has at most {most} letters."


class TitleField(forms.CharField):
    """One line of words that stands on pages, in files and in mails: the name of an event, a topic.

    It is in NFC without marks that steer the layout; spaces between words are single ones.
    Control, private and direction-override characters are refused: pasted into the name of an
    event they would turn round, or break, whatever it stands in.
    """

    def clean(self, value: Any) -> str:
        """The line as it is kept; raises ValidationError for what nobody could read."""
        # Line ends and tabs are spaces here, as in every line.
        typed = " ".join(str(super().clean(value)).split())
        if found := forbidden_characters(typed):
            raise forms.ValidationError(FORBIDDEN.format(found=", ".join(found)))
        title = clean(typed)
        if typed and not is_visible(title):
            raise forms.ValidationError(UNSEEN)
        if self.max_length is not None and len(title) > self.max_length:
            # Some letters are two once they are cleaned.
            raise forms.ValidationError(TOO_LONG.format(most=self.max_length))
        return title


def whole_number(typed: str, digits: int) -> int | None:
    """The number; None for anything else, and for one of more digits than what it names can have.

    A database refuses a question for a number it cannot hold.
    """
    is_one = typed.isascii() and typed.isdecimal() and len(typed) <= digits
    return int(typed) if is_one else None


def refuse_far_years(day: date) -> None:
    """A year typed by half, such as 0002, has no place in every time zone."""
    if not 1990 <= day.year <= 2200:
        raise forms.ValidationError(f"The year must be from 1990 to 2200, not {day.year}.")


def moment_input() -> forms.DateTimeInput:
    """Day and minute, in the time zone that is active."""
    return forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
