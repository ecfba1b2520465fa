"""Search forms for events and the event log."""

from datetime import date
from typing import Any

from django import forms
from django.utils.formats import date_format

from decks import games
from decks.queries import format_choices
from tournaments.desk import queries as desk_queries
from tournaments.event import queries
from tournaments.models import Topic, Tournament
from tournaments.series import permissions as series_permissions

ANY = ("", "Any")
DAY = forms.DateInput(attrs={"type": "date"})
# Text for all search fields except game and format.
SAID = {
    "q": 'named "{}"',
    "place": "in {}",
    "series": "of {}",
    "player": "with {}",
    "since": "from {}",
    "until": "until {}",
    "state": "({})",
}
KINDS = [ANY, *((topic.value, topic.capitalize()) for topic in Topic)]


class EventSearch(forms.Form):
    """Event search; all fields are optional."""

    q = forms.CharField(label="Name", max_length=80, required=False)
    place = forms.CharField(label="Place", max_length=80, required=False)
    game = forms.ChoiceField(label="Game", choices=[ANY, *games.CHOICES], required=False)
    format = forms.ChoiceField(label="Format", required=False)
    since = forms.DateField(label="From", required=False, widget=DAY)
    until = forms.DateField(label="To", required=False, widget=DAY)
    series = forms.ChoiceField(label="Series", required=False)
    player = forms.CharField(
        label="Player", max_length=100, required=False, help_text="The whole name."
    )
    state = forms.ChoiceField(
        label="State",
        choices=[ANY, ("finished", "Finished"), ("open", "To come or under way")],
        required=False,
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        format_ = self.fields["format"]
        assert isinstance(format_, forms.ChoiceField)
        # Merge formats of the same name in different games.
        known = dict(choice for game in games.GAMES for choice in format_choices(game))
        format_.choices = [ANY, *known.items()]
        self._offer_series()

    def _offer_series(self) -> None:
        """Offer the public series, or remove the field if there are none."""
        known = list(series_permissions.listed().order_by("name", "pk").values_list("slug", "name"))
        self.fields["series"].choices = [ANY, *known]  # type: ignore[attr-defined]
        if not known:
            del self.fields["series"]

    @property
    def wanted(self) -> dict[str, Any]:
        """The valid search values that are not empty."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def title(self) -> str:
        """Title of the calendar feed, such as "Datafort: Netrunner in Berlin"."""
        wanted = self.wanted
        if not wanted:
            return "Datafort events"
        played = ", ".join(self._label(name) for name in ("game", "format") if name in wanted)
        known = {name: _said(value) for name, value in wanted.items()}
        if "series" in wanted:
            known["series"] = self._label("series")
        said = (words.format(known[name]) for name, words in SAID.items() if name in known)
        return " ".join([f"Datafort: {played or 'events'}", *said])

    def _label(self, name: str) -> str:
        choices: dict[str, str] = dict(self.fields[name].choices)  # type: ignore[attr-defined]
        return str(choices[self.wanted[name]])


def _said(value: str | date) -> str:
    return value if isinstance(value, str) else date_format(value, "j M Y")


class LogForm(forms.Form):
    """Filters of the event log; all are optional."""

    words = forms.CharField(
        label="Words",
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    kind = forms.ChoiceField(label="Kind", choices=KINDS, required=False)
    round = forms.ChoiceField(label="Round", required=False)
    player = forms.ChoiceField(label="About", required=False)
    by = forms.ChoiceField(label="Done by", required=False)

    def __init__(self, data: Any, tournament: Tournament) -> None:
        super().__init__(data)
        numbers = queries.rounds(tournament).values_list("number", flat=True)
        roster = tournament.registrations.select_related("player")
        users, guests = desk_queries.log_actors(tournament)
        self._offer("round", [(str(number), f"Round {number}") for number in numbers])
        self._offer("player", [(str(one.number), one.player.name) for one in roster])
        self._offer(
            "by",
            [(f"user-{user.pk}", str(user)) for user in users]
            + [(f"player-{guest.pk}", guest.name) for guest in guests],
        )

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = [ANY, *choices]  # type: ignore[attr-defined]

    @property
    def wanted(self) -> desk_queries.Wanted:
        """The filters as a query; invalid values are ignored."""
        self.full_clean()
        asked = self.cleaned_data
        who, _, key = asked.get("by", "").partition("-")
        return desk_queries.Wanted(
            words=asked.get("words", ""),
            kind=Topic(asked["kind"]) if asked.get("kind") else None,
            round_number=_number(asked.get("round", "")),
            player=_number(asked.get("player", "")),
            user=int(key) if who == "user" else None,
            by_player=int(key) if who == "player" else None,
        )

    @property
    def is_used(self) -> bool:
        """Return True if any filter is set."""
        return self.wanted != desk_queries.Wanted()


def _number(text: str) -> int | None:
    return int(text) if text else None
