"""The choice of a scoring rule, by game."""

from typing import TypeAlias

from django import forms

from decks.games import GameSystem
from matches.scoring import RankRule, UnknownScoringRule, rules_of, scoring_rule

Choices: TypeAlias = list[tuple[str, str | list[tuple[str, str]]]]


def scoring_choices() -> Choices:
    """Every rule under the name of its game; empty is what is usual for the game chosen."""
    groups: Choices = [
        (str(game.label), [(rule.id, rule.name) for rule in rules_of(game)]) for game in GameSystem
    ]
    return [("", "As usual for the game"), *groups]


def scoring_choices_of(game: str) -> Choices:
    """The rules of one game. Points by place are told in a field of their own."""
    return [(rule.id, rule.name) for rule in rules_of(game)]


def rank_points_field() -> forms.CharField:
    """Points by place, for games that are scored so."""
    return forms.CharField(
        label="Points by place",
        help_text="For Free Radicals: five numbers, first place first. Empty: 5, 3, 2, 1, 0.",
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def rank_points_of(rule_id: str) -> str:
    """What the field shows for the rule of an event."""
    rule = scoring_rule(rule_id)
    return ", ".join(map(str, rule.rank_points)) if isinstance(rule, RankRule) else ""


def fitting_rule(game: str, chosen: str) -> str:
    """The chosen rule, or the usual one of the game when none is chosen.

    Raises ValidationError for a rule of another game.
    """
    rules = rules_of(game)
    if not chosen:
        return rules[0].id
    if chosen not in [rule.id for rule in rules]:
        names = ", or ".join(f'"{rule.name}"' for rule in rules)
        raise forms.ValidationError(
            f'"{scoring_rule(chosen).name}" does not score {GameSystem(game).label}. '
            f"Choose {names}."
        )
    return chosen


def with_rank_points(rule_id: str, typed: str) -> str:
    """The id of the rule with these points by place.

    Raises ValidationError when they cannot be, or when the rule has none.
    """
    numbers = typed.replace(",", " ").replace("/", " ").replace("-", " ").split()
    rule = scoring_rule(rule_id)
    if not numbers:
        return rule_id
    if not isinstance(rule, RankRule):
        raise forms.ValidationError("This scoring has no points by place. Leave them empty.")
    try:
        chosen = scoring_rule(f"{rule.id}:{'-'.join(numbers)}")
    except UnknownScoringRule as refusal:
        raise forms.ValidationError(str(refusal)) from refusal
    is_usual = isinstance(chosen, RankRule) and chosen.rank_points == rule.rank_points
    return rule_id if is_usual else chosen.id
