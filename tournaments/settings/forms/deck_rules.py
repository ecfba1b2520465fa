"""Form fields for the deck rules of an event; each game has its own."""

from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

from django import forms

from decks import games
from decks.catalogue import format_table
from decks.legality.records import KINDS, AnrRules, OnrRules, deck_rules_of

# Names of the settings that are stored together in `deck_rules`.
DECK_RULES = tuple(one.name for kind in KINDS.values() for one in fields(kind))
BASIC_RULES = ("", "Basic rules: every card of the game, no ban list")


class DeckRulesFields(forms.Form):
    """Deck rules fields of all games; a form for one game drops the rest."""

    runner_minimum = forms.IntegerField(
        label="Least cards of a Runner deck", min_value=1, max_value=999, required=False
    )
    corp_minimum = forms.IntegerField(
        label="Least cards of a Corp deck", min_value=1, max_value=999, required=False
    )
    exact_ratio = forms.BooleanField(
        label="Count agenda points to the card",
        help_text="2 points in 5 cards exactly, instead of 2 for every 5 cards begun.",
        required=False,
    )
    ban_list = forms.BooleanField(
        label="Ban list of the Top Runners' Conference",
        help_text="Tycho Extension and Enterprise, Inc., Shields are banned.",
        required=False,
    )
    format_id = forms.ChoiceField(
        label="Format of Android: Netrunner",
        help_text="Its card pool and ban list are those in force on the date of the event.",
        required=False,
    )

    identities_only = forms.BooleanField(
        label="Identities are enough",
        help_text="Players of Android: Netrunner may hand in their two identities without a list.",
        required=False,
    )

    def ask_for_deck_rules(self, asked: Iterable[str], kept: dict[str, Any]) -> None:
        """Keep only the fields of the games in `asked`; `kept` has their initial values."""
        wanted = {name for game in asked for name in fields_of(game)}
        for name in set(DECK_RULES) - wanted:
            del self.fields[name]
        initial = {
            **asdict(OnrRules.from_settings(kept)),
            **asdict(AnrRules.from_settings(kept)),
        }
        for name in wanted:
            self.fields[name].initial = initial[name]
        if "format_id" in wanted:
            self.fields["format_id"].choices = _formats(asked, initial["format_id"])  # type: ignore[attr-defined]

    def deck_rules(self, game: str) -> dict[str, Any]:
        """Return the `deck_rules` setting; empty for a game without decks."""
        asked = fields_of(game)
        if not asked:
            return {}
        chosen = {name: self.cleaned_data[name] for name in asked}
        known = {name: value for name, value in chosen.items() if value is not None}
        return {"deck_rules": asdict(deck_rules_of(game, known))}

    def refuse_format_of_another_game(self, game: str) -> None:
        """Reject a chosen format if the game has none, instead of ignoring it."""
        if not games.GAMES[game].has_formats and self.cleaned_data.get("format_id"):
            others = " or ".join(one.name for one in games.GAMES.values() if one.has_formats)
            self.add_error(
                "format_id",
                f"{games.GAMES[game].name} has no formats. Leave this at the basic rules, or "
                f"choose {others} as the game.",
            )


def fields_of(game: str) -> tuple[str, ...]:
    """Return the names of a game's deck rules; empty for a game without decks."""
    kind = games.GAMES[game].deck_rules
    return tuple(one.name for one in fields(KINDS[kind])) if kind else ()


def _formats(asked: Iterable[str], kept: str) -> list[tuple[str, str]]:
    with_formats = [game for game in asked if games.GAMES[game].has_formats]
    formats = [(one.id, one.name) for game in with_formats for one in format_table(game)]
    if kept and kept not in dict(formats):
        # Keep the format of the event even if it is missing from the card data.
        formats.append((kept, f"{kept} (not among the card data of this site)"))
    return [BASIC_RULES, *formats]
