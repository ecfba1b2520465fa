"""Forms for local rulings of an event."""

from typing import Any

from django import forms
from django.urls import reverse

from core.form_fields import TitleField
from decks.games import GAMES
from rulings.forms import LONGEST_NOTE, CitedField
from tournaments.judging.services.local_rulings import Wording


class LocalRulingForm(forms.Form):
    """A new local ruling."""

    subject = TitleField(
        label="Card or topic",
        max_length=120,
        help_text="The title of a card, or a few words such as: slow play.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    text = forms.CharField(
        label="Ruling",
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="As the players are to read it.",
    )
    rulings = CitedField(label="Based on")
    reason = forms.CharField(
        label="Why",
        max_length=200,
        required=False,
        help_text="What happened. Players can read it, so don't name anybody.",
    )

    def __init__(self, *args: Any, game: str, **options: Any) -> None:
        super().__init__(*args, **options)
        if GAMES[game].has_decks:
            self.fields["subject"].widget.attrs |= {
                "list": "card-titles",
                "hx-get": f"{reverse('decks:complete')}?game={game}&of=subject",
                "hx-trigger": "input changed delay:200ms",
                "hx-target": "#card-titles",
            }

    @property
    def wording(self) -> Wording:
        """The wording from a valid form."""
        cleaned = self.cleaned_data
        return Wording(cleaned["text"], cleaned["rulings"], cleaned["reason"])


class NextVersionForm(LocalRulingForm):
    """A new version of a ruling; `seen` is the version it was written from."""

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=9999)

    def __init__(self, *args: Any, game: str, **options: Any) -> None:
        super().__init__(*args, game=game, **options)
        del self.fields["subject"]
        self.fields["reason"].required = True
        self.fields["reason"].label = "Why it is changed"
