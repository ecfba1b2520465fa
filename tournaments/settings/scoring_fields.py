"""Form fields for scoring, pairing system and tie-breakers, with the choices of each game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from django import forms
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.languages import in_words
from decks import games
from engine.standings.tie_breakers import FIXED_TIE_BREAKERS, TIE_BREAKERS
from engine.systems import SYSTEMS, USUAL_CUT, first_stage_systems
from matches.scoring.rules import RankRule, UnknownScoringRule, scoring_rule, scoring_rules_of
from tournaments.models.events import CUT_SYSTEM_CHOICES

Choices: TypeAlias = list[tuple[str, str | list[tuple[str, str]]]]


def scoring_choices() -> Choices:
    """Offer all scoring rules by game; the empty choice is the default for game and system."""
    groups: Choices = [(game.name, scoring_choices_of(id_)) for id_, game in games.GAMES.items()]
    return [("", str(_("Set by the system"))), *groups]


def scoring_choices_of(game: str) -> list[tuple[str, Any]]:
    # Points by place have their own field.
    return [
        (rule.id, in_words(rule.name)) for rule in scoring_rules_of(games.GAMES[game].scoring_rules)
    ]


class RankPointsField(forms.CharField):
    """Points by place, as a list or as text with a separator between the numbers."""

    def to_python(self, value: Any) -> Any:
        return value if isinstance(value, list) else super().to_python(value)


def rank_points_field() -> RankPointsField:
    return RankPointsField(
        label=_("Points by place"),
        help_text=_(
            "For Free Radicals: five numbers, first place first. Leave blank for the default "
            "(5, 3, 2, 1, 0)."
        ),
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def second_meetings_field() -> forms.TypedChoiceField:
    # None: the number of rounds decides.
    return forms.TypedChoiceField(
        label=_("Avoid rematches"),
        help_text=_(
            "Only for Swiss with one game per match. Automatic: yes, if there are enough players "
            "for a new opponent in every planned round."
        ),
        choices=[("", _("Automatic")), ("True", _("Yes")), ("False", _("No"))],
        coerce=lambda chosen: chosen == "True",
        empty_value=None,
        required=False,
    )


def can_avoid_second_meetings(game: str) -> bool:
    # Only Swiss with one game per match can.
    return "single" in games.GAMES[game].systems


def rank_points_of(rule_id: str) -> str:
    rule = scoring_rule(rule_id)
    return ", ".join(map(str, rule.rank_points)) if isinstance(rule, RankRule) else ""


class ScoringSelect(forms.Select):
    """Mark each scoring rule with its game and systems, for static/js/games.js."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        if option["value"]:
            rule, attrs = option["value"], option["attrs"]
            attrs["data-games"] = _game_ids(lambda game: game.is_scored_by(rule))
            attrs["data-systems"] = " ".join(_system_ids(rule))
        return option


def _game_ids(matches: Callable[[games.GameDefinition], bool]) -> str:
    return " ".join(game.id for game in games.GAMES.values() if matches(game))


def _system_ids(rule: str) -> list[str]:
    return [system.id for system in first_stage_systems(scoring_rule(rule))]


def clean_scoring_rule(game: str, chosen: str) -> str:
    """Return the chosen rule, or the default rule of the game if none is chosen."""
    played = games.GAMES[game]
    if not chosen:
        return played.scoring_rules[0]
    if chosen not in played.scoring_rules:
        names = get_text_list(
            [f'"{in_words(rule.name)}"' for rule in scoring_rules_of(played.scoring_rules)]
        )
        raise forms.ValidationError(
            gettext('"%(name)s" does not score %(played)s. Choose %(names)s.')
            % {"name": in_words(scoring_rule(chosen).name), "played": played.name, "names": names}
        )
    return chosen


def scoring_rule_with_points(rule_id: str, points: str | list[int]) -> str:
    """Return the id of the rule with these points by place, given as text or numbers."""
    if isinstance(points, str):
        points = points.replace(",", " ").replace("/", " ").replace("-", " ")
    numbers: Sequence[str | int] = points.split() if isinstance(points, str) else points
    rule = scoring_rule(rule_id)
    if not numbers:
        return rule_id
    if not isinstance(rule, RankRule):
        raise forms.ValidationError(
            gettext("This scoring has no points by place. Leave them empty.")
        )
    try:
        chosen = scoring_rule(f"{rule.id}:{'-'.join(map(str, numbers))}")
    except UnknownScoringRule as refusal:
        raise forms.ValidationError(str(refusal)) from refusal
    is_usual = isinstance(chosen, RankRule) and chosen.rank_points == rule.rank_points
    return rule_id if is_usual else chosen.id


# A cut cannot be the first stage.
SYSTEM_CHOICES = [
    (system.id, _(system.name)) for system in SYSTEMS.values() if not system.is_elimination
]


def system_choices_of(game: str) -> list[tuple[str, Any]]:
    """Offer systems for the first stage of this game, regardless of scoring."""
    fitting = games.GAMES[game].systems
    return [(id_, label) for id_, label in SYSTEM_CHOICES if id_ in fitting]


class SystemRadios(forms.RadioSelect):
    """Add the explanation of each system, and its games for static/js/games.js."""

    # The game chosen in the same form; empty if the form is for one game.
    game = ""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        system = SYSTEMS[option["value"]]
        option["explanation"] = _(system.explanation)
        attrs = option["attrs"]
        of_games = _game_ids(lambda game: system.id in game.systems)
        attrs["data-of-game"] = of_games
        attrs["data-of-other-game"] = bool(self.game) and self.game not in of_games.split()
        return option


def system_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("System"), choices=SYSTEM_CHOICES, widget=SystemRadios, required=False
    )


def cut_system_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("How the cut is played"),
        help_text=_(
            "Players are out after two losses in double elimination, and after one in single "
            "elimination."
        ),
        choices=CUT_SYSTEM_CHOICES,
        initial=USUAL_CUT,
        required=False,
    )


def clean_system(chosen: str, rule_id: str) -> str:
    """Return the chosen system, or the default for this scoring if none is chosen."""
    rule = scoring_rule(rule_id)
    fitting = first_stage_systems(rule)
    if not chosen:
        return fitting[0].id
    if chosen not in [system.id for system in fitting]:
        names = get_text_list([f'"{gettext(system.name)}"' for system in fitting])
        raise forms.ValidationError(
            gettext(
                '"%(name)s" does not support the scoring "%(rule)s". Choose %(names)s, or a '
                "different scoring."
            )
            % {"name": gettext(SYSTEMS[chosen].name), "rule": in_words(rule.name), "names": names}
        )
    return chosen


NO_TIE_BREAKER: tuple[str, Any] = ("", _("None"))
SELECT_LABELS = (
    _("First tie-breaker"),
    _("Second tie-breaker"),
    _("Third tie-breaker"),
    _("Fourth tie-breaker"),
    _("Fifth tie-breaker"),
    _("Sixth tie-breaker"),
)


class NamedTieBreaker(Protocol):
    @property
    def name(self) -> str: ...


class TieBreakersField(forms.MultiValueField):
    """The chosen tie-breakers, best first; empty choices are skipped.

    The values are ids in `known`. The first and last id in `fixed` are part of every value, but
    cannot be chosen.
    """

    def __init__(
        self,
        known: Mapping[str, NamedTieBreaker],
        *,
        places: int = len(SELECT_LABELS),
        fixed: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        self.known, self.fixed = known, fixed
        choices = [NO_TIE_BREAKER, *self._choices(id_ for id_ in known if id_ not in fixed)]
        # Accept all known tie-breakers; `offer` limits the displayed choices.
        fields = [forms.ChoiceField(choices=choices, required=False) for _ in range(places)]
        super().__init__(
            fields,
            widget=TieBreakerSelects(choices, places, fixed),
            required=False,
            require_all_fields=False,
            label=_("Ties are broken by"),
            **kwargs,
        )

    def _choices(self, ids: Iterable[str]) -> list[tuple[str, Any]]:
        # Lazy: the field of a class has its choices before there is a language.
        return [(id_, _(self.known[id_].name)) for id_ in ids]

    def offer(self, groups: Mapping[str, Sequence[str]]) -> None:
        """Show these ids grouped by name; ids under "" have no group."""
        choices: Choices = [NO_TIE_BREAKER, *self._choices(groups.get("", ()))]
        choices += [(name, self._choices(ids)) for name, ids in groups.items() if name and ids]
        for select in self.widget.widgets:
            select.choices = choices

    def prepare_value(self, value: Any) -> Any:
        """Return one value per select: Django does not decompress a list, such as this value."""
        return self.widget.decompress(value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.widget.decompress(initial), data)

    def compress(self, data_list: Sequence[str]) -> list[str]:
        chosen = [id_ for id_ in data_list if id_]
        for id_ in chosen:
            if chosen.count(id_) > 1:
                raise forms.ValidationError(
                    gettext('"%(name)s" is chosen twice. Choose it in one place.')
                    % {"name": gettext(self.known[id_].name)}
                )
        return [*self.fixed[:1], *chosen, *self.fixed[1:]]


def offered_tie_breakers(game: str, kept: Sequence[str]) -> dict[str, Sequence[str]]:
    own = games.GAMES[game].tie_breakers
    others = [id_ for id_ in kept if id_ not in (*own, *FIXED_TIE_BREAKERS)]
    return {"": [*own, *others]}


def tie_breakers_by_game() -> dict[str, Sequence[str]]:
    """Return tie-breakers shared by all games, then the rest grouped by the games that use them."""
    lists = {game.name: game.tie_breakers for game in games.GAMES.values()}
    shared = [id_ for id_ in TIE_BREAKERS if all(id_ in ids for ids in lists.values())]
    by_owners: dict[str, list[str]] = {}
    for id_ in TIE_BREAKERS:
        owners = [name for name, ids in lists.items() if id_ in ids]
        if owners and id_ not in shared:
            by_owners.setdefault(get_text_list(owners, gettext("and")), []).append(id_)
    return {"": shared, **by_owners}


def refuse_foreign_tie_breakers(game: str, chosen: Sequence[str], kept: Sequence[str]) -> None:
    """Raise ValidationError for a new tie-breaker of another game. Those in `kept` may stay."""
    own = games.GAMES[game].tie_breakers
    foreign = [id_ for id_ in chosen if id_ not in (*own, *kept, *FIXED_TIE_BREAKERS)]
    if foreign:
        names = get_text_list(
            [f'"{gettext(TIE_BREAKERS[id_].name)}"' for id_ in foreign], gettext("and")
        )
        known = ", ".join(gettext(TIE_BREAKERS[id_].name) for id_ in own)
        raise forms.ValidationError(
            gettext("%(name)s does not use %(names)s. Choose from: %(known)s.")
            % {"name": games.GAMES[game].name, "names": names, "known": known}
        )


class TieBreakerSelects(forms.MultiWidget):
    use_fieldset = True

    def __init__(
        self, choices: Sequence[tuple[str, str]], places: int, fixed: Sequence[str]
    ) -> None:
        self.fixed = fixed
        super().__init__(
            [forms.Select({"aria-label": label}, choices) for label in SELECT_LABELS[:places]]
        )

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[Any]:
        """Accept one value per select, as pages send it, or a list of values."""
        if isinstance(data.get(name), list):
            return self.decompress(data[name])
        chosen: list[Any] = super().value_from_datadict(data, files, name)
        return chosen

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return not isinstance(data.get(name), list) and super().value_omitted_from_data(
            data, files, name
        )

    def decompress(self, value: Sequence[str] | None) -> list[str]:
        places = len(self.widgets)
        chosen = [id_ for id_ in value or () if id_ not in self.fixed][:places]
        return chosen + [""] * (places - len(chosen))
