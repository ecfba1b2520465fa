"""What an organiser says about a cut."""

from collections.abc import Sequence
from typing import Any

from django import forms

from engine.systems import ELIMINATIONS, SYSTEMS
from matches.scoring import rules_of
from tournaments.models import Registration, Tournament

USUAL_SIZES = ((32, 16), (16, 8), (8, 4))
"""From so many players on, so many are in the cut."""


def usual_size(players: int) -> int:
    """How large a cut of so many players is when nobody says."""
    return next((size for least, size in USUAL_SIZES if players >= least), 2)


class SizeForm(forms.Form):
    """How many are in the cut: at least two, at most everybody."""

    def __init__(self, data: Any, players: int) -> None:
        super().__init__(data)
        self.fields["size"] = forms.IntegerField(
            label="Players in the cut",
            min_value=2,
            max_value=max(2, players),
            help_text=f"From 2 to {players}. Any number works: the best seeds wait where it "
            "needs that.",
        )


class CutForm(forms.Form):
    """System, scoring and seeds; one field for the seed of each player, empty for who is out."""

    system = forms.ChoiceField(
        label="How it is played",
        choices=[(id_, SYSTEMS[id_].name) for id_ in reversed(ELIMINATIONS)],
        widget=forms.RadioSelect,
    )
    fixed_bracket = forms.BooleanField(
        label="Keep the bracket fixed instead of seeding it anew after each round",
        help_text="Single elimination only; double elimination is always fixed.",
        required=False,
    )
    scoring_rule = forms.ChoiceField(label="Scoring of its matches")

    def __init__(self, data: Any, tournament: Tournament, players: Sequence[Registration]) -> None:
        super().__init__(data, initial={"system": "double_elimination"})
        self.players = players
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
        """The first ones are in, in their order."""
        for seed, player in enumerate(self.players[:size], start=1):
            self.fields[seed_field(player)].initial = seed

    @property
    def rows(self) -> list[tuple[Registration, forms.BoundField]]:
        """Each player with the field of the seed."""
        return [(player, self[seed_field(player)]) for player in self.players]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
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

    def _seeded(self, cleaned: dict[str, Any]) -> list[tuple[int, Registration]]:
        given = [(cleaned.get(seed_field(player)), player) for player in self.players]
        return [(seed, player) for seed, player in given if seed is not None]

    @property
    def chosen(self) -> list[Registration]:
        """The players in the cut, best seed first."""
        by_seed = sorted(self._seeded(self.cleaned_data), key=lambda pair: pair[0])
        return [player for _, player in by_seed]


def seed_field(player: Registration) -> str:
    """The name of the field for this player's seed."""
    return f"seed-{player.number}"
