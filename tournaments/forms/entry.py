"""Results as staff enter them: made for the keyboard, with the version they saw."""

from collections.abc import Mapping
from typing import Any

from django import forms

from matches.models import Match
from matches.scoring import Faction, MatchResult
from rulings.forms import CitedField
from tournaments.forms.results import ResultForm


class EntryForm(ResultForm):
    """The result form with `seen`, the version of the match the page showed.

    A result that contradicts the rules is taken with `forced` and a `note`.
    In a row the winner is a list, so that 1, 2 or 0 on the keyboard chooses.
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
        factions: Mapping[str, Faction] | None = None,
    ) -> None:
        forced = f"{prefix}-forced" if prefix else "forced"
        super().__init__(
            data,
            match=match,
            told=told,
            by_staff=True,
            force=bool(data and data.get(forced)),
            prefix=prefix,
            factions=factions,
        )
        self.initial["seen"] = match.version
        if in_a_row:
            self._into_a_row()

    def _into_a_row(self) -> None:
        self.questions.into_a_row(self.fields)
        # The cells of a row lie outside the form element: each field names it.
        for field in self.fields.values():
            if not field.widget.is_hidden:
                field.widget.attrs["form"] = self.prefix

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


class DecisionForm(EntryForm):
    """The form of a judge who decides: the result may rest on rulings (`cited`, RulingVersions)."""

    cited = CitedField(label="Rulings it rests on")
