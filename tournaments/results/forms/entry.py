"""Results as staff enter them: made for the keyboard, with the version they saw."""

from typing import Any

from django import forms

from matches.models import Match
from rulings.forms import CitedField
from tournaments.results.forms.results import ResultForm
from tournaments.results.services.results import LONGEST_NOTE


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
        max_length=LONGEST_NOTE,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="Why it is recorded so; it stands in the log.",
    )

    def __init__(
        self, data: Any = None, *, match: Match, in_a_row: bool = False, **options: Any
    ) -> None:
        """`options` are `told`, `prefix` and `factions` of a ResultForm."""
        prefix = options.get("prefix")
        forced = f"{prefix}-forced" if prefix else "forced"
        force = bool(data and data.get(forced))
        super().__init__(data, match=match, by_staff=True, force=force, **options)
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
