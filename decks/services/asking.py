"""Parse requested deck rules from a command, the API or a page."""

from collections.abc import Mapping
from typing import Any

from decks.legality.records import AnrRules, DeckRules, deck_rules_of, kind_of
from decks.services.refusals import RuleOfAnotherGame

# Options by kind of deck rules.
ASKED: Mapping[str, tuple[str, ...]] = {
    "sizes": ("exact_ratio", "ban_list", "runner_minimum", "corp_minimum"),
    "formats": ("format", "identity"),
}


def asked_rules(game: str, asked: Mapping[str, Any]) -> DeckRules:
    """Build the rules from options named as in ASKED.

    None, empty and False count as not given; 0 counts as given. Raises RuleOfAnotherGame for an
    option of another game, and ValueError for a figure out of range.
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
        # Accept names such as "Standard" and "System Gateway" as ids of formats.
        return AnrRules(str(given.get("format", "")).strip().casefold().replace(" ", "_"))
    return deck_rules_of(game, {name: given[name] for name in own if name in given})
