"""How the first stage of an event is run, as it is chosen."""

from django import forms

from matches.scoring import rules_of, scoring_rule
from tournaments.systems import SYSTEMS, first_stage

CHOICES = [
    (system.id, f"{system.name}: {system.explanation}")
    for system in SYSTEMS.values()
    if not system.is_elimination
]
"""Everything an event can begin with; a cut comes after another stage."""


def choices_of(game: str) -> list[tuple[str, str]]:
    """What an event of this game can begin with, whatever its scoring."""
    fitting = {system.id for rule in rules_of(game) for system in first_stage(rule)}
    return [(id_, label) for id_, label in CHOICES if id_ in fitting]


def system_field() -> forms.ChoiceField:
    """The choice, a line of explanation with each."""
    return forms.ChoiceField(
        label="How rounds are paired",
        choices=CHOICES,
        widget=forms.RadioSelect,
        required=False,
        help_text=(
            "Nothing chosen: as is usual for the scoring. It can be changed until round 1 is "
            "paired."
        ),
    )


def fitting_system(chosen: str, rule_id: str) -> str:
    """The chosen system, or the usual one for this scoring when none is chosen.

    Raises ValidationError when matches scored so cannot be paired so.
    """
    rule = scoring_rule(rule_id)
    fitting = first_stage(rule)
    if not chosen:
        return fitting[0].id
    if chosen not in [system.id for system in fitting]:
        names = ", or ".join(f'"{system.name}"' for system in fitting)
        raise forms.ValidationError(
            f'"{SYSTEMS[chosen].name}" does not go with the scoring "{rule.name}". Choose {names}, '
            "or another scoring."
        )
    return chosen
