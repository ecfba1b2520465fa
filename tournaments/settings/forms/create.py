"""Form for a new event; most fields are optional."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils import timezone

from decks import games
from tournaments.settings.forms.deck_rules import fields_of
from tournaments.settings.forms.scoring import (
    can_avoid_second_meetings,
    rank_points_of,
    scoring_choices,
    tie_breakers_by_game,
)
from tournaments.settings.forms.settings import MORE, SettingsForm


class CreateForm(SettingsForm):
    """Create an event; name, date and game are enough."""

    game = forms.ChoiceField(label="Game", choices=games.choices, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in MORE:
            self.fields[name].required = False
        self.fields["starts_on"].initial = timezone.localdate()
        self._ask_for_minutes()
        self._mark_other_games()
        self.fields["name"].widget.attrs["autofocus"] = True

    def _ask_for_minutes(self) -> None:
        """Leave the minutes empty and list the default of each game: none is chosen yet."""
        usual = (f"{one.name} {one.minutes_in_words}" for one in games.GAMES.values())
        self.initial["round_minutes"] = None
        self.fields[
            "round_minutes"
        ].help_text = f"Empty: as usual for the game. {'; '.join(usual)}."

    def _ask_for_scoring(self) -> None:
        """Offer the scoring rules of all games: the game is chosen in the same form."""
        self.fields["scoring_rule"].choices = scoring_choices()  # type: ignore[attr-defined]
        self.initial["scoring_rule"] = ""
        # The default points of a bye depend on the game.
        self.initial["bye_points"] = None

    def _ask_for_decks(self) -> None:
        """Offer the deck rules of all games; a script shows those of the chosen game."""
        self.ask_for_deck_rules(games.GAMES, self.instance.deck_rules)
        for game in games.GAMES:
            for name in (*fields_of(game), *_fields_of_scoring(game)):
                of_games = self.fields[name].widget.attrs
                of_games["data-of-game"] = f"{of_games.get('data-of-game', '')} {game}".strip()

    def _mark_other_games(self) -> None:
        """Mark fields of unselected games, which are hidden until the script runs."""
        chosen = str(self["game"].value() or games.DEFAULT.id)
        for field in self.fields.values():
            of_games = field.widget.attrs.get("data-of-game", chosen)
            field.widget.attrs["data-of-other-game"] = chosen not in of_games.split()

    def _offered_tie_breakers(self) -> Mapping[str, Sequence[str]]:
        return tie_breakers_by_game()

    @property
    def more(self) -> list[forms.BoundField]:
        """Leave out the format: without one the event would silently allow every card."""
        return [field for field in super().more if field.name != "format_id"]

    def clean_max_players(self) -> int | None:
        # A request without the field, such as from a script, gets the default limit.
        if "max_players" not in self.data:
            return int(self._kept("max_players"))
        return super().clean_max_players()

    def clean_game(self) -> str:
        return self.cleaned_data["game"] or games.DEFAULT.id

    def _game(self) -> str:
        return str(self.cleaned_data.get("game", games.DEFAULT.id))

    def _kept_rule(self) -> str:
        return ""

    @property
    def settings(self) -> dict[str, Any]:
        settings = {**super().settings, "game": self.cleaned_data["game"]}
        if not self.data.get("round_minutes"):
            # Left empty: the service sets the default of the game.
            del settings["round_minutes"]
        if not games.GAMES[settings["game"]].has_decks:
            # The checkboxes may have been sent anyway.
            settings |= {"decks_required": False, "decks_close_at": None}
        if not can_avoid_second_meetings(settings["game"]):
            settings["avoid_second_meetings"] = None
        return settings


def _fields_of_scoring(game: str) -> tuple[str, ...]:
    has_ranks = any(rank_points_of(rule) for rule in games.GAMES[game].scoring_rules)
    return (
        *(("rank_points",) if has_ranks else ()),
        *(("avoid_second_meetings",) if can_avoid_second_meetings(game) else ()),
    )
