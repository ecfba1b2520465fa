"""The result of a match as a form: players report with it, staff decide with it."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms

from matches import queries
from matches import services as matches
from matches.models import Match
from matches.scoring import Faction, MatchResult
from tournaments.results.forms.questions import GameFields, PlaceFields, questions_for
from tournaments.results.pages.results import judged_games
from tournaments.results.services.results import LONGEST_NOTE
from tournaments.rounds.faction_drafts import FactionDraft

SEATS_CHANGED = (
    "The seats of this table were changed while you had the page open. Nothing is recorded: look "
    "who sits here now, then send it again."
)


class ResultForm(forms.Form):
    """What happened at the table; the questions are those of the scoring rule.

    Valid, it holds `result`. What must be told and is not is an error of its field, and so is a
    contradiction unless `force` is set. A page made for other seats is refused as a whole. Wants
    `match.seats` with their players.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        match: Match,
        told: MatchResult | None = None,
        by_staff: bool = False,
        force: bool = False,
        prefix: str | None = None,
        factions: Mapping[str, Faction] | None = None,
    ) -> None:
        self.match, self.force = match, force
        self.questions = questions_for(match, by_staff=by_staff, factions=factions)
        super().__init__(data, initial=self.questions.initial(told or MatchResult()), prefix=prefix)
        self.fields.update(self.questions.fields())

    @property
    def result(self) -> MatchResult:
        """The result of a valid form."""
        result: MatchResult = self.cleaned_data["result"]
        return result

    @property
    def seated(self) -> str:
        """Names who sits where. Fields go by position, so it is sent along with them."""
        return "-".join(str(seat.pk) for _, seat in sorted(self.questions.seats.items()))

    @property
    def seated_name(self) -> str:
        """The name `seated` is sent under."""
        return self.add_prefix("seated")

    def judged(self) -> list[str]:
        """What a judge has decided already, whatever is told; a sentence each."""
        return judged_games(self.match)

    def games(self) -> Iterator[GameFields]:
        """The fields game by game, the Corp first, as the page lays them out."""
        return self.questions.games(self)

    def places(self) -> Iterator[PlaceFields]:
        """The fields of a pod, seat by seat."""
        return self.questions.places(self)

    def flags(self) -> list[forms.BoundField]:
        """The fields of what else may be true."""
        return self.questions.flags(self)

    def totals(self) -> list[forms.BoundField]:
        """The fields of typed totals, seat by seat."""
        return self.questions.totals(self)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.data.get(self.seated_name) not in (None, self.seated):
            self.add_error(None, SEATS_CHANGED)
        if self.errors:
            return cleaned
        result = self.questions.result(cleaned)
        if missing := list(self.questions.missing(cleaned, result)):
            for found in missing:
                self.add_error(self.questions.field_missing(found), found.message)
            return cleaned
        result = self.match.rule.completed(result)
        if not self.force:
            for wrong in matches.contradictions(self.match, result):
                self.add_error(self.questions.field_of(wrong), wrong.message)
        return {**cleaned, "result": result}


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


class AnswerForm(forms.Form):
    """Yes or no to a report; `report` says which one was seen."""

    report = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    note = forms.CharField(
        label="What is wrong?",
        required=False,
        max_length=LONGEST_NOTE,
        help_text="The staff read this.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
