"""The factions of a table, for the staff."""

from typing import Any

from django import forms

from matches import queries
from tournaments.faction_drafts import FactionDraft


class FactionsForm(forms.Form):
    """`seat_n`: the faction of the seat in position n, in the order of the draft."""

    def __init__(self, *args: Any, draft: FactionDraft, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.positions = [pick.seat.position for pick in draft.picks]
        known = sorted(queries.factions().values(), key=lambda one: (one.colour, one.name))
        choices = [
            ("", "Not chosen yet"),
            *((one.id, f"{one.name}, {one.colour}") for one in known),
        ]
        for pick in draft.picks:
            self.fields[f"seat_{pick.seat.position}"] = forms.ChoiceField(
                label=f"Faction of {pick.seat.player}",
                choices=choices,
                required=False,
                initial=pick.faction.id if pick.faction else "",
                error_messages={"invalid_choice": "Choose a faction of the list."},
                # What a player chose since the page was made stays: see `chosen`.
                show_hidden_initial=True,
            )

    @property
    def chosen(self) -> dict[int, str]:
        """The factions that were changed, by position; wants a valid form."""
        return {
            place: self.cleaned_data[f"seat_{place}"]
            for place in self.positions
            if f"seat_{place}" in self.changed_data
        }
