"""Deck lists as players and staff hand them in, and what judges say of a deck check."""

from typing import Any

from django import forms

from decks.forms import DeckSourceForm
from tournaments.models import DeckCheckOutcome


class DeckForm(DeckSourceForm):
    """A list in one of the ways it can come; the verdict on it is the service's."""

    # An empty form gets our words, not those of the browser.
    use_required_attribute = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields[
            "text"
        ].help_text = (
            "A card a line, with its copies in front. Or paste a whole list from elsewhere."
        )


class DeckChangeForm(DeckForm):
    """A list handed in for a player. Only keeping it needs the reason."""

    reason = forms.CharField(
        label="Why?",
        required=False,
        max_length=500,
        help_text="Stands on the receipt and in the log, which all staff read: name no card.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


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
