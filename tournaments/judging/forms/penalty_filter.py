"""What a judge looks for among the penalties of an event."""

from collections.abc import Sequence
from typing import Any

from django import forms

from rulings.guide import PenaltyKind
from tournaments.models import Penalty

ANY = ("", "Any")


class PenaltyFilter(forms.Form):
    """Filters of the list, each offering what occurs in it; any may be left alone."""

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
        """The penalties that fit; what nobody offered asks for nothing."""
        wanted = self.wanted.items()
        return [
            one
            for one in self.given
            if all(_value(name, one)[0] == value for name, value in wanted)
        ]

    @property
    def wanted(self) -> dict[str, str]:
        """What is asked for, by field."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value}


def _value(name: str, penalty: Penalty) -> tuple[str, str]:
    """What a penalty is in one respect: the value of the filter, and its words."""
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
    return (str(author.pk), str(author)) if author else ("0", "somebody")


def _order(name: str, value: str, label: str) -> tuple[int, str]:
    """Rounds by number and penalties by weight, all else by name."""
    if name == "kind":
        return list(PenaltyKind).index(PenaltyKind(value)), ""
    return (int(value), "") if name == "round" else (0, label.casefold())
