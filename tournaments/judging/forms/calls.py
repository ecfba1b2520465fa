"""What is said with a judge call."""

from typing import Any

from django import forms

from players.models import User
from rulings.forms import LONGEST_NOTE, CitedField
from rulings.models import JudgeCall
from tournaments.judging.services.calls import Answer

MOST_WORDS = 200


class CallForm(forms.Form):
    """A call from the table: what it is about may be left empty."""

    about = forms.CharField(
        label="What about?",
        max_length=MOST_WORDS,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class StaffCallForm(CallForm):
    """A call somebody makes at the desk for a table."""

    table = forms.IntegerField(label="Table", min_value=1, max_value=9999)


class EscalateForm(forms.Form):
    """Why a judge leaves a call to the head judge."""

    reason = forms.CharField(
        label="Why?",
        max_length=MOST_WORDS,
        required=False,
        help_text="Kept as a note on the table.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class CallAnswerForm(forms.Form):
    """How a call ended, what the answer rests on, and the minutes the table gets back for it."""

    text = forms.CharField(
        label="What was answered",
        max_length=LONGEST_NOTE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The players of the table read this on their phones. May stay empty.",
    )
    rulings = CitedField(label="Rulings it rests on")
    overturned = forms.TypedChoiceField(
        label="The first answer",
        choices=[("no", "stands"), ("yes", "is overturned")],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
    )
    minutes = forms.IntegerField(
        label="Minutes more for this table",
        min_value=0,
        max_value=60,
        required=False,
        help_text="The time the call took, 0 to 60. It goes on the clock of the table.",
    )

    def __init__(self, *args: Any, call: JudgeCall, **options: Any) -> None:
        super().__init__(*args, **options)
        if call.appeals_id is None:
            del self.fields["overturned"]

    def answer(self) -> Answer:
        """What the form says, when it is valid."""
        cleaned = self.cleaned_data
        return Answer(
            text=cleaned["text"],
            cited=cleaned["rulings"],
            minutes=cleaned["minutes"] or 0,
            overturned=cleaned.get("overturned"),
        )


class PastCallsForm(forms.Form):
    """Which calls that are over are looked at."""

    round = forms.TypedChoiceField(label="Round", required=False, coerce=int, empty_value=None)
    judge = forms.TypedChoiceField(label="Judge", required=False, coerce=int, empty_value=None)
    kind = forms.ChoiceField(
        label="Kind",
        required=False,
        choices=[("", "All"), ("appeal", "Appeals"), ("escalated", "Left to the head judge")],
    )

    def __init__(self, data: Any, *, rounds: list[int], judges: list[User]) -> None:
        super().__init__(data)
        numbers = [(number, f"Round {number}") for number in rounds]
        self.fields["round"].choices = [("", "All"), *numbers]  # type: ignore[attr-defined]
        names = [(judge.pk, str(judge)) for judge in judges]
        self.fields["judge"].choices = [("", "All"), *names]  # type: ignore[attr-defined]

    @property
    def wanted(self) -> dict[str, Any]:
        """The filters of queries.past_calls; what was not understood is left out."""
        self.is_valid()
        cleaned = self.cleaned_data
        return {
            "round_number": cleaned.get("round"),
            "judge": cleaned.get("judge"),
            "kind": cleaned.get("kind", ""),
        }
