"""Large finished rounds in our own document format, without playing them."""

import json
import random
from typing import Any

Json = dict[str, Any]


def large_document(players: int, rounds: int, *, name: str = "Large event") -> Json:
    """An event of closed rounds with random opponents and winners."""
    chance = random.Random(players * 1_000 + rounds)
    ids = list(range(1, players + 1))
    return {
        "datafort": 1,
        "event": {
            "settings": {
                "name": name,
                "starts_on": "2026-05-02",
                "game": "onr",
                "scoring_rule": "onr_runner_only",
                "bye_points": 20,
            },
            "seed": 7,
            "players": [
                {"id": number, "name": f"Player {number}", "state": "checked_in"} for number in ids
            ],
            "stages": [
                {
                    "number": 1,
                    "system": "double",
                    "scoring_rule": "onr_runner_only",
                    "rounds": [_round(number, ids, chance) for number in range(1, rounds + 1)],
                }
            ],
        },
    }


def large_file(players: int, rounds: int, *, name: str = "Large event") -> bytes:
    """The document as the bytes of a file."""
    return json.dumps(large_document(players, rounds, name=name)).encode()


def _round(number: int, ids: list[int], chance: random.Random) -> Json:
    order = chance.sample(ids, len(ids))
    tables = list(zip(order[::2], order[1::2], strict=False))
    pairings = [
        {"table": table_number, "match": _match(pair, chance)}
        for table_number, pair in enumerate(tables, 1)
    ]
    if len(order) % 2:
        pairings.append({"bye": order[-1], "points": 20})
    return {"number": number, "state": "closed", "pairings": pairings}


def _match(pair: tuple[int, int], chance: random.Random) -> Json:
    points = dict.fromkeys(pair, 0)
    games = []
    for number, (corp, runner) in enumerate((pair, pair[::-1]), start=1):
        winner, loser = chance.sample(pair, 2)
        loser_points = chance.randrange(7)
        points[winner] += 10
        points[loser] += loser_points
        seats = [
            {"id": player, "role": role, "agenda_points": 7 if player == winner else loser_points}
            for player, role in ((corp, "corp"), (runner, "runner"))
        ]
        games.append({"number": number, "end": "agenda", "winner": winner, "seats": seats})
    return {
        "state": "decided",
        "seats": [{"id": player, "points": points[player]} for player in pair],
        "games": games,
    }
