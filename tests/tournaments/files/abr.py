"""The match page of AlwaysBeRunning, computed from a file by its documented rules alone.

It identifies players by rank, finds games by id, shows a score from the side scores if they add up
to more than 0, and derives the bracket from who has lost. It uses no code of the site.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

SIDES = ("runnerScore", "corpScore")


@dataclass
class MatchPage:
    """Names by rank, displayed Swiss scores, and rounds of the cut by bracket."""

    names_by_rank: dict[int, str]
    swiss: list[list[tuple[str, str, str]]] = field(default_factory=list)
    cut: list[dict[str, list[tuple[str, str]]]] = field(default_factory=list)
    first_column: list[tuple[str, str]] = field(default_factory=list)
    top: list[str | None] = field(default_factory=list)


def match_page(document: dict[str, Any]) -> MatchPage:
    """Build the page; raise AssertionError for a file that would break it."""
    players = document["players"]
    assert players, "a file without players is refused"
    assert {"corpIdentity", "runnerIdentity"} & set(players[0]), "no identity keys"
    ranks = [player["rank"] for player in players]
    assert ranks == list(range(1, len(players) + 1)), ranks
    ids = [player["id"] for player in players]
    assert len(set(ids)) == len(ids)
    assert all(ids), "a falsy id is shown as a bye"
    assert len({player["name"] for player in players}) == len(players), (
        "brackets are identified by name"
    )
    page = MatchPage({player["rank"]: player["name"] for player in players})
    names = {player["id"]: player["name"] for player in players}
    _rounds(document, names, page)
    page.top = [names.get(place["id"]) for place in document["eliminationPlayers"]]
    assert [place["rank"] for place in document["eliminationPlayers"]] == list(
        range(1, document["cutToTop"] + 1)
    )
    return page


def _rounds(document: dict[str, Any], names: dict[int, str], page: MatchPage) -> None:
    lost: Counter[str] = Counter()
    for games in document["rounds"]:
        if games and games[0]["eliminationGame"]:
            page.cut.append(_cut_round(games, names, lost))
        else:
            assert not page.cut, "Swiss comes before the cut"
            page.swiss.append([_swiss_game(game, names) for game in games])
    played = [game for games in document["rounds"] for game in games if game["eliminationGame"]]
    page.first_column = [_pair(game, names) for game in played[: document["cutToTop"] // 2]]


def _pair(game: dict[str, Any], names: dict[int, str]) -> tuple[str, str]:
    return names[game["player1"]["id"]], names[game["player2"]["id"]]


def _swiss_game(game: dict[str, Any], names: dict[int, str]) -> tuple[str, str, str]:
    first, second = game["player1"], game["player2"]
    sides = [player[side] or 0 for player in (first, second) for side in SIDES]
    if sum(sides) > 0:
        score = f"{sides[0] + sides[1]}-{sides[2] + sides[3]}"
    else:
        score = f"{first['combinedScore']}-{second['combinedScore']}"
    return names[first["id"]], names[second["id"]] if second["id"] else "BYE", score


def _cut_round(
    games: list[dict[str, Any]], names: dict[int, str], lost: Counter[str]
) -> dict[str, list[tuple[str, str]]]:
    """Return (winner, loser) of each game by the half of the bracket."""
    halves: dict[str, list[tuple[str, str]]] = {"upper": [], "lower": []}
    losers = []
    for game in games:
        first, second = _pair(game, names)
        first_wins = bool(game["player1"]["winner"])
        winner, loser = (first, second) if first_wins else (second, first)
        halves["lower" if lost[first] and lost[second] else "upper"].append((winner, loser))
        losers.append(loser)
    lost.update(losers)
    return halves
