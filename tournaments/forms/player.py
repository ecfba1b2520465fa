"""What a player types on the phone."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from players.forms import PlayerForm
from tournaments import queries
from tournaments.models import Tournament

NO_LIST = "There is no list here. Paste it into the box first."


class JoinForm(PlayerForm):
    """The name of somebody who joins.

    A name that is on the roster is asked about once: the organiser may have
    entered this very person, and then a second entry would only be in the way.
    """

    is_another = forms.BooleanField(label="I am somebody else with the same name", required=False)

    def __init__(self, data: Any, *, tournament: Tournament) -> None:
        super().__init__(data)
        self.tournament = tournament
        self.name_is_taken = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        name = str(cleaned.get("name") or "")
        self.name_is_taken = bool(name) and queries.name_is_taken(self.tournament, name)
        if self.name_is_taken and not cleaned.get("is_another"):
            self.add_error(
                "name",
                f"{name} is on the list already. If that is you, ask the organiser for your "
                "personal link. If you are somebody else, say so below.",
            )
        return cleaned


class DeckForm(forms.Form):
    """A deck list as people paste it; the verdict on it is the service's."""

    # An empty box gets our words, not those of the browser.
    use_required_attribute = False

    text = forms.CharField(
        label="Deck list",
        strip=False,
        error_messages={"required": NO_LIST},
        help_text="One card a line, the number of copies first: 3 Black Ice.",
        widget=forms.Textarea(
            attrs={
                "rows": 18,
                "spellcheck": "false",
                "autocapitalize": "off",
                "autocomplete": "off",
                "placeholder": "3 Name of a card\n2 Name of another card",
            }
        ),
    )

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if not text.strip():
            raise ValidationError(NO_LIST)
        return text


class AnswerForm(forms.Form):
    """Yes or no to a report; `report` says which one was seen."""

    report = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    note = forms.CharField(
        label="What is wrong?",
        required=False,
        max_length=500,
        help_text="The staff read this.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
