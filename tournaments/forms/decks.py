"""Deck lists as players and staff hand them in."""

from typing import Any

from django import forms

from decks.forms import DeckSourceForm


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
