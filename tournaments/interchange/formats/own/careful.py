"""Readers of what pages put into sentences, or hand to rules: nothing may surprise them later."""

import re
from typing import Any
from zoneinfo import ZoneInfo

from decks.legality.records import deck_rules_of
from engine.documents.nodes import Node
from matches.scoring import Flag, GameEnd, Role
from tournaments.interchange.formats.own.fields import (
    MOST_POINTS,
    Field,
    list_of,
    needed,
    object_of,
    or_none,
    plain,
    read_object,
    text,
    whole,
    word,
)

_FILLED_IN = re.compile(r"\{([0-9])\}")

REASON = {
    "kind": needed(text(40)),
    "players": Field(list_of(whole(1), 10), list),
    "text": needed(text(2_000)),
}

LOSS = {"seat": needed(whole(1, 5)), "game": or_none(whole(1, 9))}

_GAME = {
    "number": needed(whole(1, 9)),
    "corp": needed(whole(1, 2)),
    "winner": or_none(word(tuple(role.value for role in Role))),
    "end": needed(word(tuple(end.value for end in GameEnd))),
    "corp_agenda_points": or_none(whole()),
    "runner_agenda_points": or_none(whole()),
}

flags = list_of(word(tuple(flag.value for flag in Flag)), 10)

RESULT = {
    "games": Field(list_of(object_of(_GAME), 9), list),
    "flags": Field(flags, list),
    "totals": Field(list_of(whole(-MOST_POINTS, MOST_POINTS), 5), list),
    "victory_points": Field(list_of(whole(), 5), list),
    "factions": Field(list_of(text(30), 5), list),
}


def reason(node: Node) -> dict[str, Any]:
    """Reads a sentence in which {0}, {1} stand for its players, and no other braces."""
    told = read_object(node, REASON)
    places = [int(place) for place in _FILLED_IN.findall(told["text"])]
    rest = _FILLED_IN.sub("", told["text"])
    if "{" in rest or "}" in rest or any(place >= len(told["players"]) for place in places):
        raise node.under("text").refusal("Braces stand for the players of the sentence alone.")
    return told


def cost(node: Node) -> dict[str, int]:
    """Reads what a table costs, by rule."""
    told = plain(dict)(node)
    for key in told:
        node.under(key).integer(-(2**62), 2**62)
    return dict(told)


def time_zone(node: Node) -> str:
    """Reads the name of a zone."""
    name = text(64)(node)
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise node.refusal("No zone is called so. Write one such as Europe/Vienna.") from error
    return name


def refuse_deck_rules(node: Node, game: str, rules: dict[str, Any]) -> None:
    """Raise DocumentRefused for settings of decks that say nothing."""
    try:
        deck_rules_of(game, rules)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise node.refusal("These are no deck rules of this game. Leave them out.") from error
