"""Forms for sign-up, the roster, seats before round 1 and table preferences."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.files import TextFileField
from core.form_fields import moment_input, whole_number
from core.languages import in_words
from core.text import clean
from engine.table_plan import HIGHEST_TABLE
from players import names
from players.forms import PlayerForm, validated_text
from tournaments.models import Registration, Tournament
from tournaments.registration import pasted_roster
from tournaments.registration.pasted_roster import MAX_SEED, RosterNotReadable
from tournaments.registration.roster_changes import MAX_GROUP_LENGTH, MAX_REASON_LENGTH, NewEntry
from tournaments.registration.roster_layout import USE_NAMES, USES

NAMES_KIND, TABLE_KIND = "names", "csv"
LAYOUT_LABELS = (
    ("lines", gettext_lazy("One player per line")),
    ("list", gettext_lazy("Several players per line")),
    ("tab", gettext_lazy("Table with tabs")),
    ("comma", gettext_lazy("Table with commas")),
    ("semicolon", gettext_lazy("Table with semicolons")),
    ("pipe", gettext_lazy("Table with vertical bars")),
    ("spaces", gettext_lazy("Table with wide spaces")),
)
USE_LABELS = {use: gettext_lazy(name) for use, name in USE_NAMES.items()}


class JoinForm(PlayerForm):
    """Name and pronouns of a player who signs up.

    A name like an existing entry must be confirmed, because the organiser may already have entered
    the same person.
    """

    is_another = forms.BooleanField(
        label=gettext_lazy("I am a different person with this name"), required=False
    )

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
                _(
                    "%(taken)s is already registered. If that is you, ask the organiser for "
                    "your personal link, which is in your menu on the roster. If you are a "
                    "different person, confirm this below."
                )
                % {"taken": taken},
            )
        return cleaned


class PlayerNameForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    pronouns = forms.CharField(label=gettext_lazy("Pronouns"), max_length=60, required=False)

    def clean_name(self) -> str:
        return validated_text(self.cleaned_data["name"], names.name_problems)

    def clean_pronouns(self) -> str:
        return validated_text(self.cleaned_data["pronouns"], names.pronoun_problems)


class AddPlayerForm(PlayerNameForm):
    """Add a player by name. A name already on the roster must be confirmed."""

    is_other = forms.BooleanField(required=False)
    late_reason = forms.CharField(
        max_length=MAX_REASON_LENGTH,
        required=False,
        error_messages={
            "required": gettext_lazy("Late entry is closed. Give a reason to add this player.")
        },
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
            text = _(
                "%(name)s is on the roster. If this is a different person, add an initial, or tick "
                "the box and add again."
            )
            self.add_error("name", text % {"name": taken})
        return cleaned

    @property
    def entry(self) -> NewEntry:
        return NewEntry(self.cleaned_data["name"], self.cleaned_data["pronouns"])


class MergeEntriesForm(forms.Form):
    other = forms.TypedChoiceField(label=gettext_lazy("Same person as"), coerce=int)
    reason = forms.CharField(
        label=gettext_lazy("How do you know?"),
        max_length=MAX_REASON_LENGTH,
        help_text=gettext_lazy("The reason is stored in the log."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any = None, *, others: Iterable[Registration]) -> None:
        super().__init__(data)
        entries = [(entry.number, f"{entry.number} {entry.player}") for entry in others]
        self.fields["other"].choices = [("", _("Choose an entry")), *entries]  # type: ignore[attr-defined]


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
            raise forms.ValidationError(self._group_error())
        return group

    @property
    def error_text(self) -> str:
        if "seed" in self.errors:
            text = _("A seed is a whole number from 1 to %(most)s. Nothing was changed.")
            return text % {"most": MAX_SEED}
        return self._group_error()

    @staticmethod
    def _group_error() -> str:
        text = _("A group has at most %(most)s characters. Nothing was changed.")
        return text % {"most": MAX_GROUP_LENGTH}


class SignUpsForm(forms.Form):
    """A period in which players signed up, in the event's time zone."""

    since = forms.DateTimeField(label=gettext_lazy("Signed up from"), widget=moment_input())
    until = forms.DateTimeField(label=gettext_lazy("To"), widget=moment_input())

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
        choices=[("", gettext_lazy("Detect automatically")), *LAYOUT_LABELS], required=False
    )
    text = forms.CharField(
        label=gettext_lazy("Paste names or a table"),
        help_text=gettext_lazy(
            "One name per line, names separated by commas, or a table from a spreadsheet. "
            "Columns, numbers and bullets are recognised. Pronouns and an email address may follow "
            "a name."
        ),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )
    file = TextFileField(
        what=gettext_lazy("a CSV or text file, saved from the spreadsheet as 'CSV UTF-8'"),
        label=gettext_lazy("Or choose a file"),
        help_text=gettext_lazy("CSV or text, up to 1 MB."),
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
            raise forms.ValidationError(in_words(refusal.message)) from refusal
        if not cleaned["roster"].lines:
            raise forms.ValidationError(_("The list has no names. Paste one name per line."))
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
            raise pasted_roster.file_too_large(file.size)
        return pasted_roster.decode_upload(file.read())


class MeetingForm(forms.Form):
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Players per table"),
        choices=[(2, gettext_lazy("Two")), (4, gettext_lazy("Four"))],
        coerce=int,
        initial=2,
        widget=forms.RadioSelect,
    )
    with_registered = forms.BooleanField(
        label=gettext_lazy("Also seat players who are not checked in yet"), required=False
    )


class TablePreferencesForm(forms.Form):
    """A player's table preferences, with their values when the form was rendered."""

    fixed_table = forms.IntegerField(min_value=1, max_value=HIGHEST_TABLE, required=False)
    avoids_stream = forms.BooleanField(required=False)
    seen_table = forms.IntegerField(min_value=1, max_value=HIGHEST_TABLE, required=False)
    seen_stream = forms.BooleanField(required=False)

    @property
    def seen(self) -> tuple[int | None, bool] | None:
        if "seen_table" not in self.data:
            return None
        return self.cleaned_data["seen_table"], self.cleaned_data["seen_stream"]
