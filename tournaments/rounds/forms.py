"""Forms for pairing by hand, swapping seats, and the clock."""

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.form_fields import whole_number
from core.text import comparison_key
from tournaments.models import Registration
from tournaments.rounds.draft_changes import ManualTable
from tournaments.rounds.draft_pages import ManualDraft, manual_gaps, manual_warnings

SEAT_FIELD = re.compile(r"seat-(\d{1,4})-(\d)")
# In a larger field a seat is a text input with suggestions: menus would make the page too large.
MAX_MENU_CHOICES = 40
MAX_MINUTES_AT_ONCE = 60
MAX_SUGGESTION_PLAYERS = 1000
NUMERIC_INPUT = {"inputmode": "numeric", "autocomplete": "off"}


@dataclass(frozen=True)
class ManualSeat:
    name: str
    label: str
    value: str


@dataclass(frozen=True)
class ManualRow:
    number: int
    seats: tuple[ManualSeat, ...]


class ManualPairingForm:
    """Read tables and byes from the request, or from the draft if nothing was sent.

    A seat is filled by a player's number or full name. `errors` are sentences. A valid form has
    `tables` and `byes`; `warnings` are the rules they would break.
    """

    def __init__(self, data: QueryDict | None, draft: ManualDraft) -> None:
        self.draft = draft
        self.errors: list[str] = []
        self._names = {comparison_key(entry.player.name): entry for entry in draft.free.values()}
        self._typed = self._typed_seats(data) if data is not None else self._drafted_seats()
        self._byes = data.getlist("bye") if data is not None else list(map(str, draft.byes))
        self.confirmed = data is not None and "confirmed" in data
        if data is not None and data.get("action") == "add":
            number = max([*self._typed, draft.first_free_number() - 1]) + 1
            self._typed[number] = {}
        tables = {
            number: tuple(filter(None, map(self._player, seats.values())))
            for number, seats in self._typed.items()
        }
        self._chosen = {number: players for number, players in tables.items() if players}
        self._bye_numbers = tuple(filter(None, map(self._player, self._byes)))

    def _typed_seats(self, data: QueryDict) -> dict[int, dict[int, str]]:
        typed: dict[int, dict[int, str]] = {}
        for name in data:
            if found := SEAT_FIELD.fullmatch(name):
                number, place = map(int, found.groups())
                typed.setdefault(number, {})[place] = str(data[name])
        return {number: dict(sorted(typed[number].items())) for number in sorted(typed)}

    def _drafted_seats(self) -> dict[int, dict[int, str]]:
        first = self.draft.first_free_number()
        empty = range(first, first + self.draft.empty_tables)
        drafted = {
            number: {place: str(player) for place, player in enumerate(table, start=1)}
            for number, table in self.draft.tables.items()
        }
        return {**drafted, **{number: {} for number in empty}}

    def _player(self, typed: str) -> int | None:
        """Return the player's number, or None for an empty seat.

        Adds an error and returns None for an unknown player.
        """
        text = typed.strip()
        if not text:
            return None
        number = whole_number(text.split()[0], 5)
        if number not in self.draft.free:
            entry = self._names.get(comparison_key(text))
            number = entry.number if entry else None
        if number is None:
            self.errors.append(
                f'"{text}" is not an available player. Choose a name or type a player\'s number.'
            )
        return number

    @property
    def tables(self) -> list[ManualTable]:
        free = self.draft.free
        return [
            ManualTable(number, tuple(free[player] for player in players))
            for number, players in self._chosen.items()
        ]

    @property
    def byes(self) -> list[Registration]:
        return [self.draft.free[number] for number in dict.fromkeys(self._bye_numbers)]

    @property
    def warnings(self) -> tuple[str, ...]:
        return manual_warnings(self.draft, self._chosen, self._bye_numbers)

    @property
    def gaps(self) -> tuple[str, ...]:
        return manual_gaps(self.draft, self._chosen)

    @property
    def rows(self) -> list[ManualRow]:
        seat_numbers = range(1, self.draft.seats + 1)
        labels = [_("Seat %(number)s") % {"number": number} for number in seat_numbers]
        if self.draft.has_roles:
            labels = [_("Corp in game 1"), _("Runner in game 1")]
        return [
            ManualRow(
                number,
                tuple(
                    ManualSeat(
                        f"seat-{number}-{place}", label, self._typed_value(seats.get(place, ""))
                    )
                    for place, label in enumerate(labels, start=1)
                ),
            )
            for number, seats in self._typed.items()
        ]

    @property
    def bye_rows(self) -> list[ManualSeat]:
        byes = [typed for typed in self._byes if typed.strip()]
        return [
            ManualSeat("bye", _("Bye %(number)s") % {"number": place}, self._typed_value(typed))
            for place, typed in enumerate([*byes, ""], start=1)
        ]

    @property
    def has_menus(self) -> bool:
        return len(self.draft.free) <= MAX_MENU_CHOICES

    @property
    def choices(self) -> list[tuple[str, str, int]]:
        points = self.draft.points
        return [
            (str(number), entry.player.name, points[number])
            for number, entry in self.draft.free.items()
        ]

    def _typed_value(self, typed: str) -> str:
        """Return the typed number with the player's name for text inputs, unchanged for menus."""
        number = whole_number(typed.strip(), 5)
        entry = None if number is None else self.draft.free.get(number)
        if entry is None or self.has_menus:
            return typed
        return f"{entry.number} {entry.player.name}"


class SwapForm(forms.Form):
    """Two players of a draft, by number in the event."""

    player = forms.TypedMultipleChoiceField(
        coerce=int,
        error_messages={
            "required": gettext_lazy("Choose two players to swap."),
            "invalid_choice": gettext_lazy("This player is not in the draft. Reload the page."),
        },
    )

    def __init__(self, data: Any, registrations: list[Registration]) -> None:
        super().__init__(data)
        self.registrations = {entry.number: entry for entry in registrations}
        choices = [(number, str(number)) for number in self.registrations]
        self.fields["player"].choices = choices  # type: ignore[attr-defined]

    def clean_player(self) -> list[Registration]:
        numbers: list[int] = self.cleaned_data["player"]
        if len(set(numbers)) != 2 or len(numbers) != 2:
            raise forms.ValidationError(
                _("Choose two different players to swap, not %(players)s.")
                % {"players": len(set(numbers))}
            )
        return [self.registrations[number] for number in numbers]


class MinutesForm(forms.Form):
    """Minutes to add, or to take if negative; `seen` are the minutes added before."""

    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"),
        min_value=-MAX_MINUTES_AT_ONCE,
        max_value=MAX_MINUTES_AT_ONCE,
        widget=forms.TextInput(attrs=NUMERIC_INPUT),
    )
    seen = forms.IntegerField(
        required=False, min_value=-9999, max_value=9999, widget=forms.HiddenInput
    )

    def clean_minutes(self) -> int:
        minutes: int = self.cleaned_data["minutes"]
        if minutes == 0:
            raise forms.ValidationError(_("Enter the number of minutes."))
        return minutes


class TableMinutesForm(MinutesForm):
    table = forms.IntegerField(
        label=gettext_lazy("Table"),
        min_value=1,
        max_value=32767,
        widget=forms.TextInput(attrs=NUMERIC_INPUT),
    )
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("For the log, such as a judge call, a late start or a deck check."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class SuggestionForm(forms.Form):
    """Number of players, and percentage of matches that are drawn."""

    players = forms.IntegerField(
        label=gettext_lazy("Players"),
        min_value=2,
        max_value=MAX_SUGGESTION_PLAYERS,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    draws = forms.TypedChoiceField(
        label=gettext_lazy("Drawn matches"),
        choices=[(str(percent), f"{percent}%") for percent in range(0, 100, 5)],
        coerce=int,
        required=False,
        empty_value=None,
        help_text=gettext_lazy(
            "Between evenly matched players, about half of double-sided matches end 1-1."
        ),
    )
