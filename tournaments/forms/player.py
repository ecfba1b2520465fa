"""Who joins from a phone."""

from typing import Any

from django import forms

from players.forms import PlayerForm
from tournaments import queries
from tournaments.models import Tournament


class JoinForm(PlayerForm):
    """The name of somebody who joins.

    A name that is on the roster, or looks like one there, is asked about once: the
    organiser may have entered this very person, and then a second entry would only be in the way.
    """

    is_another = forms.BooleanField(label="I am somebody else with the same name", required=False)

    def __init__(self, data: Any, *, tournament: Tournament) -> None:
        super().__init__(data)
        self.tournament = tournament
        self.name_is_taken = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        name = str(cleaned.get("name") or "")
        taken = queries.name_taken(self.tournament, name) if name else ""
        self.name_is_taken = bool(taken)
        if taken and not cleaned.get("is_another"):
            self.add_error(
                "name",
                f"{taken} is on the list already. If that is you, ask the organiser for your "
                "personal link. If you are somebody else, say so below.",
            )
        return cleaned
