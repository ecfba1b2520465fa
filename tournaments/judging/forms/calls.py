"""Forms for judge calls, with an optional penalty."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.urls import reverse

from players.models import User
from rulings.forms import LONGEST_LINE, LONGEST_NOTE, CitedField
from rulings.guide import Infraction, PenaltyKind
from rulings.models import JudgeCall
from tournaments.event.queries import penalties as penalty_queries
from tournaments.judging.forms.penalties import (
    at_table,
    game_choices,
    infraction_choices,
    numbered_name,
    offer,
    places_of,
)
from tournaments.judging.services.calls import Answer
from tournaments.models import Pairing, Registration, Tournament


class CallForm(forms.Form):
    """A judge call from a table; its subject is optional."""

    about = forms.CharField(
        label="What about?",
        max_length=LONGEST_LINE,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class StaffCallForm(CallForm):
    """A judge call entered by staff for a table."""

    table = forms.IntegerField(label="Table", min_value=1, max_value=9999)


class EscalateForm(forms.Form):
    """The reason for leaving a call to the head judge."""

    reason = forms.CharField(
        label="Why?",
        max_length=LONGEST_LINE,
        required=False,
        help_text="Saved as a note on the table.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class CallAnswerForm(forms.Form):
    """The answer to a call, its cited rulings, and extra minutes for the table."""

    text = forms.CharField(
        label="What was answered",
        max_length=LONGEST_NOTE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The players of the table read this on their phones. May stay empty.",
    )
    rulings = CitedField(label="Cited rulings")
    overturned = forms.TypedChoiceField(
        label="The first answer",
        choices=[("no", "stands"), ("yes", "is overturned")],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
    )
    minutes = forms.IntegerField(
        label="Minutes more for this table",
        min_value=0,
        max_value=60,
        required=False,
        help_text="The time the call took, 0 to 60. It goes on the clock of the table.",
    )

    def __init__(self, *args: Any, call: JudgeCall, **options: Any) -> None:
        super().__init__(*args, **options)
        if call.appeals_id is None:
            del self.fields["overturned"]

    def answer(self) -> Answer:
        """The answer from a valid form."""
        cleaned = self.cleaned_data
        return Answer(
            text=cleaned["text"],
            cited=cleaned["rulings"],
            minutes=cleaned["minutes"] or 0,
            overturned=cleaned.get("overturned"),
        )


class PastCallsForm(forms.Form):
    """Filters of the list of closed calls."""

    round = forms.TypedChoiceField(label="Round", required=False, coerce=int, empty_value=None)
    judge = forms.TypedChoiceField(label="Judge", required=False, coerce=int, empty_value=None)
    kind = forms.ChoiceField(
        label="Kind",
        required=False,
        choices=[("", "All"), ("appeal", "Appeals"), ("escalated", "Left to the head judge")],
    )

    def __init__(self, data: Any, *, rounds: list[int], judges: list[User]) -> None:
        super().__init__(data)
        numbers = [(number, f"Round {number}") for number in rounds]
        self.fields["round"].choices = [("", "All"), *numbers]  # type: ignore[attr-defined]
        names = [(judge.pk, judge.staff_name) for judge in judges]
        self.fields["judge"].choices = [("", "All"), *names]  # type: ignore[attr-defined]

    @property
    def wanted(self) -> dict[str, Any]:
        """Filters for queries.past_calls; invalid values are left out."""
        self.is_valid()
        cleaned = self.cleaned_data
        judge = cleaned.get("judge")
        return {
            "round_number": cleaned.get("round"),
            "judges": None if judge is None else [judge],
            "kind": cleaned.get("kind", ""),
        }


@dataclass(frozen=True)
class PenaltyWanted:
    """The chosen penalty; `kind` is None to follow the guide."""

    place: Registration
    infraction: Infraction
    kind: PenaltyKind | None


class PenaltyPart(forms.Form):
    """An optional penalty within another form about a table."""

    player = forms.ChoiceField(label="Player", required=False)
    infraction = forms.ChoiceField(label="What was done", required=False)
    kind = forms.ChoiceField(label="Penalty", required=False)
    game = forms.ChoiceField(label="Which game, for a game loss", required=False)

    def __init__(
        self,
        tournament: Tournament,
        pairing: Pairing,
        data: Any = None,
        prefix: str = "penalty",
    ) -> None:
        super().__init__(data, prefix=prefix)
        assert pairing.match is not None
        self.tournament, self.pairing = tournament, pairing
        self.guide = penalty_queries.guide_of(tournament)
        self.places = {one.number: one for one in at_table(places_of(tournament), pairing)}
        games = pairing.match.rule.games_per_match
        kinds = [kind for kind in PenaltyKind if kind is not PenaltyKind.DISQUALIFICATION]
        offer(self, "player", [("", "Choose"), *map(numbered_name, self.places.values())])
        offer(self, "infraction", [("", "None"), *infraction_choices(self.guide)])
        offer(self, "kind", [("", "As the guide says"), *((one, one.label) for one in kinds)])
        offer(self, "game", [("", "Choose"), *game_choices(games)])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("infraction") and not cleaned.get("player") and "player" not in self.errors:
            self.add_error("player", "Say who it was.")
        return cleaned

    @property
    def wanted(self) -> PenaltyWanted | None:
        """The chosen penalty of a valid form, or None without an infraction."""
        cleaned = self.cleaned_data
        if not cleaned.get("infraction"):
            return None
        return PenaltyWanted(
            place=self.places[int(cleaned["player"])],
            infraction=self.guide.infractions[cleaned["infraction"]],
            kind=PenaltyKind(cleaned["kind"]) if cleaned["kind"] else None,
        )

    def needs_a_look(self, expected: PenaltyKind) -> bool:
        """Return True if the penalty must be reviewed first; `expected` is the guide's penalty."""
        return self.wanted is not None and (self.wanted.kind or expected).costs_games

    def address(self) -> str:
        """URL of the penalty form, prefilled with these values."""
        cleaned = self.cleaned_data
        fields = {
            "table": self.pairing.table_number,
            "round": self.pairing.round.number,
            "call": 1,
            **{name: cleaned[name] for name in ("player", "infraction", "kind", "game")},
        }
        page = reverse("tournaments:penalty_new", args=[self.tournament.slug])
        return f"{page}?{urlencode({name: value for name, value in fields.items() if value})}"
