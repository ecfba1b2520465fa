"""What the head judge fills in to change the infraction guide for an event."""

from typing import Any

from django import forms

from core.form_fields import TitleField
from rulings.guide import Infraction, PenaltyKind, ladder_errors

TIMES = ("First", "Second", "Third", "Fourth", "Fifth")
STEPS = len(TIMES)
"""So many times can cost something else each."""
KINDS = [(kind.value, kind.label) for kind in PenaltyKind]


class LadderForm(forms.Form):
    """What an infraction costs the first time, the second, and so on."""

    is_off = forms.BooleanField(label="Not used at this event", required=False)

    def __init__(self, data: Any = None, infraction: Infraction | None = None) -> None:
        super().__init__(data)
        ladder = infraction.ladder if infraction else ()
        for number in range(1, STEPS + 1):
            self.fields[f"step_{number}"] = forms.ChoiceField(
                label=f"{TIMES[number - 1]} time",
                choices=[*([("", "As before")] if number > 1 else []), *KINDS],
                required=number == 1,
                initial=ladder[number - 1].value if number <= len(ladder) else "",
            )

    @property
    def steps(self) -> list[forms.BoundField]:
        """The steps of the ladder in order."""
        return [self[f"step_{number}"] for number in range(1, STEPS + 1)]

    def clean(self) -> dict[str, Any]:
        told = super().clean() or self.cleaned_data
        if not self.errors:
            for error in ladder_errors(self._told_ladder(told)):
                self.add_error("step_1", f"{error[0].upper()}{error[1:]}")
        return told

    @property
    def ladder(self) -> tuple[PenaltyKind, ...]:
        """The ladder of a valid form; what is left open within it stays as the step before."""
        return tuple(map(PenaltyKind, self._told_ladder(self.cleaned_data)))

    def _told_ladder(self, told: dict[str, Any]) -> list[str]:
        steps: list[str] = []
        last = max(number for number in range(1, STEPS + 1) if told.get(f"step_{number}"))
        for number in range(1, last + 1):
            steps.append(told[f"step_{number}"] or steps[-1])
        return steps


class OwnInfractionForm(LadderForm):
    """An infraction that this event alone knows."""

    name = TitleField(label="What is done", max_length=120)
    description = forms.CharField(
        label="When it is that",
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    field_order = ["name", "description"]

    def __init__(self, data: Any = None, infraction: Infraction | None = None) -> None:
        super().__init__(data, infraction)
        if infraction is not None:
            self.initial = {"name": infraction.name, "description": infraction.description}
        else:
            del self.fields["is_off"]
