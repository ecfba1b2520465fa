"""Who sees the decks of each stage, and from when."""

from collections.abc import Sequence
from typing import Any

from django import forms

from core.form_fields import moment_input, refuse_far_years
from tournaments.models import DeckAudience, IdentitiesShown, Stage, Tournament
from tournaments.services.audiences import Shown

WORDS = {
    DeckAudience.PRIVATE: "Nobody but the player and the judges",
    DeckAudience.OPPONENT: "The opponent: whoever shares a published table with the player",
    DeckAudience.CUT: "The players of the cut, each other's decks",
    DeckAudience.PARTICIPANTS: "All players of the event",
    DeckAudience.PUBLIC: "Everybody who can read the event",
}
"""Each sees what those above see."""

IDENTITIES = {
    IdentitiesShown.ROUND_ONE: "To everybody who can read the event, once round 1 is published",
    IdentitiesShown.WITH_DECKS: "Only to those who see the whole deck",
}


class AudiencesForm(forms.Form):
    """Two fields for each stage. Times are told in the zone that is active."""

    def __init__(self, data: Any, tournament: Tournament, stages: Sequence[Stage]) -> None:
        super().__init__(data)
        self.stages = stages
        for stage in stages:
            self.fields[_audience(stage)] = _audience_field(stage)
            self.fields[_moment(stage)] = _moment_field(stage, tournament)
        if tournament.game_played.has_identities:
            self.fields["identities_shown"] = forms.ChoiceField(
                label="Identities beside the names",
                choices=list(IDENTITIES.items()),
                widget=forms.RadioSelect,
                initial=tournament.identities_shown,
            )

    @property
    def rows(self) -> list[tuple[Stage, forms.BoundField, forms.BoundField]]:
        """Each stage with its two fields."""
        return [(stage, self[_audience(stage)], self[_moment(stage)]) for stage in self.stages]

    @property
    def chosen(self) -> dict[int, Shown]:
        """What was said, by the number of the stage."""
        return {
            stage.number: Shown(
                DeckAudience(self.cleaned_data[_audience(stage)]),
                self.cleaned_data[_moment(stage)],
            )
            for stage in self.stages
        }

    @property
    def identities_shown_field(self) -> forms.BoundField | None:
        """None where the decks of the game have no identity."""
        return self["identities_shown"] if "identities_shown" in self.fields else None

    @property
    def identities_shown(self) -> str:
        return str(self.cleaned_data.get("identities_shown", ""))


def _audience(stage: Stage) -> str:
    return f"audience_{stage.number}"


def _moment(stage: Stage) -> str:
    return f"moment_{stage.number}"


def _audience_field(stage: Stage) -> forms.ChoiceField:
    fitting = [
        (audience.value, words)
        for audience, words in WORDS.items()
        if audience != DeckAudience.CUT or stage.way.is_elimination
    ]
    return forms.ChoiceField(
        label="Who sees the decks",
        choices=fitting,
        widget=forms.RadioSelect,
        initial=stage.decks_shown_to,
        help_text="The decks of the players of this cut."
        if stage.way.is_elimination
        else "The decks of all players.",
    )


def _moment_field(stage: Stage, tournament: Tournament) -> forms.DateTimeField:
    return forms.DateTimeField(
        label="From when",
        required=False,
        initial=stage.decks_shown_at,
        validators=[refuse_far_years],
        widget=moment_input(),
        help_text=(
            "Empty: as soon as the first round of this stage is published, and no more when that "
            f"is taken back. With a time ({tournament.time_zone}): from then on in any case."
        ),
    )
