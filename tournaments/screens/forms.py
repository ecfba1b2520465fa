"""Display options in the addresses of overlays and embedded pages; unknown options are errors."""

from typing import Any

from django import forms
from django.http import QueryDict

THEMES, SIZES, SIDES = ("dark", "light"), ("small", "medium", "large"), ("left", "center", "right")
MOST_ROWS, ROWS = 32, 8


def _choice(*words: str) -> forms.ChoiceField:
    said = f"Choose one of: {', '.join(words)}."
    choices = [(word, word) for word in words]
    messages = {"invalid_choice": said}
    return forms.ChoiceField(choices=choices, required=False, error_messages=messages)


class LookForm(forms.Form):
    """Validate the theme, filling in defaults and rejecting unknown parameters."""

    theme = _choice(*THEMES)
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


class OverlayForm(LookForm):
    """Theme, size and text alignment."""

    size = _choice(*SIZES)
    align = _choice(*SIDES)
    usual = {"theme": "dark", "size": "medium", "align": "left"}


class StandingsForm(OverlayForm):
    """Overlay options plus the number of rows and the page, counted from 1."""

    top = forms.IntegerField(min_value=1, max_value=MOST_ROWS, required=False)
    page = forms.IntegerField(min_value=1, max_value=999, required=False)
    usual = {**OverlayForm.usual, "top": ROWS, "page": 1}


class EmbedForm(LookForm):
    """Theme of an embedded page; by default that of the device."""

    usual = {"theme": "auto"}
