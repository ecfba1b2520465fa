"""How the day itself runs: the room, the clock, results nobody answers, who comes late or never."""

from collections.abc import Iterator
from typing import Any

from django import forms

from engine import table_plan
from engine.table_plan import MOST, RangesError
from tournaments.models import Tournament

GROUPS = (
    ("The room", ("table_numbers", "feature_tables")),
    ("The clock", ("overtime_minutes",)),
    ("Results", ("confirm_after_minutes", "no_show_minutes")),
    ("Coming late", ("late_entry", "late_entry_until")),
    ("Before round 1", ("has_waiting_list", "drops_absent", "guests_per_address")),
    ("The staff", ("staff_need_second_factor",)),
)
MOST_MINUTES = 240


class DayForm(forms.ModelForm[Tournament]):
    """Everything here may stay as it is: then nothing happens by itself."""

    class Meta:
        model = Tournament
        fields = [name for _title, names in GROUPS for name in names]
        labels = {
            "table_numbers": "Tables of the room",
            "feature_tables": "Feature tables",
            "overtime_minutes": "Overtime in minutes",
            "confirm_after_minutes": "A report counts without an answer after (minutes)",
            "no_show_minutes": "Whoever is missing loses the match after (minutes)",
            "late_entry": "After round 1",
            "late_entry_until": "Last round somebody can come in with",
            "has_waiting_list": "Keep a waiting list when the event is full",
            "drops_absent": "Drop whoever is not checked in when round 1 is published",
            "guests_per_address": "New players from one network in ten minutes",
            "staff_need_second_factor": "Staff need a second factor",
        }
        help_texts = {
            "table_numbers": "Such as 1-20, 31-40. Empty: 1, 2, 3 and so on.",
            "feature_tables": "Such as 1-2. For the best tables whose players may be filmed.",
            "overtime_minutes": "What the clock counts after zero. 0: none.",
            "confirm_after_minutes": "Empty: every report waits for the opponent or the staff.",
            "no_show_minutes": (
                "Counted on the running clock of the round, once somebody told that a player is "
                "missing. The player is dropped as well. Empty: the staff decide."
            ),
            "late_entry": "Half the points of a bye are rounded down.",
            "late_entry_until": "Empty: any round.",
            "has_waiting_list": "The settings say how many it holds. Places move up by themselves.",
            "staff_need_second_factor": (
                "An authenticator app or a passkey, besides the password. Whoever has none is led "
                "to set one up before the desk opens. Players notice nothing."
            ),
            "drops_absent": "They stay on the roster and come back with one tap.",
            "guests_per_address": (
                "Against made-up names. All phones in the room share one network: raise it for a "
                "large event. Empty: no limit. You can add players beyond it."
            ),
        }

    def clean_table_numbers(self) -> str:
        return self._ranges("table_numbers")

    def clean_feature_tables(self) -> str:
        return self._ranges("feature_tables")

    def _ranges(self, name: str) -> str:
        typed: str = self.cleaned_data[name].strip()
        try:
            table_plan.numbers_of(typed)
        except RangesError as error:
            raise forms.ValidationError(str(error)) from error
        return typed

    def clean_overtime_minutes(self) -> int:
        return self._minutes("overtime_minutes", least=0) or 0

    def clean_confirm_after_minutes(self) -> int | None:
        return self._minutes("confirm_after_minutes")

    def clean_no_show_minutes(self) -> int | None:
        return self._minutes("no_show_minutes")

    def _minutes(self, name: str, least: int = 1) -> int | None:
        minutes: int | None = self.cleaned_data[name]
        if minutes is not None and not least <= minutes <= MOST_MINUTES:
            raise forms.ValidationError(f"Give {least} to {MOST_MINUTES} minutes, not {minutes}.")
        return minutes

    def clean_late_entry_until(self) -> int | None:
        number: int | None = self.cleaned_data["late_entry_until"]
        if number is not None and not 2 <= number <= 30:
            raise forms.ValidationError(f"Give a round from 2 to 30, not {number}.")
        return number

    @property
    def groups(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """The fields under their headings."""
        return ((title, [self[name] for name in names]) for title, names in GROUPS)

    @property
    def settings(self) -> dict[str, Any]:
        """What the service is told, by name; the instance itself is never saved."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


MOST_AT_ONCE = 60
TYPED = {"inputmode": "numeric", "autocomplete": "off"}


class MinutesForm(forms.Form):
    """Minutes to add, or below zero to take; `seen` are those added before."""

    minutes = forms.IntegerField(
        label="Minutes",
        min_value=-MOST_AT_ONCE,
        max_value=MOST_AT_ONCE,
        widget=forms.TextInput(attrs=TYPED),
    )
    seen = forms.IntegerField(
        required=False, min_value=-9999, max_value=9999, widget=forms.HiddenInput
    )

    def clean_minutes(self) -> int:
        minutes: int = self.cleaned_data["minutes"]
        if minutes == 0:
            raise forms.ValidationError("Say how many minutes.")
        return minutes


class TableMinutesForm(MinutesForm):
    """Minutes for one table, with the reason for the log."""

    table = forms.IntegerField(
        label="Table", min_value=1, max_value=32767, widget=forms.TextInput(attrs=TYPED)
    )
    reason = forms.CharField(
        label="Why",
        required=False,
        max_length=200,
        help_text="For the log: a judge call, a late seat, a deck check.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class MeetingForm(forms.Form):
    """So many to a table; whether those who are not checked in get a seat too."""

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


class WishesForm(forms.Form):
    """As the staff set them on the roster."""

    fixed_table = forms.IntegerField(
        label="Fixed table", min_value=1, max_value=MOST, required=False
    )
    avoids_stream = forms.BooleanField(label="Never at a feature table", required=False)
