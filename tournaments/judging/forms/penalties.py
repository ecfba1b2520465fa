"""What a judge fills in to give a penalty: whom and what for first, then what it costs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.urls import reverse

from rulings.forms import LONGEST_NOTE, CitedField
from rulings.guide import Guide, Infraction, PenaltyKind
from tournaments.event.queries import penalties as queries
from tournaments.models import Pairing, Registration, RegistrationState, Tournament

Choices = list[tuple[str, Any]]
NOWHERE = "next"
"""The place of a penalty without a table: it waits for the next round of its player."""
TABLE_WANTED = (PenaltyKind.GAME_LOSS, PenaltyKind.MATCH_LOSS)


def infraction_choices(guide: Guide) -> Choices:
    """The infractions of a guide by category."""
    return [
        (category, [(one.code, one.name) for one in infractions])
        for category, infractions in guide.by_category()
    ]


def at_table(places: Iterable[Registration], pairing: Pairing | None) -> list[Registration]:
    """Those of them who sit there."""
    if pairing is None or pairing.match is None:
        return []
    here = {seat.player_id for seat in pairing.match.seats.all()}
    return [one for one in places if one.player_id in here]


def game_choices(games: int) -> Choices:
    """The games of a match."""
    return [(str(number), f"Game {number}") for number in range(1, games + 1)]


def _named(place: Registration) -> tuple[str, str]:
    return str(place.number), f"{place.player.name} ({place.number})"


class WhomForm(forms.Form):
    """The player, and what was done; the hidden fields say where the judge comes from.

    At a table its players are offered, unless another one is named: then everybody is.
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
        self.guide = guide
        self.places = {one.number: one for one in _places(tournament)}
        here = at_table(self.places.values(), pairing)
        told = str((data or self.initial).get("player") or "")
        self.is_of_table = bool(here) and (not told or told in {str(one.number) for one in here})
        if self.is_of_table:
            self.fields["player"].widget = forms.RadioSelect()
            _offer(self, "player", [_named(one) for one in here])
        else:
            _offer(self, "player", [("", "Choose"), *map(_named, self.places.values())])
        _offer(self, "infraction", [("", "Choose"), *infraction_choices(guide)])

    @property
    def place(self) -> Registration:
        """Whose penalty it is, of a valid form."""
        return self.places[int(self.cleaned_data["player"])]

    @property
    def done(self) -> Infraction:
        """What was done, of a valid form."""
        return self.guide.infractions[self.cleaned_data["infraction"]]


class GiveForm(forms.Form):
    """What it costs, where, and what happened."""

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
        help_text="For judges and the report alone.",
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
        _offer(self, "kind", _kinds(expected, may_disqualify))
        on = [*_tables(tables), *self._without_a_table()]
        _offer(self, "on", on)
        _offer(self, "game", game_choices(games))
        if games == 1:
            del self.fields["game"]
        if len(on) == 1:
            self.fields["on"].widget = forms.HiddenInput()

    def clean(self) -> dict[str, Any]:
        told = super().clean() or self.cleaned_data
        kind, on = told.get("kind"), told.get("on")
        if kind and kind != self.expected and "text" not in self.errors and not told["text"]:
            label = self.expected.label.lower()
            self.add_error("text", f"The guide says {label} here. Say why it is another penalty.")
        names_a_game = kind == PenaltyKind.GAME_LOSS and on in self.tables and self.games > 1
        if names_a_game and not told.get("game"):
            self.add_error("game", "Say which game is lost.")
        if on == NOWHERE and self.open_table and kind in TABLE_WANTED:
            self.add_error("on", "A round is being played: choose the table it counts at.")
        return told

    @property
    def open_table(self) -> Pairing | None:
        """Where the player sits in the round that is played."""
        return next((one for one in self.tables.values() if not one.round.is_closed), None)

    def _without_a_table(self) -> Choices:
        """A settled match stays for who is disqualified afterwards; else it is the next round."""
        now = self.open_table
        if now is None:
            return [(NOWHERE, "Their next round")]
        is_settled = now.match is not None and now.match.is_settled
        return [(NOWHERE, "No table: what was played stays")] if is_settled else []

    @property
    def penalty(self) -> PenaltyKind:
        """What it costs, of a valid form."""
        return PenaltyKind(self.cleaned_data["kind"])

    @property
    def pairing(self) -> Pairing | None:
        """The table it counts at; None when it waits for the next round."""
        return self.tables.get(self.cleaned_data["on"])

    @property
    def lost_game(self) -> int | None:
        """The number of the game that is lost, None where that is not asked for."""
        if self.penalty is not PenaltyKind.GAME_LOSS or self.pairing is None:
            return None
        return int(self.cleaned_data.get("game") or 1)


class WithdrawForm(forms.Form):
    """Why a penalty is taken back."""

    reason = forms.CharField(
        label="Why is it taken back?",
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="The log keeps it, for judges alone.",
    )


@dataclass(frozen=True)
class PenaltyWanted:
    """What a judge chose; no `kind` means what the guide says."""

    place: Registration
    infraction: Infraction
    kind: PenaltyKind | None


class PenaltyPart(forms.Form):
    """A penalty as a part of another form about a table; left empty, none is given."""

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
        self.guide = queries.guide_of(tournament)
        self.places = {one.number: one for one in at_table(_places(tournament), pairing)}
        games = pairing.match.rule.games_per_match
        kinds = [kind for kind in PenaltyKind if kind is not PenaltyKind.DISQUALIFICATION]
        _offer(self, "player", [("", "Choose"), *map(_named, self.places.values())])
        _offer(self, "infraction", [("", "None"), *infraction_choices(self.guide)])
        _offer(self, "kind", [("", "As the guide says"), *((one, one.label) for one in kinds)])
        _offer(self, "game", [("", "Choose"), *game_choices(games)])

    def clean(self) -> dict[str, Any]:
        told = super().clean() or self.cleaned_data
        if told.get("infraction") and not told.get("player") and "player" not in self.errors:
            self.add_error("player", "Say who it was.")
        return told

    @property
    def wanted(self) -> PenaltyWanted | None:
        """What was chosen, of a valid form; None without an infraction."""
        told = self.cleaned_data
        if not told.get("infraction"):
            return None
        return PenaltyWanted(
            place=self.places[int(told["player"])],
            infraction=self.guide.infractions[told["infraction"]],
            kind=PenaltyKind(told["kind"]) if told["kind"] else None,
        )

    def needs_a_look(self, expected: PenaltyKind) -> bool:
        """Whether it must be looked at before it counts; `expected` is what the guide says."""
        return self.wanted is not None and (self.wanted.kind or expected).costs_games

    def address(self) -> str:
        """The page for a penalty, filled in with what was chosen here."""
        told = self.cleaned_data
        fields = {
            "table": self.pairing.table_number,
            "round": self.pairing.round.number,
            "call": 1,
            **{name: told[name] for name in ("player", "infraction", "kind", "game")},
        }
        page = reverse("tournaments:penalty_new", args=[self.tournament.slug])
        return f"{page}?{urlencode({name: value for name, value in fields.items() if value})}"


def _places(tournament: Tournament) -> Iterable[Registration]:
    """Everybody who has, or had, a place."""
    rows = tournament.registrations.exclude(state=RegistrationState.WAITING)
    return rows.select_related("player", "tournament")


def _offer(form: forms.Form, name: str, choices: Choices) -> None:
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
