"""Filters of the site's statistics."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from decks import games
from decks.queries import format_choices

ANY_FORMAT = ("", gettext_lazy("Any"))
DAY_INPUT = forms.DateInput(attrs={"type": "date"})


class StatisticsForm(forms.Form):
    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=games.CHOICES, required=False)
    format = forms.ChoiceField(label=gettext_lazy("Format"), required=False)
    since = forms.DateField(label=gettext_lazy("From"), required=False, widget=DAY_INPUT)
    until = forms.DateField(label=gettext_lazy("To"), required=False, widget=DAY_INPUT)

    def __init__(self, data: Any, game: str) -> None:
        """`game` is the default if the query string has none."""
        super().__init__({**data.dict(), "game": data.get("game") or game})
        chosen: str = data.get("game", "")
        self.chosen_game = chosen if chosen in games.GAMES else game
        formats = format_choices(self.chosen_game)
        self.fields["format"].choices = [ANY_FORMAT, *formats]  # type: ignore[attr-defined]
        if not formats:
            del self.fields["format"]

    @property
    def valid_filters(self) -> dict[str, Any]:
        """Arguments for `stored_counts.scope_of_site`; `game` is always set."""
        self.full_clean()
        filters = {name: value for name, value in self.cleaned_data.items() if value}
        format_id = filters.pop("format", "")
        return {**filters, "game": self.chosen_game, "format_id": format_id}
