"""Form fields for titles and numbers."""

import pytest
from django.core.exceptions import ValidationError

from core.form_fields import TitleField, whole_number
from tournaments.judging.forms import LocalRulingForm, OwnInfractionForm
from tournaments.settings.forms import CreateEventForm


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("  Dragon's   Den ", "Dragon's Den"),
        ("Two\r\nlines\tand more", "Two lines and more"),
        ("Cafe\u0301", "Caf\u00e9"),
        ("Zero\u200bwidth", "Zerowidth"),
        (
            "\U0001f468\u200d\U0001f469\u200d\U0001f467 league",
            "\U0001f468\u200d\U0001f469\u200d\U0001f467 league",
        ),
        ("بطولة", "بطولة"),
    ],
)
def test_title_is_cleaned(typed: str, cleaned: str):
    assert TitleField().clean(typed) == cleaned


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("Open \u202egnp.exe", "RIGHT-TO-LEFT OVERRIDE"),
        ("Bell\x07", "U+0007"),
        ("\u200d\u2800", "no visible character"),
    ],
)
def test_unreadable_characters_are_refused_by_name(typed: str, message: str):
    with pytest.raises(ValidationError, match=message.replace("+", r"\+")):
        TitleField().clean(typed)


def test_length_counts_after_normalisation():
    with pytest.raises(ValidationError, match="longer than 3 characters"):
        TitleField(max_length=3).clean("\u0958\u0958")  # Two letters that NFC writes as four.


def test_empty_title_depends_on_required():
    assert TitleField(required=False).clean("") == ""


@pytest.mark.django_db
def test_event_infraction_and_ruling_names_are_title_fields():
    fields = [
        CreateEventForm().fields["name"],
        CreateEventForm().fields["location"],
        OwnInfractionForm().fields["name"],
        LocalRulingForm(game="onr").fields["subject"],
    ]

    assert all(isinstance(field, TitleField) for field in fields)


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        *(("0", 0), ("7", 7), ("0042", 42), ("9999", 9999)),
        *((typed, None) for typed in ("", " 7", "-1", "1.5", "7a", "\u0667", "\u00b2", "12345")),
    ],
)
def test_whole_number_is_parsed(typed: str, number: int | None):
    assert whole_number(typed, 4) == number
