"""Documents with correct answers, worked out by hand, for the checker's own tests."""

from typing import Any

from tests.checker.swiss_costs import LEVELS

Json = dict[str, Any]
Sample = tuple[Json, Json]


def table(number: int, corp: Any, runner: Any, *points: int | None) -> Json:
    seats = [{"id": corp, "role": "corp"}, {"id": runner, "role": "runner"}]
    for seat, seat_points in zip(seats, points, strict=False):
        seat["points"] = seat_points
    return {"table": number, "seats": seats}


def pod(number: int, *players: Any, points: tuple[int, ...] = ()) -> Json:
    seats = [{"id": player} for player in players]
    for seat, seat_points in zip(seats, points, strict=False):
        seat["points"] = seat_points
    return {"table": number, "seats": seats}


def bye(player: Any, points: int | None = None) -> Json:
    return {"bye": player} if points is None else {"bye": player, "points": points}


def event(system: str, players: int, *rounds: list[Json], **keys: Any) -> Json:
    rows = [{"id": id_, "active": True} for id_ in range(1, players + 1)]
    return {"datafort": 1, "system": system, "players": rows, "rounds": list(rounds), **keys}


def paired(profile: str, pairings: list[Json], **cost: int) -> Json:
    """Return an answer of `pair`; levels not named cost nothing."""
    names = LEVELS[profile]
    stated = {name: cost.get(name, 0) for name in names}
    broken = [{"kind": name} for name in names[:-1] if stated[name]]
    return {"pairings": pairings, "cost": stated, "relaxations": broken}


def five_players() -> Sample:
    """1, 3 and 5 have six points, 5 by a bye. 4 sits out, and 2 plays up to 3."""
    document = event("double", 5, [table(1, 1, 2, 6, 0), table(2, 3, 4, 6, 0), bye(5, 6)])
    # Gaps: 0, 6 squared, and the bye counts as a player of -1.
    answer = paired("double", [table(1, 5, 1), table(2, 2, 3), bye(4)], point_gap=0 + 36 + 1)
    no_costs = dict.fromkeys(LEVELS["double"], 0)
    for entry, gap in zip(answer["pairings"], (0, 36, 1), strict=True):
        entry["cost"] = {**no_costs, "point_gap": gap}
    answer["certificate"] = {"seed": 0, "cost": dict(answer["cost"])}
    return document, answer


def promised_bye() -> Sample:
    """Player 4 of four was promised a bye, so another player sits out too."""
    document = event("double", 4)
    document["players"][3]["first_round_bye"] = True
    return document, paired("double", [table(1, 1, 2), bye(3), bye(4)], point_gap=1)


def locked_table() -> Sample:
    """Table 7 stays; the rest is one table."""
    document = event("double", 4, locked=[table(7, 1, 2)])
    return document, paired("double", [table(7, 1, 2), table(1, 3, 4)])


def seeded_four() -> Sample:
    """Seeds fold: 1 meets 3, 2 meets 4."""
    document = event("double", 4)
    for row in document["players"]:
        row["seed"] = row["id"]
    return document, paired("double", [table(1, 1, 3), table(2, 4, 2)])


def forced_rematch() -> Sample:
    """Two players alone meet again, with roles swapped."""
    document = event("double", 2, [table(1, 1, 2, 6, 0)])
    return document, paired("double", [table(1, 2, 1)], rematch=1, point_gap=36)


def friends() -> Sample:
    """1 and 2 are of one group, and so are 3 and 4."""
    document = event("double", 4, [pod(1, 1, 3, points=(0, 0)), pod(2, 2, 4, points=(0, 0))])
    for row, group in zip(document["players"], "aabb", strict=True):
        row["group"] = group
    return document, paired("double", [table(1, 1, 4), table(2, 3, 2)])


def all_have_met() -> Sample:
    """1 has met 2 twice and the others once; a third meeting is avoidable."""
    document = event(
        "double",
        4,
        [table(1, 1, 2, 0, 0), table(2, 3, 4, 0, 0)],
        [table(1, 1, 3, 0, 0), table(2, 2, 4, 0, 0)],
        [table(1, 1, 4, 0, 0), table(2, 2, 3, 0, 0)],
        [table(1, 2, 1, 0, 0), table(2, 4, 3, 0, 0)],
    )
    return document, paired("double", [table(1, 3, 1), table(2, 4, 2)], rematch=2)


def twice_each() -> Sample:
    """1 and 3, and 2 and 4, met twice in the same roles; a third time they can swap."""
    first = [table(1, 1, 2, 0, 0), table(2, 3, 4, 0, 0)]
    swapped = [table(1, 2, 1, 0, 0), table(2, 4, 3, 0, 0)]
    alike = [table(1, 1, 3, 0, 0), table(2, 2, 4, 0, 0)]
    second_round = [table(1, 1, 4, 0, 0), table(2, 2, 3, 0, 0)]
    document = event(
        "double", 4, first, swapped, alike, alike, second_round, second_round, second_round
    )
    pairings = [table(1, 3, 1), table(2, 4, 2)]
    return document, paired("double", pairings, third_meeting=2, rematch=2)


def six_in_a_ring() -> Sample:
    """Neighbours have met; if opposites meet now, two triangles are left without a round."""
    unknown = (0, 0)
    document = event(
        "double",
        6,
        [pod(1, 1, 2, points=unknown), pod(2, 3, 4, points=unknown), pod(3, 5, 6, points=unknown)],
        [pod(1, 2, 3, points=unknown), pod(2, 4, 5, points=unknown), pod(3, 6, 1, points=unknown)],
        planned_rounds=5,
    )
    return document, paired("double", [table(1, 1, 3), table(2, 2, 5), table(3, 4, 6)])


def sides_owed() -> Sample:
    """1 and 3 were Corp, 2 and 4 Runner: each Corp meets the Runner not met yet."""
    document = event("single", 4, [table(1, 1, 2, 3, 0), table(2, 3, 4, 3, 0)])
    pairings = [table(1, 4, 1), table(2, 2, 3)]
    # Two gaps of 3, and 50 to the power of 0 twice: no imbalance gets worse.
    return document, paired("single", pairings, closeness=2 * (9 + 1))


def new_opponents() -> Sample:
    """Equal scores have met, and two rounds fit four players: all meet new opponents."""
    first = [table(1, 1, 2, 1, 1), table(2, 3, 4, 0, 0)]
    document = event("single", 4, first, planned_rounds=2)
    # Two gaps of 1, and 50 to the power of 0 twice.
    answer = paired("single_once", [table(1, 4, 1), table(2, 2, 3)], closeness=2 * (1 + 1))
    return document, answer


def twelve_in_two_camps() -> Sample:
    """More than ten players: 1 to 6 have three points each, the rest none."""
    first = [table(number, number, number + 6, 3, 0) for number in range(1, 7)]
    document = event("double", 12, first)
    couples = [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12)]
    pairings = [table(number, *couple) for number, couple in enumerate(couples, start=1)]
    return document, paired("double", pairings)


def five_in_pods() -> Sample:
    """Seven players at four and three, with two of each old table at the four."""
    first = [pod(1, 1, 2, 3, 4, points=(5, 3, 2, 1)), pod(2, 5, 6, 7, points=(5, 3, 2))]
    document = event("pods", 7, first)
    pairings = [pod(1, 3, 4, 6, 7), pod(2, 1, 2, 5)]
    # 3 and 4 have met, 6 and 7, and 1 and 2; 5 sits short again. Gaps of 2, 1, 3, 2: 1+1+0+4+1+1;
    # of 5, 3, 5: 4+0+4.
    cost = {"repeat": 3, "second_short_pod": 1, "avoid_group": 0, "point_gap": 16}
    return document, {"pairings": pairings, "cost": cost}


def robin_of_three() -> Sample:
    """Each of three sits out once."""
    rounds = [[table(1, 1, 2, 3, 0), bye(3, 3)], [table(1, 2, 3, 3, 0), bye(1, 3)]]
    return event("round_robin", 3, *rounds), {"pairings": [table(1, 3, 1), bye(2)]}


def standings_of_three() -> Sample:
    """After two rounds 1 has 9 points; 2 and 3 are tied with 6."""
    document = event(
        "double",
        3,
        [table(1, 1, 2, 6, 0), bye(3, 3)],
        [table(1, 1, 3, 3, 3), bye(2, 6)],
    )
    rows = [
        _standing(1, 1, 9, "3/1", "9/2"),
        _standing(2, 3, 6, "9/2", "3/1"),
        _standing(3, 2, 6, "9/2", "3/1"),
    ]
    return document, {"standings": rows}


def _standing(rank: int, player: int, points: int, strength: str, extended: str) -> Json:
    decimals = {"3/1": "3.000000000", "9/2": "4.500000000"}
    return {
        "rank": rank,
        "id": player,
        "match_points": points,
        "strength_of_schedule": decimals[strength],
        "strength_of_schedule_exact": strength,
        "extended_strength_of_schedule": decimals[extended],
        "extended_strength_of_schedule_exact": extended,
    }


def game(number: int, first: Any, second: Any, corp: Any = None) -> Json:
    """Return a game of a bracket; without a Corp the roles are open."""
    roles = {True: "corp", False: "runner"}
    return {
        "game": number,
        "seats": [
            {"id": id_, "role": None if corp is None else roles[id_ == corp]}
            for id_ in (first, second)
        ],
    }


def won(number: int, winner: Any, corp: Any = None) -> Json:
    return {"game": number, "winner": winner, "corp": corp}


def places(*players: Any) -> list[Json]:
    return [{"rank": rank, "id": id_} for rank, id_ in enumerate(players, start=1)]


def cut(system: str, seeds: str, *results: Json) -> Json:
    """Return a bracket document; players are letters, best seed first."""
    return {"datafort": 1, "system": system, "seeds": list(seeds), "results": list(results)}


def cut_of_four() -> list[Sample]:
    """A double elimination won from below, with its reset."""
    results = [
        won(1, "a", "a"),
        won(2, "b", "c"),
        won(3, "a", "b"),
        won(4, "c", "d"),
        won(5, "b", "c"),
        won(6, "b", "b"),
        won(7, "a", "a"),
    ]
    answers = [
        ([game(1, "a", "d"), game(2, "b", "c")], places(None, None, None, None)),
        ([game(3, "a", "b", "b"), game(4, "c", "d", "d")], places(None, None, None, None)),
        ([game(5, "b", "c", "c")], places(None, None, None, "d")),
        ([game(6, "a", "b", "b")], places(None, None, "c", "d")),
        ([game(7, "a", "b", "a")], places(None, None, "c", "d")),
        ([], places("a", "b", "c", "d")),
    ]
    played = [0, 2, 4, 5, 6, 7]
    return [
        (cut("double_elimination", "abcd", *results[:count]), {"games": games, "placings": placed})
        for count, (games, placed) in zip(played, answers, strict=True)
    ]


def cut_of_three() -> list[Sample]:
    """A single elimination: 2 meets 3 while 1 waits."""
    return [
        (
            cut("single_elimination", "abc"),
            {"games": [game(1, "b", "c")], "placings": places(None, None, None)},
        ),
        (
            cut("single_elimination", "abc", won(1, "c", "b")),
            {"games": [game(2, "a", "c", "c")], "placings": places(None, None, "b")},
        ),
        (
            cut("single_elimination", "abc", won(1, "c", "b"), won(2, "c", "c")),
            {"games": [], "placings": places("c", "a", "b")},
        ),
    ]
