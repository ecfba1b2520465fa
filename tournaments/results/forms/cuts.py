"""Forms to make and change a cut."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator

from engine.systems import ELIMINATIONS, SYSTEMS, USUAL_CUT
from matches.scoring import rules_of
from tournaments.models import Registration, Tournament
from tournaments.results.cut_changes import ChangeKind, CutChange

LONGEST_REASON = 200


class CutForm(forms.Form):
    """Size, system, scoring and seeds; the seed of a player outside the cut is empty.

    `shown` is the size for which the page showed seeds. A different `size` seeds that many of the
    best, unless the seeds were also changed by hand.
    """

    size = forms.IntegerField(label="Players in the cut", min_value=2, required=False)
    shown = forms.IntegerField(widget=forms.HiddenInput, required=False)
    system = forms.ChoiceField(
        label="How it is played",
        choices=[(id_, SYSTEMS[id_].name) for id_ in reversed(ELIMINATIONS)],
        widget=forms.RadioSelect,
    )
    fixed_bracket = forms.BooleanField(
        label="Keep the bracket fixed instead of re-seeding after each round",
        help_text="Single elimination only; double elimination is always fixed.",
        required=False,
    )
    scoring_rule = forms.ChoiceField(label="Scoring of its matches")
    reason = forms.CharField(
        label="Reason for seeds by hand",
        max_length=LONGEST_REASON,
        required=False,
        help_text="Needed when the seeds are not the order of the standings. The log keeps it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any, tournament: Tournament, players: Sequence[Registration]) -> None:
        super().__init__(data, initial={"system": USUAL_CUT})
        self.players = players
        most = max(2, len(players))
        self.fields[
            "size"
        ].help_text = (
            f"From 2 to {most}. Any number works: the best seeds wait where it needs that."
        )
        self.fields["size"].validators.append(MaxValueValidator(most))
        self.fields["size"].widget.attrs["max"] = most
        rules = rules_of(tournament.game_played.scoring_rules)
        self.fields["scoring_rule"].choices = [(rule.id, rule.name) for rule in rules]  # type: ignore[attr-defined]
        single = next((rule.id for rule in rules if rule.games_per_match == 1), None)
        self.fields["scoring_rule"].initial = single or tournament.scoring_rule
        for player in players:
            self.fields[seed_field(player)] = forms.IntegerField(
                label=f"Seed of {player.player}",
                min_value=1,
                max_value=len(players),
                required=False,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    def fill(self, size: int) -> None:
        self.initial.update(size=size, shown=size)
        for seed, player in enumerate(self.players[:size], start=1):
            self.initial[seed_field(player)] = seed

    def size_typed(self) -> int | None:
        """Return the typed size, independent of the seeds; None with an error if it is invalid."""
        try:
            size: int | None = self.fields["size"].clean(self["size"].data)
        except ValidationError as wrong:
            self.add_error("size", wrong)
            return None
        return size

    @property
    def rows(self) -> list[tuple[Registration, forms.BoundField]]:
        return [(player, self[seed_field(player)]) for player in self.players]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self._follow_size(cleaned)
        seeds = sorted(seed for seed, _ in self._seeded(cleaned))
        twice = next((seed for seed in seeds if seeds.count(seed) > 1), None)
        gap = next((place for place, seed in enumerate(seeds, start=1) if seed != place), None)
        if twice is not None:
            self.add_error(None, f"Seed {twice} is given to more than one player.")
        elif gap is not None:
            self.add_error(None, f"Nobody has seed {gap}. Count from 1 without gaps.")
        elif len(seeds) < 2:
            self.add_error(None, "Give at least two players a seed.")
        return cleaned

    def _follow_size(self, cleaned: dict[str, Any]) -> None:
        size, shown = cleaned.get("size"), cleaned.get("shown")
        if size is None or size == shown:
            return
        typed = {player: seed for seed, player in self._seeded(cleaned)}
        if typed == best_of(self.players, shown or 0):
            seeds = best_of(self.players, size)
            cleaned.update({seed_field(one): seeds.get(one) for one in self.players})
        elif len(typed) != size:
            self.add_error(
                "size",
                f"You asked for a top {size}, but {len(typed)} players have a seed. "
                "Show the seeds for this size, or type the number of seeds.",
            )

    def _seeded(self, cleaned: dict[str, Any]) -> list[tuple[int, Registration]]:
        given = [(cleaned.get(seed_field(player)), player) for player in self.players]
        return [(seed, player) for seed, player in given if seed is not None]

    @property
    def chosen(self) -> list[Registration]:
        """The players in the cut, best seed first."""
        by_seed = sorted(self._seeded(self.cleaned_data), key=lambda pair: pair[0])
        return [player for _, player in by_seed]


class CutChangeForm(forms.Form):
    """A change of the players in the cut; `seeds` are the numbers that its preview began with."""

    kind = forms.ChoiceField(choices=[(one.value, one.value) for one in ChangeKind])
    player = forms.IntegerField(min_value=1, max_value=32_767)
    other = forms.IntegerField(min_value=1, max_value=32_767, required=False)
    seed = forms.IntegerField(min_value=1, max_value=32_767, required=False)
    reason = forms.CharField(max_length=LONGEST_REASON, required=False)
    seeds = forms.RegexField(r"[0-9]{1,5}(,[0-9]{1,5})*", max_length=6_000, required=False)

    @property
    def wanted(self) -> CutChange:
        said = self.cleaned_data
        return CutChange(ChangeKind(said["kind"]), said["player"], said["other"], said["seed"])

    @property
    def seen(self) -> list[int] | None:
        """Player numbers by seed, as in the preview."""
        seeds = self.cleaned_data["seeds"]
        return [int(one) for one in seeds.split(",")] if seeds else None


def best_of(players: Sequence[Registration], size: int) -> dict[Registration, int]:
    """Return the seeds of the first `size` players; `players` are in the order of the standings."""
    return {player: seed for seed, player in enumerate(players[:size], start=1)}


def seed_field(player: Registration) -> str:
    return f"seed-{player.number}"
