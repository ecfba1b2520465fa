"""The choices of scoring and system, by game, and the order of tie-breakers."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from django import forms

from decks import games
from engine.standings import FIXED_TIE_BREAKERS, TIE_BREAKERS
from engine.systems import SYSTEMS, first_stage
from matches.scoring import RankRule, UnknownScoringRule, rules_of, scoring_rule

Choices: TypeAlias = list[tuple[str, str | list[tuple[str, str]]]]


def scoring_choices() -> Choices:
    """Every rule under the name of its game; empty is what is usual for the game chosen."""
    groups: Choices = [(game.name, scoring_choices_of(id_)) for id_, game in games.GAMES.items()]
    return [("", "As usual for the game"), *groups]


def scoring_choices_of(game: str) -> list[tuple[str, str]]:
    """The rules of one game. Points by place have a field of their own."""
    return [(rule.id, rule.name) for rule in rules_of(games.GAMES[game].scoring_rules)]


class RankPointsField(forms.CharField):
    """Points by place: text with any mark between the numbers, or a list of them."""

    def to_python(self, value: Any) -> Any:
        return value if isinstance(value, list) else super().to_python(value)


def rank_points_field() -> RankPointsField:
    """Points by place, for games that are scored so."""
    return RankPointsField(
        label="Points by place",
        help_text="For Free Radicals: five numbers, first place first. Empty: 5, 3, 2, 1, 0.",
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def second_meetings_field() -> forms.TypedChoiceField:
    """The choice to avoid second meetings; None if the number of rounds decides."""
    return forms.TypedChoiceField(
        label="Avoid second meetings",
        help_text=(
            "Only for Swiss with one game a match. Automatic: on when the rounds fit a round "
            "robin, so that everybody can meet a new opponent every time."
        ),
        choices=[("", "Automatic"), ("True", "Yes"), ("False", "No")],
        coerce=lambda chosen: chosen == "True",
        empty_value=None,
        required=False,
    )


def can_avoid_second_meetings(game: str) -> bool:
    """Return True if an event of this game can be Swiss with one game a match."""
    return "single" in games.GAMES[game].systems


def rank_points_of(rule_id: str) -> str:
    """What the field shows for the rule of an event."""
    rule = scoring_rule(rule_id)
    return ", ".join(map(str, rule.rank_points)) if isinstance(rule, RankRule) else ""


def fitting_rule(game: str, chosen: str) -> str:
    """The chosen rule, or the usual one of the game when none is chosen.

    Raises ValidationError for a rule of another game.
    """
    played = games.GAMES[game]
    if not chosen:
        return played.scoring_rules[0]
    if chosen not in played.scoring_rules:
        names = ", or ".join(f'"{rule.name}"' for rule in rules_of(played.scoring_rules))
        raise forms.ValidationError(
            f'"{scoring_rule(chosen).name}" does not score {played.name}. Choose {names}.'
        )
    return chosen


def with_rank_points(rule_id: str, points: str | list[int]) -> str:
    """The id of the rule with these points by place, typed or as numbers.

    Raises ValidationError when they cannot be, or when the rule has none.
    """
    if isinstance(points, str):
        points = points.replace(",", " ").replace("/", " ").replace("-", " ")
    numbers: Sequence[str | int] = points.split() if isinstance(points, str) else points
    rule = scoring_rule(rule_id)
    if not numbers:
        return rule_id
    if not isinstance(rule, RankRule):
        raise forms.ValidationError("This scoring has no points by place. Leave them empty.")
    try:
        chosen = scoring_rule(f"{rule.id}:{'-'.join(map(str, numbers))}")
    except UnknownScoringRule as refusal:
        raise forms.ValidationError(str(refusal)) from refusal
    is_usual = isinstance(chosen, RankRule) and chosen.rank_points == rule.rank_points
    return rule_id if is_usual else chosen.id


SYSTEM_CHOICES = [
    (system.id, f"{system.name}: {system.explanation}")
    for system in SYSTEMS.values()
    if not system.is_elimination
]
"""Everything an event can begin with; a cut comes after another stage."""


def choices_of(game: str) -> list[tuple[str, str]]:
    """What an event of this game can begin with, whatever its scoring."""
    fitting = games.GAMES[game].systems
    return [(id_, label) for id_, label in SYSTEM_CHOICES if id_ in fitting]


def system_field() -> forms.ChoiceField:
    """The choice, a line of explanation with each."""
    return forms.ChoiceField(
        label="How rounds are paired",
        choices=SYSTEM_CHOICES,
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


NOTHING_MORE = ("", "Nothing more")
PLACES = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth")


class TieBreakersField(forms.MultiValueField):
    """Up to six tie-breakers, best first; an empty choice is left out.

    Takes and gives all ids of an event in order, match points and lot among them.
    """

    def __init__(self, **kwargs: Any) -> None:
        every = [id_ for id_ in TIE_BREAKERS if id_ not in FIXED_TIE_BREAKERS]
        choices = [NOTHING_MORE, *_names(every)]
        # Those of every game can be read; `offer` shows those of the game.
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

    def offer(self, groups: Mapping[str, Sequence[str]]) -> None:
        """Show these ids: a group by its name, those under "" without one."""
        choices: Choices = [NOTHING_MORE, *_names(groups.get("", ()))]
        choices += [(name, _names(ids)) for name, ids in groups.items() if name and ids]
        for select in self.widget.widgets:
            select.choices = choices

    def prepare_value(self, value: Any) -> Any:
        """One choice per select. Django decompresses anything but a list, and ours is a list."""
        return self.widget.decompress(value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare select by select, for the same reason."""
        return super().has_changed(self.widget.decompress(initial), data)

    def compress(self, data_list: Sequence[str]) -> list[str]:
        chosen = [id_ for id_ in data_list if id_]
        for id_ in chosen:
            if chosen.count(id_) > 1:
                raise forms.ValidationError(
                    f'"{TIE_BREAKERS[id_].name}" is chosen twice. Choose it in one place.'
                )
        return [FIXED_TIE_BREAKERS[0], *chosen, FIXED_TIE_BREAKERS[1]]


def _names(ids: Sequence[str]) -> list[tuple[str, str]]:
    return [(id_, TIE_BREAKERS[id_].name) for id_ in ids]


def offered_tie_breakers(game: str, kept: Sequence[str]) -> dict[str, Sequence[str]]:
    """What an event of this game can choose, and what it has chosen already."""
    own = games.GAMES[game].tie_breakers
    others = [id_ for id_ in kept if id_ not in (*own, *FIXED_TIE_BREAKERS)]
    return {"": [*own, *others]}


def tie_breakers_by_game() -> dict[str, Sequence[str]]:
    """Those of every game first, then by game what not all have."""
    lists = {game.name: game.tie_breakers for game in games.GAMES.values()}
    shared = [id_ for id_ in TIE_BREAKERS if all(id_ in ids for ids in lists.values())]
    by_owners: dict[str, list[str]] = {}
    for id_ in TIE_BREAKERS:
        owners = [name for name, ids in lists.items() if id_ in ids]
        if owners and id_ not in shared:
            by_owners.setdefault(" and ".join(owners), []).append(id_)
    return {"": shared, **by_owners}


def refuse_foreign_tie_breakers(game: str, chosen: Sequence[str], kept: Sequence[str]) -> None:
    """Raise ValidationError for one of another game that the event has not had before."""
    own = games.GAMES[game].tie_breakers
    foreign = [id_ for id_ in chosen if id_ not in (*own, *kept, *FIXED_TIE_BREAKERS)]
    if foreign:
        names = " and ".join(f'"{TIE_BREAKERS[id_].name}"' for id_ in foreign)
        known = ", ".join(TIE_BREAKERS[id_].name for id_ in own)
        raise forms.ValidationError(
            f"{games.GAMES[game].name} does not use {names}. Choose from: {known}."
        )


class _Selects(forms.MultiWidget):
    use_fieldset = True

    def __init__(self, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__(
            [forms.Select({"aria-label": f"{place} tie-breaker"}, choices) for place in PLACES]
        )

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[Any]:
        """The choices one by one, as a page sends them, or a list of them."""
        if isinstance(data.get(name), list):
            return self.decompress(data[name])
        chosen: list[Any] = super().value_from_datadict(data, files, name)
        return chosen

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return not isinstance(data.get(name), list) and super().value_omitted_from_data(
            data, files, name
        )

    def decompress(self, value: Sequence[str] | None) -> list[str]:
        chosen = [id_ for id_ in value or () if id_ not in FIXED_TIE_BREAKERS][: len(PLACES)]
        return chosen + [""] * (len(PLACES) - len(chosen))
