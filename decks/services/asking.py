"""The deck rules somebody asks for, wherever they ask: command, API or page."""

from collections.abc import Mapping
from typing import Any

from decks.games import GameSystem
from decks.legality.records import AnrRules, DeckRules, OnrRules
from decks.services.refusals import RuleOfAnotherGame

RULES_OF_ONR = ("exact_ratio", "ban_list", "runner_minimum", "corp_minimum")
RULES_OF_ANR = ("format", "identity")


def asked_rules(game: str, asked: Mapping[str, Any]) -> DeckRules:
    """The rules out of what was asked, by the names of RULES_OF_ONR and RULES_OF_ANR.

    What is None, empty or false was not asked. Raises RuleOfAnotherGame for a rule that the
    game does not have, and ValueError for a figure out of range.
    """
    given = {name: value for name, value in asked.items() if value not in (None, "", False)}
    foreign = RULES_OF_ONR if game == GameSystem.ANR else RULES_OF_ANR
    for name in foreign:
        if name in given:
            raise RuleOfAnotherGame(
                f"There is no {name} in the deck rules of {game}: leave it out."
            )
    if game == GameSystem.ANR:
        # People write "Standard" and "System Gateway" for the ids of these formats.
        return AnrRules(str(given.get("format", "")).strip().casefold().replace(" ", "_"))
    return OnrRules.from_settings({name: given[name] for name in RULES_OF_ONR if name in given})
