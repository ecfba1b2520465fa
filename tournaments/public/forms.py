"""Search form for events."""

from datetime import date
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy

from core.form_fields import ANY_CHOICE
from decks import games
from decks.queries import format_choices
from tournaments.series import permissions as series_permissions

DATE_INPUT = forms.DateInput(attrs={"type": "date"})
# Parts of a feed title, except game and format.
TITLE_PARTS = {
    "q": 'named "{}"',
    "place": "in {}",
    "series": "of {}",
    "player": "with {}",
    "since": "from {}",
    "until": "until {}",
    "state": "({})",
}


class EventSearchForm(forms.Form):
    q = forms.CharField(label=gettext_lazy("Name"), max_length=80, required=False)
    place = forms.CharField(label=gettext_lazy("Place"), max_length=80, required=False)
    game = forms.ChoiceField(
        label=gettext_lazy("Game"), choices=[ANY_CHOICE, *games.CHOICES], required=False
    )
    format = forms.ChoiceField(label=gettext_lazy("Format"), required=False)
    since = forms.DateField(label=gettext_lazy("From"), required=False, widget=DATE_INPUT)
    until = forms.DateField(label=gettext_lazy("To"), required=False, widget=DATE_INPUT)
    series = forms.ChoiceField(label=gettext_lazy("Series"), required=False)
    player = forms.CharField(
        label=gettext_lazy("Player"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("The full name."),
    )
    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        choices=[
            ANY_CHOICE,
            ("finished", gettext_lazy("Finished")),
            ("open", gettext_lazy("Upcoming or running")),
        ],
        required=False,
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        format_ = self.fields["format"]
        assert isinstance(format_, forms.ChoiceField)
        # Merge formats of the same name in different games.
        formats = dict(choice for game in games.GAMES for choice in format_choices(game))
        format_.choices = [ANY_CHOICE, *formats.items()]
        series = series_permissions.public_series().order_by("name", "pk")
        choices = list(series.values_list("slug", "name"))
        self.fields["series"].choices = [ANY_CHOICE, *choices]  # type: ignore[attr-defined]
        if not choices:
            del self.fields["series"]

    @property
    def criteria(self) -> dict[str, Any]:
        """The valid search values that are not empty."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def title(self) -> str:
        """Title of the calendar feed, such as "Datafort: Netrunner in Berlin"."""
        criteria = self.criteria
        if not criteria:
            return "Datafort events"
        played = ", ".join(self._label(name) for name in ("game", "format") if name in criteria)
        words = {
            name: date_format(value, "SHORT_MONTH_DATE_FORMAT")
            if isinstance(value, date)
            else value
            for name, value in criteria.items()
        }
        if "series" in criteria:
            words["series"] = self._label("series")
        parts = (part.format(words[name]) for name, part in TITLE_PARTS.items() if name in words)
        return " ".join([f"Datafort: {played or 'events'}", *parts])

    def _label(self, name: str) -> str:
        choices: dict[str, str] = dict(self.fields[name].choices)  # type: ignore[attr-defined]
        return str(choices[self.criteria[name]])
