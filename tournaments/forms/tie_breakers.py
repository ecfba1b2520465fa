"""The order in which ties are broken, as a row of choices that needs no JavaScript."""

from collections.abc import Sequence
from typing import Any

from django import forms

from tournaments.standings import TIE_BREAKERS

PLACES = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth")

ALWAYS = ("match_points", "lot")
"""The first and the last, whatever is chosen between them."""


class TieBreakersField(forms.MultiValueField):
    """Up to six tie-breakers, best first; an empty choice is left out.

    Takes and gives all ids of an event in order, match points and lot among them.
    """

    def __init__(self, **kwargs: Any) -> None:
        choices = [("", "nothing more")] + [
            (id_, breaker.name) for id_, breaker in TIE_BREAKERS.items() if id_ not in ALWAYS
        ]
        fields = [forms.ChoiceField(choices=choices, required=False) for _ in PLACES]
        super().__init__(
            fields,
            widget=_Selects(choices),
            required=False,
            require_all_fields=False,
            label="Ties are broken by",
            help_text="Match points come before all of these, and a lot after them.",
            **kwargs,
        )

    def compress(self, data_list: Sequence[str]) -> list[str]:
        chosen = [id_ for id_ in data_list if id_]
        for id_ in chosen:
            if chosen.count(id_) > 1:
                raise forms.ValidationError(
                    f'"{TIE_BREAKERS[id_].name}" is chosen twice. Choose it in one place.'
                )
        return [ALWAYS[0], *chosen, ALWAYS[1]]


class _Selects(forms.MultiWidget):
    use_fieldset = True

    def __init__(self, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__(
            [forms.Select({"aria-label": f"{place} tie-breaker"}, choices) for place in PLACES]
        )

    def decompress(self, value: Sequence[str] | None) -> list[str]:
        chosen = [id_ for id_ in value or () if id_ not in ALWAYS][: len(PLACES)]
        return chosen + [""] * (len(PLACES) - len(chosen))
