"""Forms for penalties, the infraction guide, local rulings and judge calls."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.form_fields import TitleField
from decks.games import GAMES
from players.models import User
from rulings.forms import LONGEST_NOTE, LONGEST_REASON, CitedRulingsField
from rulings.guide import Guide, Infraction, PenaltyKind, ladder_errors
from rulings.models import JudgeCall
from tournaments.judging.calls import CallAnswer
from tournaments.judging.local_rulings import Wording
from tournaments.models import Pairing, Penalty, Registration, Tournament

Choices = list[tuple[str, Any]]
# Choice for a penalty without a table: it takes effect in the player's next round.
WITHOUT_TABLE = "next"
KINDS_WITH_TABLE = (PenaltyKind.GAME_LOSS, PenaltyKind.MATCH_LOSS)
ANY_CHOICE = ("", gettext_lazy("Any"))
STEP_LABELS = (
    gettext_lazy("First time"),
    gettext_lazy("Second time"),
    gettext_lazy("Third time"),
    gettext_lazy("Fourth time"),
    gettext_lazy("Fifth time"),
)
# Number of steps with a penalty of their own.
LADDER_STEPS = len(STEP_LABELS)
PENALTY_KIND_CHOICES = [(kind.value, gettext_lazy(kind.label)) for kind in PenaltyKind]


def infraction_choices(guide: Guide) -> Choices:
    """Return the infractions by category, each with the penalty for a first offence."""
    return [
        (category, [_infraction_choice(infraction) for infraction in infractions])
        for category, infractions in guide.by_category()
    ]


def _infraction_choice(infraction: Infraction) -> tuple[str, str]:
    label = _("%(infraction)s – %(penalty)s") % {
        "infraction": infraction.name,
        "penalty": _(infraction.penalty(0).label).lower(),
    }
    return infraction.code, label


def registrations_at_table(
    places: Iterable[Registration], pairing: Pairing | None
) -> list[Registration]:
    if pairing is None or pairing.match is None:
        return []
    seated = {seat.player_id for seat in pairing.match.seats.all()}
    return [place for place in places if place.player_id in seated]


def game_choices(games: int) -> Choices:
    return [
        (str(number), _("Game %(number)s") % {"number": number}) for number in range(1, games + 1)
    ]


def player_choice(place: Registration) -> tuple[str, str]:
    return str(place.number), f"{place.player.name} ({place.number})"


class OffenceForm(forms.Form):
    """The player and the infraction; hidden fields hold the page the judge came from.

    Offers the players of the table, or all players if a different player is preselected.
    """

    player = forms.ChoiceField(label=gettext_lazy("Player"))
    infraction = forms.ChoiceField(
        label=gettext_lazy("Infraction"),
        help_text=gettext_lazy(
            "Each is shown with the penalty for a first offence. "
            "The next page gives the penalty for this player, and you can choose another."
        ),
        widget=forms.Select(attrs={"data-narrow": gettext_lazy("Search infractions or penalties")}),
    )
    table = forms.IntegerField(required=False, widget=forms.HiddenInput, max_value=32767)
    round = forms.IntegerField(required=False, widget=forms.HiddenInput, max_value=32767)
    call = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        data: Any,
        *,
        tournament: Tournament,
        guide: Guide,
        pairing: Pairing | None,
        **options: Any,
    ) -> None:
        super().__init__(data, **options)
        self.guide, self.pairing = guide, pairing
        self.places = {place.number: place for place in placed_registrations(tournament)}
        seated = registrations_at_table(self.places.values(), pairing)
        number = str((data or self.initial).get("player") or "")
        self.is_of_table = bool(seated) and (
            not number or number in {str(place.number) for place in seated}
        )
        if self.is_of_table:
            self.fields["player"].widget = forms.RadioSelect()
            set_choices(self, "player", [player_choice(place) for place in seated])
        else:
            set_choices(
                self, "player", [("", _("Choose")), *map(player_choice, self.places.values())]
            )
        set_choices(self, "infraction", [("", _("Choose")), *infraction_choices(guide)])

    @property
    def place(self) -> Registration:
        return self.places[int(self.cleaned_data["player"])]

    @property
    def chosen_infraction(self) -> Infraction:
        return self.guide.infractions[self.cleaned_data["infraction"]]


class GivePenaltyForm(forms.Form):
    kind = forms.ChoiceField(label=gettext_lazy("Penalty"), widget=forms.RadioSelect)
    on = forms.ChoiceField(
        label=gettext_lazy("Where it applies"),
        help_text=gettext_lazy("The table where the game or match is lost."),
    )
    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Only for a game loss."),
    )
    text = forms.CharField(
        label=gettext_lazy("What happened"),
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "The player sees this on their phone, and judges see it in the report."
        ),
    )
    rulings = CitedRulingsField()

    def __init__(
        self,
        data: Any,
        *,
        expected: PenaltyKind,
        tables: dict[str, Pairing],
        games: int,
        may_disqualify: bool,
        **options: Any,
    ) -> None:
        super().__init__(data, **options)
        self.expected, self.tables, self.games = expected, tables, games
        kinds = [
            (
                kind.value,
                _("%(penalty)s (as the guide says)") % {"penalty": kind.label}
                if kind is expected
                else kind.label,
            )
            for kind in PenaltyKind
            if may_disqualify or kind is not PenaltyKind.DISQUALIFICATION
        ]
        set_choices(self, "kind", kinds)
        on = [*_table_choices(tables), *self._choices_without_table()]
        set_choices(self, "on", on)
        set_choices(self, "game", game_choices(games))
        if games == 1:
            del self.fields["game"]
        if len(on) == 1:
            self.fields["on"].widget = forms.HiddenInput()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        kind, on = cleaned.get("kind"), cleaned.get("on")
        if kind and kind != self.expected and "text" not in self.errors and not cleaned["text"]:
            label = self.expected.label.lower()
            self.add_error(
                "text",
                _("The guide says %(label)s. Give a reason for another penalty.")
                % {"label": label},
            )
        needs_game = kind == PenaltyKind.GAME_LOSS and on in self.tables and self.games > 1
        if needs_game and not cleaned.get("game"):
            self.add_error("game", _("Choose the game that the player loses."))
        if on == WITHOUT_TABLE and self.open_table and kind in KINDS_WITH_TABLE:
            self.add_error(
                "on", _("A round is being played. Choose the table where the penalty applies.")
            )
        return cleaned

    @property
    def open_table(self) -> Pairing | None:
        """The player's table in the round now played, or None."""
        tables = self.tables.values()
        return next((table for table in tables if not table.round.is_closed), None)

    def _choices_without_table(self) -> Choices:
        """Offer the next round, or no effect on a settled result."""
        # There is no such choice while the player's current table is open.
        table = self.open_table
        if table is None:
            return [(WITHOUT_TABLE, _("Their next match"))]
        is_settled = table.match is not None and table.match.is_settled
        return [(WITHOUT_TABLE, _("No table: results stay as they are"))] if is_settled else []

    @property
    def penalty(self) -> PenaltyKind:
        return PenaltyKind(self.cleaned_data["kind"])

    @property
    def pairing(self) -> Pairing | None:
        """The table of the penalty, or None for the next round."""
        return self.tables.get(self.cleaned_data["on"])

    @property
    def lost_game(self) -> int | None:
        """The number of the lost game, or None if the penalty is for no particular game."""
        if self.penalty is not PenaltyKind.GAME_LOSS or self.pairing is None:
            return None
        return int(self.cleaned_data.get("game") or 1)


class WithdrawPenaltyForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason for withdrawing the penalty"),
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Shown in the log, to judges only."),
    )


def placed_registrations(tournament: Tournament) -> Iterable[Registration]:
    return tournament.registrations.not_waiting().select_related("player", "tournament")


def set_choices(form: forms.Form, name: str, choices: Choices) -> None:
    form.fields[name].choices = choices  # type: ignore[attr-defined]


def _table_choices(tables: dict[str, Pairing]) -> Choices:
    choices = []
    for key, table in tables.items():
        text = (
            _("Round %(round)s, table %(table)s (closed)")
            if table.round.is_closed
            else _("Round %(round)s, table %(table)s (being played)")
        )
        numbers = {"round": table.round.number, "table": table.table_number}
        choices.append((key, text % numbers))
    return choices


class PenaltyFilterForm(forms.Form):
    round = forms.ChoiceField(label=gettext_lazy("Round"), required=False)
    player = forms.ChoiceField(label=gettext_lazy("Player"), required=False)
    infraction = forms.ChoiceField(label=gettext_lazy("Infraction"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Penalty"), required=False)
    judge = forms.ChoiceField(label=gettext_lazy("Judge"), required=False)

    def __init__(self, data: Any, penalties: Sequence[Penalty]) -> None:
        super().__init__(data)
        self.penalties = penalties
        for name in self.fields:
            choices = dict(_filter_value(name, penalty) for penalty in penalties)
            ordered = sorted(choices.items(), key=lambda choice: _filter_order(name, *choice))
            self.fields[name].choices = [ANY_CHOICE, *ordered]  # type: ignore[attr-defined]

    def filtered_penalties(self) -> list[Penalty]:
        """Return the penalties that pass all filters; invalid values are ignored."""
        filters = self.filters.items()
        return [
            penalty
            for penalty in self.penalties
            if all(_filter_value(name, penalty)[0] == value for name, value in filters)
        ]

    @property
    def filters(self) -> dict[str, str]:
        """The filters in use, by field."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value}


def _filter_value(name: str, penalty: Penalty) -> tuple[str, str]:
    if name == "round":
        number = penalty.round_number
        return (
            (str(number), _("Round %(number)s") % {"number": number})
            if number
            else ("0", _("Before round 1"))
        )
    if name == "player":
        place = penalty.registration
        return str(place.number), place.player.name
    if name == "infraction":
        return penalty.infraction, penalty.infraction_name
    if name == "kind":
        return penalty.kind, penalty.get_kind_display()
    author = penalty.note.author
    return (str(author.pk), author.staff_name) if author else ("0", _("Judge"))


def _filter_order(name: str, value: str, label: str) -> tuple[int, str]:
    """Sort key: rounds by number, penalties by severity, the rest by label."""
    if name == "kind":
        return list(PenaltyKind).index(PenaltyKind(value)), ""
    return (int(value), "") if name == "round" else (0, label.casefold())


class LadderForm(forms.Form):
    """Penalties for the first offence, the second, and so on."""

    is_off = forms.BooleanField(label=gettext_lazy("Not used at this event"), required=False)

    def __init__(self, data: Any = None, infraction: Infraction | None = None) -> None:
        super().__init__(data)
        ladder = infraction.ladder if infraction else ()
        for number in range(1, LADDER_STEPS + 1):
            self.fields[f"step_{number}"] = forms.ChoiceField(
                label=STEP_LABELS[number - 1],
                choices=[
                    *([("", _("Same as the previous step"))] if number > 1 else []),
                    *PENALTY_KIND_CHOICES,
                ],
                required=number == 1,
                initial=ladder[number - 1].value if number <= len(ladder) else "",
            )

    @property
    def steps(self) -> list[forms.BoundField]:
        return [self[f"step_{number}"] for number in range(1, LADDER_STEPS + 1)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            for error in ladder_errors(self._full_ladder(cleaned)):
                self.add_error("step_1", f"{error[0].upper()}{error[1:]}")
        return cleaned

    @property
    def ladder(self) -> tuple[PenaltyKind, ...]:
        """The ladder of a valid form; a step left empty repeats the step before it."""
        return tuple(map(PenaltyKind, self._full_ladder(self.cleaned_data)))

    def _full_ladder(self, cleaned: dict[str, Any]) -> list[str]:
        steps: list[str] = []
        last = max(number for number in range(1, LADDER_STEPS + 1) if cleaned.get(f"step_{number}"))
        for number in range(1, last + 1):
            steps.append(cleaned[f"step_{number}"] or steps[-1])
        return steps


class OwnInfractionForm(LadderForm):
    name = TitleField(label=gettext_lazy("Infraction"), max_length=120)
    description = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    field_order = ["name", "description"]

    def __init__(self, data: Any = None, infraction: Infraction | None = None) -> None:
        super().__init__(data, infraction)
        if infraction is not None:
            self.initial = {"name": infraction.name, "description": infraction.description}
        else:
            del self.fields["is_off"]


# Local rulings


class LocalRulingForm(forms.Form):
    subject = TitleField(
        label=gettext_lazy("Card or topic"),
        max_length=120,
        help_text=gettext_lazy("A card title, or a few words such as “slow play”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Ruling"),
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy("Players can read this text."),
    )
    rulings = CitedRulingsField(label=gettext_lazy("Based on"))
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("What happened. Players can read it, so don't name anyone."),
    )

    def __init__(self, *args: Any, game: str, **options: Any) -> None:
        super().__init__(*args, **options)
        if GAMES[game].has_decks:
            self.fields["subject"].widget.attrs |= {
                "list": "card-titles",
                "hx-get": f"{reverse('decks:complete')}?game={game}&of=subject",
                "hx-trigger": "input changed delay:200ms",
                "hx-target": "#card-titles",
            }

    @property
    def wording(self) -> Wording:
        cleaned = self.cleaned_data
        return Wording(cleaned["text"], cleaned["rulings"], cleaned["reason"])


class LocalRulingVersionForm(LocalRulingForm):
    """A new version of a ruling; `seen` is the version it was written from."""

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=9999)

    def __init__(self, *args: Any, game: str, **options: Any) -> None:
        super().__init__(*args, game=game, **options)
        del self.fields["subject"]
        self.fields["reason"].required = True
        self.fields["reason"].label = _("Reason for the change")


# Judge calls


class CallForm(forms.Form):
    about = forms.CharField(
        label=gettext_lazy("What is it about?"),
        max_length=LONGEST_REASON,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class StaffCallForm(CallForm):
    table = forms.IntegerField(label=gettext_lazy("Table"), min_value=1, max_value=9999)


class EscalateForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Why?"),
        max_length=LONGEST_REASON,
        required=False,
        help_text=gettext_lazy("Saved as a note on the table."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class CallAnswerForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Your answer"),
        max_length=LONGEST_NOTE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "The players at the table read this on their phones. You can leave it blank."
        ),
    )
    rulings = CitedRulingsField(label=gettext_lazy("Cited rulings"))
    overturned = forms.TypedChoiceField(
        label=gettext_lazy("First answer"),
        choices=[("no", gettext_lazy("Upheld")), ("yes", gettext_lazy("Overturned"))],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Extra minutes for this table"),
        min_value=0,
        max_value=60,
        required=False,
        help_text=gettext_lazy(
            "How long the call took, from 0 to 60 minutes. It is added to the table's clock."
        ),
    )

    def __init__(self, *args: Any, call: JudgeCall, **options: Any) -> None:
        super().__init__(*args, **options)
        if call.appeals_id is None:
            del self.fields["overturned"]

    def answer(self) -> CallAnswer:
        cleaned = self.cleaned_data
        return CallAnswer(
            text=cleaned["text"],
            cited=cleaned["rulings"],
            minutes=cleaned["minutes"] or 0,
            overturned=cleaned.get("overturned"),
        )


class PastCallsForm(forms.Form):
    round = forms.TypedChoiceField(
        label=gettext_lazy("Round"), required=False, coerce=int, empty_value=None
    )
    judge = forms.TypedChoiceField(
        label=gettext_lazy("Judge"), required=False, coerce=int, empty_value=None
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        required=False,
        choices=[
            ("", gettext_lazy("All")),
            ("appeal", gettext_lazy("Appeals")),
            ("escalated", gettext_lazy("Passed to the head judge")),
        ],
    )

    def __init__(self, data: Any, *, rounds: list[int], judges: list[User]) -> None:
        super().__init__(data)
        numbers = [(number, _("Round %(number)s") % {"number": number}) for number in rounds]
        self.fields["round"].choices = [("", _("All")), *numbers]  # type: ignore[attr-defined]
        names = [(judge.pk, judge.staff_name) for judge in judges]
        self.fields["judge"].choices = [("", _("All")), *names]  # type: ignore[attr-defined]

    @property
    def filters(self) -> dict[str, Any]:
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
class ChosenPenalty:
    place: Registration
    infraction: Infraction
    # None follows the guide.
    kind: PenaltyKind | None


class CallPenaltyForm(forms.Form):
    """An optional penalty within another form about a table."""

    player = forms.ChoiceField(label=gettext_lazy("Player"), required=False)
    infraction = forms.ChoiceField(label=gettext_lazy("Infraction"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Penalty"), required=False)
    game = forms.ChoiceField(label=gettext_lazy("Game lost, for a game loss"), required=False)

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
        self.guide = tournament.infraction_guide()
        self.places = {
            place.number: place
            for place in registrations_at_table(placed_registrations(tournament), pairing)
        }
        games = pairing.match.rule.games_per_match
        kinds = [kind for kind in PenaltyKind if kind is not PenaltyKind.DISQUALIFICATION]
        set_choices(self, "player", [("", _("Choose")), *map(player_choice, self.places.values())])
        set_choices(self, "infraction", [("", _("None")), *infraction_choices(self.guide)])
        penalties = [(kind, kind.label) for kind in kinds]
        set_choices(self, "kind", [("", _("As the guide says")), *penalties])
        set_choices(self, "game", [("", _("Choose")), *game_choices(games)])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("infraction") and not cleaned.get("player") and "player" not in self.errors:
            self.add_error("player", _("Choose the player."))
        return cleaned

    @property
    def chosen_penalty(self) -> ChosenPenalty | None:
        """The penalty of a valid form, or None without an infraction."""
        cleaned = self.cleaned_data
        if not cleaned.get("infraction"):
            return None
        return ChosenPenalty(
            place=self.places[int(cleaned["player"])],
            infraction=self.guide.infractions[cleaned["infraction"]],
            kind=PenaltyKind(cleaned["kind"]) if cleaned["kind"] else None,
        )

    def needs_preview(self, expected: PenaltyKind) -> bool:
        """Return True if the effect must be shown first; `expected` is the guide's penalty."""
        chosen = self.chosen_penalty
        return chosen is not None and (chosen.kind or expected).costs_games

    def review_url(self) -> str:
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
