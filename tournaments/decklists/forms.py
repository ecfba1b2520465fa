"""Forms for decklists, deck checks and deck visibility."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.form_fields import moment_input, refuse_far_years
from decks.forms import DeckSourceForm
from decks.models import Side
from tournaments.decklists.deck_checks import OUTCOMES
from tournaments.decklists.services import StageAudience
from tournaments.models import DeckAudience, IdentitiesShown, Stage, Tournament

# Ordered: each audience includes those above it.
AUDIENCE_LABELS = {
    DeckAudience.PRIVATE: gettext_lazy("Only the player and the judges"),
    DeckAudience.OPPONENT: gettext_lazy("The opponent, once the table is published"),
    DeckAudience.CUT: gettext_lazy("Players in the cut, each other's decks"),
    DeckAudience.PARTICIPANTS: gettext_lazy("All players of the event"),
    DeckAudience.PUBLIC: gettext_lazy("Everyone who can see the event"),
}

IDENTITIES_LABELS = {
    IdentitiesShown.ROUND_ONE: gettext_lazy(
        "To everyone who can see the event, once round 1 is published"
    ),
    IdentitiesShown.WITH_DECKS: gettext_lazy("Only to people who can see the whole deck"),
}


def side_or_404(side: str) -> Side:
    if side not in Side.values:
        raise Http404("A deck is a Corp or a Runner deck.")
    return Side(side)


class AudiencesForm(forms.Form):
    """Two fields per stage: audience and start time, in the active time zone."""

    def __init__(self, data: Any, tournament: Tournament, stages: Sequence[Stage]) -> None:
        super().__init__(data)
        self.stages = stages
        for stage in stages:
            self.fields[_audience_name(stage)] = forms.ChoiceField(
                label=_("Who sees the decks"),
                choices=[
                    (audience.value, label)
                    for audience, label in AUDIENCE_LABELS.items()
                    if audience != DeckAudience.CUT or stage.is_cut
                ],
                widget=forms.RadioSelect,
                initial=stage.decks_shown_to,
                help_text=_("The decks of the players in this cut.")
                if stage.is_cut
                else _("The decks of all players."),
            )
            self.fields[_moment_name(stage)] = forms.DateTimeField(
                label=_("Visible from"),
                required=False,
                initial=stage.decks_shown_at,
                validators=[refuse_far_years],
                widget=moment_input(),
                help_text=(
                    _(
                        "Leave blank to show them when the first round of this stage is published. "
                        "If you set a time (%(time_zone)s), they are shown at that time instead."
                    )
                    % {"time_zone": tournament.time_zone}
                ),
            )
        if tournament.game_played.has_identities:
            self.fields["identities_shown"] = forms.ChoiceField(
                label=_("Identities next to names"),
                choices=list(IDENTITIES_LABELS.items()),
                widget=forms.RadioSelect,
                initial=tournament.identities_shown,
            )

    @property
    def rows(self) -> list[tuple[Stage, forms.BoundField, forms.BoundField]]:
        return [
            (stage, self[_audience_name(stage)], self[_moment_name(stage)]) for stage in self.stages
        ]

    @property
    def chosen(self) -> dict[int, StageAudience]:
        return {
            stage.number: StageAudience(
                DeckAudience(self.cleaned_data[_audience_name(stage)]),
                self.cleaned_data[_moment_name(stage)],
            )
            for stage in self.stages
        }

    @property
    def identities_shown_field(self) -> forms.BoundField | None:
        return self["identities_shown"] if "identities_shown" in self.fields else None

    @property
    def identities_shown(self) -> str:
        return str(self.cleaned_data.get("identities_shown", ""))


def _audience_name(stage: Stage) -> str:
    return f"audience_{stage.number}"


def _moment_name(stage: Stage) -> str:
    return f"moment_{stage.number}"


class DeckForm(DeckSourceForm):
    """A decklist, pasted, uploaded or linked. The service checks its legality."""

    # Show our error messages instead of the browser's.
    use_required_attribute = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].help_text = _(
            "One card per line, with the number of copies first. "
            "Or paste a whole list from another site."
        )


class DeckChangeForm(DeckForm):
    """A decklist submitted for a player. Saving it requires a reason; checking it does not."""

    reason = forms.CharField(
        label=gettext_lazy("Why?"),
        required=False,
        max_length=500,
        help_text=gettext_lazy(
            "Shown on the receipt and in the log, which all staff can read. Don't name cards."
        ),
        # Browser validation only: a list that is only checked needs no reason.
        widget=forms.TextInput(attrs={"autocomplete": "off", "required": True}),
    )


class DeckCheckDrawForm(forms.Form):
    count = forms.IntegerField(
        label=gettext_lazy("Number of tables"),
        min_value=1,
        max_value=99,
        help_text=gettext_lazy(
            "Tables are drawn at random. Players not yet checked at this event come first."
        ),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


class DeckCheckPickForm(forms.Form):
    table = forms.IntegerField(
        label=gettext_lazy("Table"),
        min_value=1,
        max_value=9999,
        widget=forms.NumberInput(attrs={"size": 4}),
    )


class DeckCheckOutcomeForm(forms.Form):
    outcome = forms.ChoiceField(
        label=gettext_lazy("What did you find?"),
        choices=OUTCOMES,
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose what you found before you save the check.")
        },
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=500,
        help_text=gettext_lazy("The staff can read this. Name the cards and what you did."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
