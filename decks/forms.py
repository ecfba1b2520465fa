"""What a visitor may ask the card list."""

from typing import Any

from django import forms

from decks import queries
from decks.models import Side

TYPES = {
    "Corp": ["agenda", "ice", "node", "operation", "upgrade"],
    "Runner": ["hardware", "prep", "program", "resource"],
}


class CardSearch(forms.Form):
    """Words of a title and three filters, each of them optional."""

    q = forms.CharField(label="Title", required=False, max_length=120)
    side = forms.ChoiceField(label="Side", required=False)
    type = forms.ChoiceField(label="Type", required=False)
    set = forms.ChoiceField(label="Set", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = [
            (side, [(name, name.capitalize()) for name in names]) for side, names in TYPES.items()
        ]
        sets = [(name, name) for name in queries.set_names()]
        self._choose("side", [("", "Both sides"), *Side.choices])
        self._choose("type", [("", "All types"), *groups])
        self._choose("set", [("", "All sets"), *sets])

    def _choose(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
