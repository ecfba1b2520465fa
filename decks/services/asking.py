"""The deck rules somebody asks for, wherever they ask: command, API or page."""

from collections.abc import Mapping
from typing import Any

from decks.legality.records import AnrRules, DeckRules, deck_rules_of, kind_of
from decks.services.refusals import RuleOfAnotherGame

ASKED: Mapping[str, tuple[str, ...]] = {
    "sizes": ("exact_ratio", "ban_list", "runner_minimum", "corp_minimum"),
    "formats": ("format", "identity"),
}
"""What can be asked of each kind of deck rules, by name."""


def asked_rules(game: str, asked: Mapping[str, Any]) -> DeckRules:
    """The rules out of what was asked, by the names of ASKED.

    What is None, empty or False was not asked; 0 was. Raises RuleOfAnotherGame for a rule that
    the game does not have, and ValueError for a figure out of range.
    """
    given = {
        name: value
        for name, value in asked.items()
        if value not in (None, "") and value is not False
    }
    own = ASKED[kind_of(game)]
    for name in (name for names in ASKED.values() for name in names):
        if name in given and name not in own:
            raise RuleOfAnotherGame(f"The deck rules of {game} have no {name}. Remove it.")
    if kind_of(game) == "formats":
        # People write "Standard" and "System Gateway" for the ids of these formats.
        return AnrRules(str(given.get("format", "")).strip().casefold().replace(" ", "_"))
    return deck_rules_of(game, {name: given[name] for name in own if name in given})
