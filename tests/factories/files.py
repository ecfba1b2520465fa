"""Tournament files in the formats of other programs, from a random event.

Figures in the files are computed with the naive formulas of tests/checker.
"""

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.checker import standings as naive

Json = dict[str, Any]

NAMES = ["Ada", "Björn", "Chidi", "Dolores", "Émile", "Fatou", "Grzegorz", "Hana", "Ísold", "Jun"]
DOUBLE_SCORES = [(6, 0), (0, 6), (3, 3), (4, 1), (1, 4), (2, 2), (3, 0)]
SINGLE_SCORES = [(3, 0), (0, 3), (1, 1)]


@dataclass
class PlayedEvent:
    """An event whose rounds have the format of the checker.

    A round has tables {"table", "seats"} and byes {"bye", "points"}. A game of `cut` is {"table",
    "corp", "runner", "winner"}; `placings` are ids, best first.
    """

    single: bool
    names: dict[int, str]
    rounds: list[list[Json]]
    cut: list[list[Json]] = field(default_factory=list)
    placings: list[int] = field(default_factory=list)

    @property
    def ranked(self) -> list[int]:
        """Ids in order of match points and both strengths of schedule."""
        return sorted(self.names, key=lambda id_: [-figure for figure in self.figures(id_)])

    def figures(self, id_: int) -> tuple[Fraction, Fraction, Fraction]:
        """Match points, strength of schedule and extended strength of schedule."""
        return (
            Fraction(naive.match_points(self.rounds, id_)),
            naive.strength_of_schedule(self.rounds, id_),
            naive.extended_strength_of_schedule(self.rounds, id_),
        )


def played(
    seed: int, *, players: int = 6, rounds: int = 3, single: bool = False, cut: int = 0
) -> PlayedEvent:
    """An event with random pairings and results; its ids start at 11."""
    chance = random.Random(seed)
    names = {
        10 + number: f"{NAMES[(number - 1) % len(NAMES)]} {number}"
        for number in range(1, players + 1)
    }
    event = PlayedEvent(single, names, [_round(chance, list(names), single) for _ in range(rounds)])
    if cut:
        _play_cut(event, event.ranked[:cut])
    return event


def _round(chance: random.Random, ids: list[int], single: bool) -> list[Json]:
    chance.shuffle(ids)
    entries: list[Json] = []
    for number, pair in enumerate(zip(ids[::2], ids[1::2], strict=False), start=1):
        scores = chance.choice(SINGLE_SCORES if single else DOUBLE_SCORES)
        roles = ("corp", "runner") if single else (None, None)
        seats = [
            {"id": id_, "points": points, "role": role}
            for id_, points, role in zip(pair, scores, roles, strict=True)
        ]
        entries.append({"table": number, "seats": seats})
    if len(ids) % 2:
        entries.append({"bye": ids[-1], "points": 3 if single else 6})
    return entries


def _play_cut(event: PlayedEvent, seeds: list[int]) -> None:
    """Single elimination of 2, 4 or 8 players, in which the better seed wins as Corp."""
    number, remaining = 1, list(seeds)
    while len(remaining) > 1:
        games = []
        for index in range(len(remaining) // 2):
            better_seed, worse_seed = remaining[index], remaining[-1 - index]
            games.append(
                {"table": number, "corp": better_seed, "runner": worse_seed, "winner": better_seed}
            )
            number += 1
        event.cut.append(games)
        remaining = remaining[: len(remaining) // 2]
    event.placings = seeds


def cobra(event: PlayedEvent, **keys: Any) -> Json:
    """The format of Cobra, double-sided or single-sided, with the cut."""
    swiss = [[_cobra_entry(entry, event.single) for entry in round_] for round_ in event.rounds]
    cut = [[_cobra_cut_game(game) for game in round_] for round_ in event.cut]
    return {
        **_top(event, str),
        "date": "2026-03-14",
        "tournamentOrganiser": {"nrdbId": 77, "nrdbUsername": "the_organiser"},
        "rounds": swiss + cut,
        "uploadedFrom": "Cobra",
        "links": [
            {"rel": "schemaderivedfrom", "href": "http://example.org/schema.json"},
            {"rel": "uploadedfrom", "href": "https://cobra.example.org/tournaments/7"},
        ],
        **keys,
    }


def aesops(event: PlayedEvent, **keys: Any) -> Json:
    """The format of AesopsTables for a single-sided event: flat games, no date, three decimals."""
    swiss = [[_flat_entry(entry) for entry in round_] for round_ in event.rounds]
    cut = [[_flat_cut_game(game) for game in round_] for round_ in event.cut]
    return {
        **_top(event, lambda figure: round(figure, 3)),
        "rounds": swiss + cut,
        "uploadedFrom": "AesopsTables",
        "links": [{"rel": "uploadedfrom", "href": "https://aesops.example.org/7"}],
        **keys,
    }


def aesops_by_role(event: PlayedEvent, **keys: Any) -> Json:
    """The earlier format of AesopsTables: a side under each role, and the cut by scores."""
    swiss = [[_role_entry(entry) for entry in round_] for round_ in event.rounds]
    cut = [[_role_cut_game(game) for game in round_] for round_ in event.cut]
    return {**aesops(event), "rounds": swiss + cut, **keys}


def nrtm(event: PlayedEvent, **keys: Any) -> Json:
    """The format of the first NRTM for a double-sided event: no totals, the bye is player 0."""
    top = _top(event, float)
    for player in top["players"]:
        player["prestige"] = player.pop("matchPoints")
    swiss = [[_nrtm_entry(entry) for entry in round_] for round_ in event.rounds]
    cut = [[_cobra_cut_game(game) for game in round_] for round_ in event.cut]
    links = {"0": {"rel": "schemaderivedfrom", "href": "http://example.org/schema.json"}}
    return {**top, "version": "1.1", "rounds": swiss + cut, "links": links, **keys}


DIALECTS: dict[str, Callable[[PlayedEvent], Json]] = {
    "cobra": cobra,
    "aesops": aesops,
    "aesops_by_role": aesops_by_role,
    "nrtm": nrtm,
}


def as_bytes(document: Any) -> bytes:
    """The file."""
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _top(event: PlayedEvent, printed: Callable[[float], Any]) -> Json:
    return {
        "name": "Spring Open",
        "cutToTop": len(event.placings),
        "preliminaryRounds": len(event.rounds),
        "players": list(_players(event, printed)),
        "eliminationPlayers": [
            {"id": id_, "name": event.names[id_], "rank": rank, "seed": rank}
            for rank, id_ in enumerate(event.placings, start=1)
        ],
    }


def _players(event: PlayedEvent, printed: Callable[[float], Any]) -> Iterable[Json]:
    for rank, id_ in enumerate(event.ranked, start=1):
        points, strength, extended = event.figures(id_)
        yield {
            "id": id_,
            "name": event.names[id_],
            "rank": rank,
            "corpIdentity": "Haas-Bioroid: Precision Design",
            "runnerIdentity": 'René "Loup" Arcemont: Party Animal',
            "matchPoints": int(points),
            "strengthOfSchedule": printed(float(strength)),
            "extendedStrengthOfSchedule": printed(float(extended)),
        }


def _cobra_entry(entry: Json, single: bool) -> Json:
    game = {"intentionalDraw": False, "twoForOne": False, "eliminationGame": False}
    if "bye" in entry:
        empty = {"runnerScore": None, "corpScore": None, **({"role": None} if single else {})}
        player = {"id": entry["bye"], **empty, "combinedScore": entry["points"]}
        return {"table": 99, "player1": player, "player2": {"id": None, **empty}, **game}
    sides = [_cobra_side(seat) for seat in entry["seats"]]
    return {"table": entry["table"], "player1": sides[0], "player2": sides[1], **game}


def _cobra_side(seat: Json) -> Json:
    points, role = seat["points"], seat["role"]
    if role is None:
        by_role = {"runnerScore": min(points, 3), "corpScore": points - min(points, 3)}
        return {"id": seat["id"], **by_role, "combinedScore": points}
    return {
        "id": seat["id"],
        "role": role,
        "combinedScore": points,
        "runnerScore": points if role == "runner" else None,
        "corpScore": points if role == "corp" else None,
    }


def _cobra_cut_game(game: Json) -> Json:
    sides = [
        {"id": game[role], "role": role, "winner": game["winner"] == game[role]}
        for role in ("corp", "runner")
    ]
    return {
        "table": game["table"],
        "player1": sides[0],
        "player2": sides[1],
        "eliminationGame": True,
    }


def _flat_entry(entry: Json) -> Json:
    if "bye" in entry:
        return {
            "tableNumber": None,
            "corpPlayer": entry["bye"],
            "runnerPlayer": "(BYE)",
            "corpScore": str(entry["points"]),
            "runnerScore": "0",
        }
    corp, runner = entry["seats"]
    return {
        "tableNumber": entry["table"],
        "corpPlayer": corp["id"],
        "runnerPlayer": runner["id"],
        "corpScore": str(corp["points"]),
        "runnerScore": str(runner["points"]),
    }


def _flat_cut_game(game: Json) -> Json:
    loser = game["runner"] if game["winner"] == game["corp"] else game["corp"]
    return {
        "tableNumber": game["table"],
        "corpPlayer": game["corp"],
        "runnerPlayer": game["runner"],
        "winner_id": game["winner"],
        "loser_id": loser,
        "eliminationGame": True,
    }


def _role_entry(entry: Json) -> Json:
    if "bye" in entry:
        corp = {"id": entry["bye"], "score": entry["points"]}
        return {"table": 99, "corp": corp, "runner": {"id": None, "score": 0}, "isBye": True}
    sides = {seat["role"]: {"id": seat["id"], "score": seat["points"]} for seat in entry["seats"]}
    return {"table": entry["table"], **sides}


def _role_cut_game(game: Json) -> Json:
    sides = {
        role: {"id": game[role], "score": 3 if game["winner"] == game[role] else 0}
        for role in ("corp", "runner")
    }
    return {"table": game["table"], **sides, "eliminationGame": True}


def _nrtm_entry(entry: Json) -> Json:
    if "bye" in entry:
        half = entry["points"] // 2
        player = {"id": entry["bye"], "runnerScore": half, "corpScore": entry["points"] - half}
        bye_player = {"id": 0, "runnerScore": 0, "corpScore": 0}
        return {"table": 99, "player1": player, "player2": bye_player, "eliminationGame": False}
    sides = [
        {
            "id": seat["id"],
            "runnerScore": min(seat["points"], 3),
            "corpScore": max(seat["points"] - 3, 0),
        }
        for seat in entry["seats"]
    ]
    return {
        "table": entry["table"],
        "player1": sides[0],
        "player2": sides[1],
        "eliminationGame": False,
        "game1WonBy": "ap",
        "game2WonBy": "flatline",
    }
