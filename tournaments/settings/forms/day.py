"""Form for the day of the event: room, clock and automatic actions."""

from collections.abc import Iterator
from typing import Any

from django import forms

from engine import table_plan
from engine.table_plan import RangesError
from tournaments.models import Tournament
from tournaments.results.cut_changes import FEWEST_IN_A_CUT, MOST_IN_A_CUT

GROUPS = (
    ("The room", ("table_numbers", "feature_tables")),
    ("The clock", ("overtime_minutes",)),
    ("Results", ("confirm_after_minutes", "no_show_minutes", "rated")),
    ("The last round", ("planned_cut", "shows_needs")),
    ("Coming late", ("late_entry", "late_entry_until")),
    (
        "Before round 1",
        ("invitation_only", "has_waiting_list", "drops_absent", "guests_per_address"),
    ),
    ("The staff", ("staff_need_second_factor",)),
)
MOST_MINUTES = 240


class DayForm(forms.ModelForm[Tournament]):
    """Settings that are all optional; with the defaults nothing happens automatically."""

    class Meta:
        model = Tournament
        fields = [name for _title, names in GROUPS for name in names]
        labels = {
            "table_numbers": "Table numbers",
            "feature_tables": "Feature tables",
            "overtime_minutes": "Overtime in minutes",
            "confirm_after_minutes": "An unanswered report counts after (minutes)",
            "no_show_minutes": "No-show loses after (minutes)",
            "rated": "Results count for ratings",
            "planned_cut": "Players in the top cut",
            "shows_needs": "Show what players need",
            "late_entry": "After round 1",
            "late_entry_until": "Last round for late entries",
            "invitation_only": "By invitation only",
            "has_waiting_list": "Keep a waiting list when the event is full",
            "drops_absent": "Drop players not checked in when round 1 is published",
            "guests_per_address": "New players from one network in ten minutes",
            "staff_need_second_factor": "Staff need a second factor",
        }
        help_texts = {
            "table_numbers": "Such as 1-20, 31-40. Empty: 1, 2, 3 and so on.",
            "feature_tables": "Such as 1-2. For the best tables whose players may be filmed.",
            "overtime_minutes": "What the clock counts after zero. 0: none.",
            "confirm_after_minutes": "Empty: every report waits for the opponent or the staff.",
            "no_show_minutes": (
                "On the round clock, once a player is reported missing. The player is also "
                "dropped. Empty: the staff decide."
            ),
            "rated": "Once the event is finished, and only while everybody can see it.",
            "planned_cut": "Such as 8. Empty: no cut, the winner of the rounds wins.",
            "shows_needs": (
                "In the last planned round phones and standings say who is in, who is out, and "
                "what the others need; before it how often players come in when the rest is "
                "played out at random."
            ),
            "late_entry": "Half the points of a bye are rounded down.",
            "late_entry_until": "Empty: any round.",
            "invitation_only": (
                "Nobody joins but those invited from a series; you can put anybody on the roster."
            ),
            "has_waiting_list": "Players move up automatically when a place is free.",
            "staff_need_second_factor": (
                "An authenticator app or a passkey, besides the password. Staff without one set it "
                "up before the desk opens. Players are not affected."
            ),
            "drops_absent": "They stay on the roster and come back with one tap.",
            "guests_per_address": (
                "Stops made-up names. All phones in the room share one network: raise it "
                "for a large event. Empty: no limit. You can add players beyond it."
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

    def clean_planned_cut(self) -> int | None:
        players: int | None = self.cleaned_data["planned_cut"]
        if players is not None and not FEWEST_IN_A_CUT <= players <= MOST_IN_A_CUT:
            raise forms.ValidationError(
                f"Give {FEWEST_IN_A_CUT} to {MOST_IN_A_CUT} players, not {players}."
            )
        return players

    def clean_late_entry_until(self) -> int | None:
        number: int | None = self.cleaned_data["late_entry_until"]
        if number is not None and not 2 <= number <= 30:
            raise forms.ValidationError(f"Give a round from 2 to 30, not {number}.")
        return number

    @property
    def groups(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """Yield each heading with its bound fields."""
        return ((title, [self[name] for name in names]) for title, names in GROUPS)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the arguments of the service by name; the instance itself is never saved."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}
