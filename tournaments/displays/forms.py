"""Display options in the addresses of overlays and embedded pages; unknown options are errors."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

THEMES = ("dark", "light")
SIZES = ("small", "medium", "large")
ALIGNMENTS = ("left", "center", "right")
MAX_ROWS, DEFAULT_ROWS = 32, 8


def _choice_field(*words: str) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=[(word, word) for word in words],
        required=False,
        error_messages={
            "invalid_choice": format_lazy(
                gettext_lazy("Choose one of: {words}."), words=", ".join(words)
            )
        },
    )


class DisplayOptionsForm(forms.Form):
    """Validate the theme, filling in defaults and rejecting unknown parameters."""

    theme = _choice_field(*THEMES)
    defaults: dict[str, Any] = {"theme": "dark"}

    def __init__(self, query: QueryDict) -> None:
        super().__init__(query)
        self.query = query

    def clean(self) -> dict[str, Any]:
        unknown = sorted(set(self.query) - set(self.fields))
        if unknown:
            raise forms.ValidationError(
                _("There is no %(unknown)s. Choose from: %(fields)s.")
                % {"unknown": ", ".join(unknown), "fields": ", ".join(self.fields)}
            )
        data = super().clean() or self.cleaned_data
        return {name: data.get(name) or self.defaults[name] for name in self.fields}


class OverlayOptionsForm(DisplayOptionsForm):
    size = _choice_field(*SIZES)
    align = _choice_field(*ALIGNMENTS)
    defaults = {"theme": "dark", "size": "medium", "align": "left"}


class OverlayStandingsForm(OverlayOptionsForm):
    top = forms.IntegerField(min_value=1, max_value=MAX_ROWS, required=False)
    page = forms.IntegerField(min_value=1, max_value=999, required=False)
    defaults = {**OverlayOptionsForm.defaults, "top": DEFAULT_ROWS, "page": 1}


class EmbedOptionsForm(DisplayOptionsForm):
    defaults = {"theme": "auto"}
