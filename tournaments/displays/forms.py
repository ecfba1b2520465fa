"""Display options in the addresses of overlays and embedded pages; unknown options are errors."""

from typing import Any

from django import forms
from django.http import QueryDict

THEMES, SIZES, ALIGNMENTS = (
    ("dark", "light"),
    ("small", "medium", "large"),
    ("left", "center", "right"),
)
MAX_ROWS, DEFAULT_ROWS = 32, 8


def _choice_field(*words: str) -> forms.ChoiceField:
    said = f"Choose one of: {', '.join(words)}."
    choices = [(word, word) for word in words]
    messages = {"invalid_choice": said}
    return forms.ChoiceField(choices=choices, required=False, error_messages=messages)


class DisplayOptionsForm(forms.Form):
    """Validate the theme, filling in defaults and rejecting unknown parameters."""

    theme = _choice_field(*THEMES)
    usual: dict[str, Any] = {"theme": "dark"}

    def __init__(self, asked: QueryDict) -> None:
        super().__init__(asked)
        self.asked = asked

    def clean(self) -> dict[str, Any]:
        unknown = sorted(set(self.asked) - set(self.fields))
        if unknown:
            allowed = f"Allowed are: {', '.join(self.fields)}."
            raise forms.ValidationError(f"There is no {', '.join(unknown)}. {allowed}")
        data = super().clean() or self.cleaned_data
        return {name: data.get(name) or self.usual[name] for name in self.fields}


class OverlayOptionsForm(DisplayOptionsForm):
    """Theme, size and text alignment."""

    size = _choice_field(*SIZES)
    align = _choice_field(*ALIGNMENTS)
    usual = {"theme": "dark", "size": "medium", "align": "left"}


class OverlayStandingsForm(OverlayOptionsForm):
    """Overlay options plus the number of rows and the page, counted from 1."""

    top = forms.IntegerField(min_value=1, max_value=MAX_ROWS, required=False)
    page = forms.IntegerField(min_value=1, max_value=999, required=False)
    usual = {**OverlayOptionsForm.usual, "top": DEFAULT_ROWS, "page": 1}


class EmbedOptionsForm(DisplayOptionsForm):
    """Theme of an embedded page; by default that of the device."""

    usual = {"theme": "auto"}
