"""Filters of the site's statistics."""

from typing import Any

from django import forms

from decks import games
from decks.queries import format_choices

ANY_FORMAT = ("", "Any")
DAY_INPUT = forms.DateInput(attrs={"type": "date"})


class StatisticsForm(forms.Form):
    game = forms.ChoiceField(label="Game", choices=games.CHOICES, required=False)
    format = forms.ChoiceField(label="Format", required=False)
    since = forms.DateField(label="From", required=False, widget=DAY_INPUT)
    until = forms.DateField(label="To", required=False, widget=DAY_INPUT)

    def __init__(self, data: Any, game: str) -> None:
        """`game` is the default if the query string has none."""
        super().__init__({**data.dict(), "game": data.get("game") or game})
        asked: str = data.get("game", "")
        self.chosen = asked if asked in games.GAMES else game
        formats = format_choices(self.chosen)
        self.fields["format"].choices = [ANY_FORMAT, *formats]  # type: ignore[attr-defined]
        if not formats:
            del self.fields["format"]

    @property
    def wanted(self) -> dict[str, Any]:
        """Return the valid filters for `queries.scope_of_site`; `game` is always set."""
        self.full_clean()
        given = {name: value for name, value in self.cleaned_data.items() if value}
        format_id = given.pop("format", "")
        return {**given, "game": self.chosen, "format_id": format_id}
