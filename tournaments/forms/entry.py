"""Results as staff enter them: made for the keyboard, with the version they saw."""

from typing import Any

from django import forms

from matches.models import GAME_ENDS, Match
from matches.scoring import MatchResult
from tournaments.forms.results import NOBODY, ResultForm


class EntryForm(ResultForm):
    """The result form with `seen`, the version of the match the page showed.

    A result that contradicts the rules is taken with `forced` and a `note`.
    The winner is a list, so that 1, 2 or 0 on the keyboard chooses; `seats`
    may sit the other way round, which `corp` keeps.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput)
    forced = forms.BooleanField(
        label="Record it although the rules say it cannot be", required=False
    )
    note = forms.CharField(
        label="Note",
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="Why it is recorded so; it stands in the log.",
    )

    def __init__(
        self,
        data: Any = None,
        *,
        match: Match,
        told: MatchResult | None = None,
        prefix: str | None = None,
        in_a_row: bool = False,
    ) -> None:
        forced = f"{prefix}-forced" if prefix else "forced"
        super().__init__(
            data,
            match=match,
            told=told,
            may_swap=True,
            force=bool(data and data.get(forced)),
            prefix=prefix,
        )
        self.initial["seen"] = match.version
        for number in self.numbers:
            self._usual_end(number)
        if in_a_row:
            self._into_a_row()

    def _usual_end(self, number: int) -> None:
        """Left as usual, it is agenda points with a winner and time without one."""
        field = self.fields[f"game_{number}_end"]
        field.choices = [("", "As usual"), *GAME_ENDS]  # type: ignore[attr-defined]
        field.initial = ""

    def _into_a_row(self) -> None:
        self.fields["corp"].widget = forms.HiddenInput()
        for number in self.numbers:
            field = self.fields[f"game_{number}_winner"]
            names = [
                (str(place), f"{place} {seat.player.name}") for place, seat in self._by_place()
            ]
            choices = [("", "-"), *names, (NOBODY, "0 nobody")]
            field.widget = forms.Select(choices=choices)
        # The cells of a row lie outside the form element: each field names it.
        for name, field in self.fields.items():
            if name not in ("corp", "seen"):
                field.widget.attrs["form"] = self.prefix

    def _by_place(self) -> list[tuple[int, Any]]:
        return sorted(self.seats.items())

    @property
    def can_be_forced(self) -> bool:
        """Whether only the rules stand against it; what is not told cannot be forced."""
        data = {name: self.data.get(name) for name in self.data}
        data[self.add_prefix("forced")] = "on"
        return EntryForm(data, match=self.match, prefix=self.prefix).is_valid()

    @property
    def contradictions(self) -> list[str]:
        """Everything that is wrong, in words, each once."""
        told = [error for errors in self.errors.values() for error in errors]
        return list(dict.fromkeys(str(error) for error in told))
