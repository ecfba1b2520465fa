"""Forms to give, filter and withdraw penalties, and to change the infraction guide."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms

from core.form_fields import TitleField
from rulings.forms import LONGEST_NOTE, CitedField
from rulings.guide import Guide, Infraction, PenaltyKind, ladder_errors
from tournaments.models import Pairing, Penalty, Registration, RegistrationState, Tournament

Choices = list[tuple[str, Any]]
# Choice for a penalty without a table: it takes effect in the player's next round.
NOWHERE = "next"
TABLE_WANTED = (PenaltyKind.GAME_LOSS, PenaltyKind.MATCH_LOSS)
ANY = ("", "Any")
TIMES = ("First", "Second", "Third", "Fourth", "Fifth")
# Number of steps with a penalty of their own.
STEPS = len(TIMES)
PENALTY_KINDS = [(kind.value, kind.label) for kind in PenaltyKind]


def infraction_choices(guide: Guide) -> Choices:
    """Infractions grouped by category."""
    return [
        (category, [(one.code, one.name) for one in infractions])
        for category, infractions in guide.by_category()
    ]


def at_table(places: Iterable[Registration], pairing: Pairing | None) -> list[Registration]:
    """The players seated at the table."""
    if pairing is None or pairing.match is None:
        return []
    here = {seat.player_id for seat in pairing.match.seats.all()}
    return [one for one in places if one.player_id in here]


def game_choices(games: int) -> Choices:
    return [(str(number), f"Game {number}") for number in range(1, games + 1)]


def numbered_name(place: Registration) -> tuple[str, str]:
    return str(place.number), f"{place.player.name} ({place.number})"


class WhomForm(forms.Form):
    """The player and the infraction; hidden fields hold the page the judge came from.

    Offers the players of the table, or all players if a different player is preselected.
    """

    player = forms.ChoiceField(label="Player")
    infraction = forms.ChoiceField(
        label="What was done",
        help_text="By kind, as in the infraction guide.",
        widget=forms.Select(attrs={"data-narrow": "Look for a word of it"}),
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
        self.places = {one.number: one for one in places_of(tournament)}
        here = at_table(self.places.values(), pairing)
        number = str((data or self.initial).get("player") or "")
        self.is_of_table = bool(here) and (
            not number or number in {str(one.number) for one in here}
        )
        if self.is_of_table:
            self.fields["player"].widget = forms.RadioSelect()
            offer(self, "player", [numbered_name(one) for one in here])
        else:
            offer(self, "player", [("", "Choose"), *map(numbered_name, self.places.values())])
        offer(self, "infraction", [("", "Choose"), *infraction_choices(guide)])

    @property
    def place(self) -> Registration:
        """The player of a valid form."""
        return self.places[int(self.cleaned_data["player"])]

    @property
    def done(self) -> Infraction:
        """The infraction of a valid form."""
        return self.guide.infractions[self.cleaned_data["infraction"]]


class GiveForm(forms.Form):
    """The penalty, its table and game, and a description."""

    kind = forms.ChoiceField(label="Penalty", widget=forms.RadioSelect)
    on = forms.ChoiceField(
        label="Where it counts", help_text="The table a game or match is lost at."
    )
    game = forms.ChoiceField(
        label="Which game",
        required=False,
        widget=forms.RadioSelect,
        help_text="For a game loss.",
    )
    text = forms.CharField(
        label="What happened",
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The player reads this on their phone, judges in the report.",
    )
    rulings = CitedField()

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
        offer(self, "kind", _kinds(expected, may_disqualify))
        on = [*_tables(tables), *self._without_a_table()]
        offer(self, "on", on)
        offer(self, "game", game_choices(games))
        if games == 1:
            del self.fields["game"]
        if len(on) == 1:
            self.fields["on"].widget = forms.HiddenInput()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        kind, on = cleaned.get("kind"), cleaned.get("on")
        if kind and kind != self.expected and "text" not in self.errors and not cleaned["text"]:
            label = self.expected.label.lower()
            self.add_error("text", f"The guide says {label} here. Say why it is another penalty.")
        names_a_game = kind == PenaltyKind.GAME_LOSS and on in self.tables and self.games > 1
        if names_a_game and not cleaned.get("game"):
            self.add_error("game", "Say which game is lost.")
        if on == NOWHERE and self.open_table and kind in TABLE_WANTED:
            self.add_error("on", "A round is being played: choose the table it counts at.")
        return cleaned

    @property
    def open_table(self) -> Pairing | None:
        """The player's table in the round now played, or None."""
        return next((one for one in self.tables.values() if not one.round.is_closed), None)

    def _without_a_table(self) -> Choices:
        """Choices without a table: the next round, or no effect on a settled result.

        There is no such choice while the player's current table is open.
        """
        now = self.open_table
        if now is None:
            return [(NOWHERE, "Their next round")]
        is_settled = now.match is not None and now.match.is_settled
        return [(NOWHERE, "No table: what was played stays")] if is_settled else []

    @property
    def penalty(self) -> PenaltyKind:
        """The penalty of a valid form."""
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


class WithdrawForm(forms.Form):
    """The reason for withdrawing a penalty."""

    reason = forms.CharField(
        label="Why is it withdrawn?",
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="The log keeps it, for judges alone.",
    )


def places_of(tournament: Tournament) -> Iterable[Registration]:
    """All players who have, or had, a place."""
    rows = tournament.registrations.exclude(state=RegistrationState.WAITING)
    return rows.select_related("player", "tournament")


def offer(form: forms.Form, name: str, choices: Choices) -> None:
    form.fields[name].choices = choices  # type: ignore[attr-defined]


def _kinds(expected: PenaltyKind, may_disqualify: bool) -> Choices:
    return [
        (kind.value, f"{kind.label}: what the guide says" if kind is expected else kind.label)
        for kind in PenaltyKind
        if may_disqualify or kind is not PenaltyKind.DISQUALIFICATION
    ]


def _tables(tables: dict[str, Pairing]) -> Choices:
    return [
        (key, f"Round {one.round.number}, table {one.table_number} ({_state(one)})")
        for key, one in tables.items()
    ]


def _state(pairing: Pairing) -> str:
    return "closed" if pairing.round.is_closed else "being played"


class PenaltyFilter(forms.Form):
    """Filters of the penalty list, limited to values that occur in it; all optional."""

    round = forms.ChoiceField(label="Round", required=False)
    player = forms.ChoiceField(label="Player", required=False)
    infraction = forms.ChoiceField(label="Infraction", required=False)
    kind = forms.ChoiceField(label="Penalty", required=False)
    judge = forms.ChoiceField(label="Judge", required=False)

    def __init__(self, data: Any, given: Sequence[Penalty]) -> None:
        super().__init__(data)
        self.given = given
        for name in self.fields:
            choices = dict(_value(name, one) for one in given)
            ordered = sorted(choices.items(), key=lambda choice: _order(name, *choice))
            self.fields[name].choices = [ANY, *ordered]  # type: ignore[attr-defined]

    def chosen(self) -> list[Penalty]:
        """The penalties that pass all filters; invalid values are ignored."""
        wanted = self.wanted.items()
        return [
            one
            for one in self.given
            if all(_value(name, one)[0] == value for name, value in wanted)
        ]

    @property
    def wanted(self) -> dict[str, str]:
        """The filters in use, by field."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value}


def _value(name: str, penalty: Penalty) -> tuple[str, str]:
    """A penalty's (value, label) for the filter."""
    if name == "round":
        number = penalty.round_number
        return (str(number), f"Round {number}") if number else ("0", "Before round 1")
    if name == "player":
        place = penalty.registration
        return str(place.number), place.player.name
    if name == "infraction":
        return penalty.infraction, penalty.infraction_name
    if name == "kind":
        return penalty.kind, penalty.get_kind_display()
    author = penalty.note.author
    return (str(author.pk), author.staff_name) if author else ("0", "Judge")


def _order(name: str, value: str, label: str) -> tuple[int, str]:
    """Sort key: rounds by number, penalties by severity, the rest by label."""
    if name == "kind":
        return list(PenaltyKind).index(PenaltyKind(value)), ""
    return (int(value), "") if name == "round" else (0, label.casefold())


class LadderForm(forms.Form):
    """Penalties for the first offence, the second, and so on."""

    is_off = forms.BooleanField(label="Not used at this event", required=False)

    def __init__(self, data: Any = None, infraction: Infraction | None = None) -> None:
        super().__init__(data)
        ladder = infraction.ladder if infraction else ()
        for number in range(1, STEPS + 1):
            self.fields[f"step_{number}"] = forms.ChoiceField(
                label=f"{TIMES[number - 1]} time",
                choices=[*([("", "As before")] if number > 1 else []), *PENALTY_KINDS],
                required=number == 1,
                initial=ladder[number - 1].value if number <= len(ladder) else "",
            )

    @property
    def steps(self) -> list[forms.BoundField]:
        return [self[f"step_{number}"] for number in range(1, STEPS + 1)]

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
        last = max(number for number in range(1, STEPS + 1) if cleaned.get(f"step_{number}"))
        for number in range(1, last + 1):
            steps.append(cleaned[f"step_{number}"] or steps[-1])
        return steps


class OwnInfractionForm(LadderForm):
    """An infraction defined by the event."""

    name = TitleField(label="What is done", max_length=120)
    description = forms.CharField(
        label="When it is that",
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
