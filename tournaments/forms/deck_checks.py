"""What judges say of a deck check."""

from django import forms

from tournaments.models import DeckCheckOutcome

FOUND = [choice for choice in DeckCheckOutcome.choices if choice[0]]


class DrawForm(forms.Form):
    """How many tables to draw."""

    count = forms.IntegerField(
        label="Tables to draw",
        min_value=1,
        max_value=99,
        help_text="By lot. Players who were never checked at this event come first.",
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


class PickForm(forms.Form):
    """One table a judge wants to look at."""

    table = forms.IntegerField(
        label="Table", min_value=1, max_value=9999, widget=forms.NumberInput(attrs={"size": 4})
    )


class OutcomeForm(forms.Form):
    """What was found."""

    outcome = forms.ChoiceField(
        label="What did you find?",
        choices=FOUND,
        widget=forms.RadioSelect,
        error_messages={"required": "Say what you found before you save the check."},
    )
    note = forms.CharField(
        label="Note",
        required=False,
        max_length=500,
        help_text="The staff read this. Name the cards, and what was done.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
