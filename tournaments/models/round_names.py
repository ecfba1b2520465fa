"""The names of rounds in words: "Round 3", "Quarterfinals", "Upper bracket final"."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.bracket.round_names import RoundCode, RoundName

# Rounds with one match and with several, alone and as part of a sentence.
_ONE = {
    RoundCode.FINAL: gettext_lazy("final"),
    RoundCode.SEMIFINAL: gettext_lazy("semifinal"),
    RoundCode.QUARTERFINAL: gettext_lazy("quarterfinal"),
    RoundCode.ROUND_OF: gettext_lazy("round of %(number)d"),
    RoundCode.UPPER_FINAL: gettext_lazy("upper bracket final"),
    RoundCode.UPPER_SEMIFINAL: gettext_lazy("upper bracket semifinal"),
    RoundCode.UPPER_QUARTERFINAL: gettext_lazy("upper bracket quarterfinal"),
    RoundCode.UPPER_ROUND_OF: gettext_lazy("upper bracket round of %(number)d"),
    RoundCode.LOWER_FINAL: gettext_lazy("lower bracket final"),
    RoundCode.LOWER_SEMIFINAL: gettext_lazy("lower bracket semifinal"),
    RoundCode.LOWER_ROUND: gettext_lazy("lower bracket round %(number)d"),
    RoundCode.BRACKET_RESET: gettext_lazy("bracket reset"),
    RoundCode.CUT_ROUND: gettext_lazy("cut round %(number)d"),
}
_ALL = _ONE | {
    RoundCode.SEMIFINAL: gettext_lazy("semifinals"),
    RoundCode.QUARTERFINAL: gettext_lazy("quarterfinals"),
    RoundCode.UPPER_SEMIFINAL: gettext_lazy("upper bracket semifinals"),
    RoundCode.UPPER_QUARTERFINAL: gettext_lazy("upper bracket quarterfinals"),
    RoundCode.LOWER_SEMIFINAL: gettext_lazy("lower bracket semifinals"),
}
_ONE_IN_SENTENCE = {
    RoundCode.FINAL: gettext_lazy("the final"),
    RoundCode.SEMIFINAL: gettext_lazy("the semifinal"),
    RoundCode.QUARTERFINAL: gettext_lazy("the quarterfinal"),
    RoundCode.ROUND_OF: gettext_lazy("the round of %(number)d"),
    RoundCode.UPPER_FINAL: gettext_lazy("the upper bracket final"),
    RoundCode.UPPER_SEMIFINAL: gettext_lazy("the upper bracket semifinal"),
    RoundCode.UPPER_QUARTERFINAL: gettext_lazy("the upper bracket quarterfinal"),
    RoundCode.UPPER_ROUND_OF: gettext_lazy("the upper bracket round of %(number)d"),
    RoundCode.LOWER_FINAL: gettext_lazy("the lower bracket final"),
    RoundCode.LOWER_SEMIFINAL: gettext_lazy("the lower bracket semifinal"),
    RoundCode.LOWER_ROUND: gettext_lazy("lower bracket round %(number)d"),
    RoundCode.BRACKET_RESET: gettext_lazy("the bracket reset"),
    RoundCode.CUT_ROUND: gettext_lazy("cut round %(number)d"),
}
_ALL_IN_SENTENCE = _ONE_IN_SENTENCE | {
    RoundCode.SEMIFINAL: gettext_lazy("the semifinals"),
    RoundCode.QUARTERFINAL: gettext_lazy("the quarterfinals"),
    RoundCode.UPPER_SEMIFINAL: gettext_lazy("the upper bracket semifinals"),
    RoundCode.UPPER_QUARTERFINAL: gettext_lazy("the upper bracket quarterfinals"),
    RoundCode.LOWER_SEMIFINAL: gettext_lazy("the lower bracket semifinals"),
}


def bracket_round_title(name: RoundName) -> str:
    """Name a round of a bracket, such as "Semifinals" or "Lower bracket round 2"."""
    texts = _ONE if name.matches == 1 else _ALL
    return capfirst(texts[name.code] % {"number": name.number})


def match_kind(name: RoundName) -> str:
    """Name one match by its round alone, such as "Semifinal" or "Round of 16"."""
    return capfirst(_ONE[name.code] % {"number": name.number})


def round_label(number: int, names: Sequence[RoundName]) -> str:
    """Name a round of an event: "round 3", or in a cut the rounds of its bracket, "semifinals"."""
    if not names:
        return _("round %(number)d") % {"number": number}
    return _listed(_ONE, _ALL, names)


def round_in_sentence(number: int, names: Sequence[RoundName]) -> str:
    """Name a round within a sentence: "round 3", "the semifinals"."""
    if not names:
        return _("round %(number)d") % {"number": number}
    return _listed(_ONE_IN_SENTENCE, _ALL_IN_SENTENCE, names)


def _listed(
    one: Mapping[RoundCode, Any], several: Mapping[RoundCode, Any], names: Sequence[RoundName]
) -> str:
    """Name each round, by the text for one match or for several, and join the names."""
    texts = [
        (one if name.matches == 1 else several)[name.code] % {"number": name.number}
        for name in names
    ]
    return str(get_text_list(texts, _("and")))
