"""Forms for sign-up, the roster, the player meeting and table preferences."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils import timezone

from core.files import TextFileField
from core.form_fields import moment_input, whole_number
from core.text import clean
from engine.table_plan import HIGHEST_TABLE
from players import names
from players.forms import PlayerForm, validated_text
from tournaments.models import Registration, Tournament
from tournaments.registration import pasted_roster
from tournaments.registration.pasted_roster import MAX_SEED, RosterNotReadable
from tournaments.registration.roster_changes import MAX_GROUP_LENGTH, MAX_REASON_LENGTH, NewEntry
from tournaments.registration.roster_layout import USES

NAMES_KIND, TABLE_KIND = "names", "csv"
LAYOUT_LABELS = (
    ("lines", "One player per line"),
    ("list", "Several players per line"),
    ("tab", "Table with tabs"),
    ("comma", "Table with commas"),
    ("semicolon", "Table with semicolons"),
    ("pipe", "Table with vertical bars"),
    ("spaces", "Table with wide spaces"),
)
USE_LABELS = {
    "name": "Name",
    "first_name": "First name",
    "last_name": "Last name",
    "pronouns": "Pronouns",
    "seed": "Seed",
    "first_round_bye": "First-round bye",
    "paid": "Paid",
    "email": "Email, to find duplicates",
    "ignored": "Ignored",
}


class JoinForm(PlayerForm):
    """Name and pronouns of a player who signs up.

    A name like an existing entry must be confirmed, because the organiser may already have entered
    the same person.
    """

    is_another = forms.BooleanField(label="I am a different person with this name", required=False)

    def __init__(self, data: Any, *, tournament: Tournament) -> None:
        super().__init__(data)
        self.tournament = tournament
        self.name_is_taken = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        name = str(cleaned.get("name") or "")
        taken = self.tournament.similar_name(name) if name else ""
        self.name_is_taken = bool(taken)
        if taken and not cleaned.get("is_another"):
            self.add_error(
                "name",
                f"{taken} is on the list already. If that is you, ask the organiser for your "
                "personal link. If you are a different person, confirm this below.",
            )
        return cleaned


class PlayerNameForm(forms.Form):
    name = forms.CharField(
        label="Name", max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    pronouns = forms.CharField(label="Pronouns", max_length=60, required=False)

    def clean_name(self) -> str:
        return validated_text(self.cleaned_data["name"], names.name_problems)

    def clean_pronouns(self) -> str:
        return validated_text(self.cleaned_data["pronouns"], names.pronoun_problems)


class AddPlayerForm(PlayerNameForm):
    """Add a player by name. A name already on the roster must be confirmed."""

    name = forms.CharField(
        label="Name",
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off", "enterkeyhint": "done"}),
    )
    is_other = forms.BooleanField(label="This is a different person", required=False)
    late_reason = forms.CharField(
        label="Reason for the late entry",
        max_length=MAX_REASON_LENGTH,
        required=False,
        error_messages={"required": "Late entry is closed. Give a reason to add this player."},
    )

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        super().__init__(data)
        self.tournament = tournament
        self.is_duplicate = False
        self.is_too_late = tournament.is_too_late_to_join()
        self.fields["late_reason"].required = self.is_too_late

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        name = str(cleaned.get("name") or "")
        taken = self.tournament.similar_name(name) if name else ""
        self.is_duplicate = bool(taken) and not cleaned.get("is_other")
        if self.is_duplicate:
            self.add_error(
                "name",
                f"{taken} is on the roster. If this is a different person, add an initial, "
                "or tick the box and add again.",
            )
        return cleaned

    @property
    def entry(self) -> NewEntry:
        return NewEntry(self.cleaned_data["name"], self.cleaned_data["pronouns"])


class MergeEntriesForm(forms.Form):
    other = forms.TypedChoiceField(label="Same person as", coerce=int)
    reason = forms.CharField(
        label="How do you know?",
        max_length=MAX_REASON_LENGTH,
        help_text="The reason is stored in the log.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any = None, *, others: Iterable[Registration]) -> None:
        super().__init__(data)
        entries = [(entry.number, f"{entry.number} {entry.player}") for entry in others]
        self.fields["other"].choices = [("", "Choose an entry"), *entries]  # type: ignore[attr-defined]


class SeedForm(forms.Form):
    """A player's seed and avoid group, with their values when the form was rendered."""

    seed = forms.IntegerField(min_value=1, max_value=MAX_SEED, required=False)
    avoid_group = forms.CharField(max_length=MAX_GROUP_LENGTH, required=False)
    seen_seed = forms.IntegerField(min_value=1, max_value=MAX_SEED, required=False)
    seen_group = forms.CharField(max_length=MAX_GROUP_LENGTH, required=False)

    @property
    def seen(self) -> tuple[int | None, str] | None:
        if "seen_seed" not in self.data:
            return None
        return self.cleaned_data["seen_seed"], self.cleaned_data["seen_group"]

    def clean_avoid_group(self) -> str:
        # Normalisation can lengthen the text.
        group = clean(self.cleaned_data["avoid_group"])
        if len(group) > MAX_GROUP_LENGTH:
            raise forms.ValidationError(
                f"The name of a group has at most {MAX_GROUP_LENGTH} characters."
            )
        return group

    @property
    def error_text(self) -> str:
        if "seed" in self.errors:
            return f"A seed is a whole number from 1 to {MAX_SEED}. Nothing was changed."
        return f"A group has at most {MAX_GROUP_LENGTH} characters. Nothing was changed."


class SignUpsForm(forms.Form):
    """A period in which players signed up, in the event's time zone."""

    since = forms.DateTimeField(label="Signed up from", widget=moment_input())
    until = forms.DateTimeField(label="To", widget=moment_input())

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        now = timezone.localtime().replace(second=0, microsecond=0)
        self.initial = {"since": now - timedelta(hours=1), "until": now}

    @property
    def period(self) -> tuple[datetime, datetime]:
        return self.cleaned_data["since"], self.cleaned_data["until"] + timedelta(minutes=1)


class NumbersForm(forms.Form):
    """Comma-separated player numbers, such as "4,5,6"; cleaned to a list of integers."""

    numbers = forms.RegexField(r"[0-9]{1,5}(,[0-9]{1,5})*", max_length=60_000)

    def clean_numbers(self) -> list[int]:
        return [int(number) for number in self.cleaned_data["numbers"].split(",")]


class RosterListForm(forms.Form):
    """A list of names, or a table with column titles; a file takes precedence over pasted text."""

    kind = forms.ChoiceField(
        choices=[(NAMES_KIND, NAMES_KIND), (TABLE_KIND, TABLE_KIND)], widget=forms.HiddenInput
    )
    layout = forms.ChoiceField(
        label="How to read the list", choices=[("", "Recognise"), *LAYOUT_LABELS], required=False
    )
    text = forms.CharField(
        label="List",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "autocomplete": "off", "spellcheck": "false"}),
    )
    file = TextFileField(
        what="a CSV or text file, saved from the spreadsheet as 'CSV UTF-8'",
        label="File",
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv,text/plain"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        try:
            cleaned["text"] = text = self._text(cleaned)
            if cleaned["kind"] == TABLE_KIND:
                roster = pasted_roster.read_csv(text)
            else:
                roster = pasted_roster.read_names(text, cleaned["layout"], self._uses(cleaned))
            cleaned["roster"] = pasted_roster.replace_names(roster, self.typed_names)
        except RosterNotReadable as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        if not cleaned["roster"].lines:
            raise forms.ValidationError("The list has no names. Paste one name per line.")
        return cleaned

    @property
    def typed_names(self) -> dict[int, str]:
        return {
            line: str(self.data[field])
            for field in self.data
            if field.startswith("name-") and (line := whole_number(field[5:], 5)) is not None
        }

    def _uses(self, cleaned: dict[str, Any]) -> list[str]:
        if not isinstance(self.data, QueryDict) or self.data.get("read_as") != cleaned["layout"]:
            return []
        uses = self.data.getlist("use")
        return uses if all(use in USES for use in uses) else []

    def _text(self, cleaned: dict[str, Any]) -> str:
        file: UploadedFile[Any] | None = cleaned.get("file")
        if file is None:
            return str(cleaned["text"])
        if file.size is not None and file.size > pasted_roster.MAX_BYTES:
            raise RosterNotReadable(
                f"The file has {file.size:,} bytes; at most {pasted_roster.MAX_BYTES:,} are read."
            )
        return pasted_roster.decode_upload(file.read())


class MeetingForm(forms.Form):
    seats = forms.TypedChoiceField(
        label="Players to a table",
        choices=[(2, "Two"), (4, "Four")],
        coerce=int,
        initial=2,
        widget=forms.RadioSelect,
    )
    with_registered = forms.BooleanField(
        label="Also seat players who are not checked in yet", required=False
    )


class TablePreferencesForm(forms.Form):
    fixed_table = forms.IntegerField(
        label="Fixed table", min_value=1, max_value=HIGHEST_TABLE, required=False
    )
    avoids_stream = forms.BooleanField(label="Never at a feature table", required=False)
