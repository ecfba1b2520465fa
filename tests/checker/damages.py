"""Damaged answers, each with the code of the fault that must be found."""

from collections.abc import Callable
from typing import Any

from tests.checker import samples
from tests.checker.samples import Json, Sample, bye, game, places, pod, table, won

# Changes a document and its answer in place.
Damage = Callable[[Json, Json], Any]

PAIRINGS = (
    samples.five_players,
    samples.promised_bye,
    samples.locked_table,
    samples.seeded_four,
    samples.forced_rematch,
    samples.friends,
    samples.all_have_met,
    samples.twice_each,
    samples.six_in_a_ring,
    samples.sides_owed,
    samples.new_opponents,
    samples.twelve_in_two_camps,
    samples.five_in_pods,
    samples.robin_of_three,
)
CUTS = (samples.cut_of_four, samples.cut_of_three)


def pairings(*entries: Json) -> Damage:
    return lambda document, answer: answer.update(pairings=list(entries))


def row(key: str, index: int, **values: Any) -> Damage:
    return lambda document, answer: answer[key][index].update(values)


def role(table_: int, seat: int, value: str | None) -> Damage:
    return lambda document, answer: answer["pairings"][table_]["seats"][seat].update(role=value)


def other_cost(**cost: int) -> Damage:
    return lambda document, answer: answer["cost"].update(cost)


def drop_player(id_: int) -> Damage:
    return lambda document, answer: document["players"][id_ - 1].update(active=False)


def no_relaxations(document: Json, answer: Json) -> None:
    answer["relaxations"] = []


FIVE, LAST = samples.five_players, samples.twelve_in_two_camps


DAMAGED_ROUNDS: list[tuple[str, Callable[[], Sample], Damage]] = [
    ("seat_missing", FIVE, lambda document, answer: answer["pairings"].pop(1)),
    ("seat_missing", samples.robin_of_three, pairings(table(1, 3, 1))),
    ("seat_missing", samples.five_in_pods, pairings(pod(1, 5, 6, 7, 1))),
    ("seat_twice", FIVE, pairings(table(1, 5, 1), table(2, 2, 3), table(3, 5, 4))),
    ("seat_twice", FIVE, pairings(table(1, 5, 1), table(2, 2, 3), bye(4), bye(5))),
    ("not_in_field", FIVE, drop_player(5)),
    ("not_in_field", FIVE, pairings(table(1, 5, 1), table(2, 2, 9), bye(4))),
    ("table_number", FIVE, row("pairings", 0, table=0)),
    ("table_number", FIVE, row("pairings", 0, table=True)),
    ("table_twice", FIVE, row("pairings", 0, table=2)),
    ("roles", FIVE, role(0, 1, "corp")),
    ("roles", FIVE, role(1, 0, None)),
    ("seats", FIVE, pairings(pod(1, 5, 1, 2), table(2, 3, 4))),
    ("bye_many", FIVE, pairings(table(1, 5, 1), bye(2), bye(3), bye(4))),
    ("bye_many", LAST, lambda document, answer: answer["pairings"].append(bye(1))),
    ("given_bye", samples.promised_bye, pairings(table(1, 1, 2), table(2, 3, 4))),
    ("lock_moved", samples.locked_table, row("pairings", 0, table=3)),
    ("lock_moved", samples.locked_table, pairings(table(7, 2, 1), table(1, 3, 4))),
    ("roles_not_balanced", FIVE, pairings(table(1, 1, 5), table(2, 2, 3), bye(4))),
    ("roles_not_balanced", samples.sides_owed, pairings(table(1, 1, 4), table(2, 2, 3))),
    ("roles_not_swapped", samples.forced_rematch, pairings(table(1, 1, 2))),
    ("table_order", LAST, pairings(*(table(9 - n, 2 * n - 1, 2 * n) for n in range(1, 7)))),
    ("fold", samples.seeded_four, pairings(table(1, 1, 2), table(2, 3, 4))),
    ("cost", FIVE, other_cost(point_gap=36)),
    ("cost", FIVE, other_cost(rematch=1)),
    ("cost_part", FIVE, lambda document, answer: answer["pairings"][1]["cost"].update(point_gap=6)),
    ("certificate", FIVE, lambda document, answer: document.update(seed=3)),
    ("certificate", FIVE, lambda document, answer: answer["certificate"]["cost"].clear()),
    ("relaxation", samples.forced_rematch, no_relaxations),
    (
        "relaxation",
        FIVE,
        lambda document, answer: answer["relaxations"].append({"kind": "rematch"}),
    ),
    ("avoidable_second_bye", FIVE, pairings(table(1, 4, 1), table(2, 2, 3), bye(5))),
    ("avoidable_rematch", FIVE, pairings(table(1, 5, 3), table(2, 2, 1), bye(4))),
    (
        "avoidable_rematch",
        LAST,
        pairings(table(1, 7, 1), *(table(n, n, n + 6) for n in range(2, 7))),
    ),
    ("avoidable_third_meeting", samples.all_have_met, pairings(table(1, 1, 2), table(2, 3, 4))),
    ("avoidable_same_roles", samples.twice_each, pairings(table(1, 1, 2), table(2, 3, 4))),
    ("avoidable_avoid_group", samples.friends, pairings(table(1, 1, 2), table(2, 3, 4))),
    ("avoidable_side_imbalance", samples.sides_owed, pairings(table(1, 1, 3), table(2, 2, 4))),
    (
        "avoidable_second_meeting",
        samples.new_opponents,
        pairings(table(1, 2, 1), table(2, 4, 3)),
    ),
    ("dearer", FIVE, pairings(table(1, 2, 3), table(2, 4, 5), bye(1))),
    ("dearer", LAST, pairings(*(table(n, n, 6 + n % 6 + 1) for n in range(1, 7)))),
    ("dead_end", samples.six_in_a_ring, pairings(table(1, 1, 4), table(2, 2, 5), table(3, 3, 6))),
    ("pod_sizes", samples.five_in_pods, pairings(pod(1, 5, 6, 7, 1, 4), pod(2, 2, 3))),
    ("short_again", samples.five_in_pods, pairings(pod(1, 1, 2, 3, 4), pod(2, 5, 6, 7))),
    ("pod_cost", samples.five_in_pods, other_cost(repeat=5)),
    ("pod_dearer", samples.five_in_pods, pairings(pod(1, 5, 6, 7, 2), pod(2, 1, 3, 4))),
    ("bye_in_pods", samples.five_in_pods, pairings(pod(1, 5, 6, 7), pod(2, 2, 3, 4), bye(1))),
    ("met_twice", samples.robin_of_three, pairings(table(1, 2, 1), bye(3))),
    ("second_bye", samples.robin_of_three, pairings(table(1, 3, 2), bye(1))),
]


def swap_first_two(document: Json, answer: Json) -> None:
    first, second, *others = answer["standings"]
    answer["standings"] = [{**second, "rank": 1}, {**first, "rank": 2}, *others]


def prefer_by_manual_seed(document: Json, answer: Json) -> None:
    document["players"][1]["seed"] = 1


DAMAGED_STANDINGS: list[tuple[str, Damage]] = [
    ("standings_players", lambda document, answer: answer["standings"].pop()),
    ("standings_players", row("standings", 1, id=1)),
    ("ranks", row("standings", 2, rank=2)),
    ("figure", row("standings", 0, match_points=8)),
    ("figure", row("standings", 1, strength_of_schedule="4.500000001")),
    ("figure", row("standings", 1, strength_of_schedule_exact="5/1")),
    ("figure", row("standings", 2, extended_strength_of_schedule_exact="9/2")),
    ("order", swap_first_two),
    ("order", prefer_by_manual_seed),
]


def games(*entries: Json) -> Damage:
    return lambda document, answer: answer.update(games=list(entries))


def placed(*players: Any) -> Damage:
    return lambda document, answer: answer.update(placings=places(*players))


DAMAGED_CUTS: list[tuple[str, int, Damage]] = [
    ("game", 0, games(game(1, "a", "b"), game(2, "c", "d"))),
    ("game", 0, games(game(1, "a", "d"))),
    ("game", 1, games(game(3, "a", "c", "a"), game(4, "b", "d", "d"))),
    ("game", 5, games(game(7, "a", "b", "a"))),
    ("in_two_games", 0, games(game(1, "a", "d"), game(2, "a", "c"))),
    ("not_in_cut", 0, games(game(1, "a", "d"), game(2, "b", "x"))),
    ("cut_roles", 2, lambda document, answer: answer["games"][0]["seats"][0].update(role="corp")),
    ("cut_corp", 0, games(game(1, "a", "d", "a"), game(2, "b", "c"))),
    ("cut_corp", 1, games(game(3, "a", "b", "a"), game(4, "c", "d", "d"))),
    ("cut_corp", 3, games(game(6, "a", "b", "a"))),
    ("cut_corp", 4, games(game(7, "a", "b", "b"))),
    ("placing_ranks", 0, lambda document, answer: answer["placings"].pop()),
    ("placed_twice", 5, placed("a", "a", "c", "d")),
    ("placed_twice", 5, placed("a", "b", "c", "x")),
    ("placing", 5, placed("b", "a", "c", "d")),
    ("placing", 5, placed("a", "b", "d", "c")),
    ("placing", 3, placed(None, "c", None, "d")),
]


def longer(*results: Json) -> Damage:
    return lambda document, answer: document["results"].extend(results)


DAMAGED_RUNS: list[tuple[str, int, Damage]] = [
    ("game_changed", 2, games(game(3, "a", "c"))),
    ("lives", 3, games(game(6, "a", "d"))),
    ("no_winner", 5, lambda document, answer: document["results"].pop()),
    ("game_count", 5, longer(won(8, "a"))),
    ("placing", 5, placed("a", "b", None, "d")),
]


def whole_event() -> Json:
    """Three rounds of four players; the last round is open."""
    rounds = [
        [table(1, 1, 2, 20, 3), table(2, 3, 4, 10, 10)],
        [table(1, 3, 1, 20, 0), table(2, 2, 4, 12, 10)],
        [table(1, 1, 4), table(2, 2, 3)],
    ]
    document = samples.event("double", 4, *rounds, x_scoring="onr_runner_only")
    document["rounds"][0][0]["x_result"] = {
        "games": [
            {"corp": 1, "winner": "corp", "corp_agenda": 0, "runner_agenda": 3},
            {"corp": 2, "winner": "runner", "corp_agenda": 6, "runner_agenda": 7},
        ]
    }
    return document


def entry(round_: int, index: int, **values: Any) -> Callable[[Json], Any]:
    return lambda document: document["rounds"][round_][index].update(values)


def seat(round_: int, table_: int, index: int, **values: Any) -> Callable[[Json], Any]:
    return lambda document: document["rounds"][round_][table_]["seats"][index].update(values)


def another_round(number: int, *entries: Json) -> Callable[[Json], Any]:
    def change(document: Json) -> None:
        document["rounds"][number] = list(entries)

    return change


def byes_too_early(document: Json) -> None:
    document["players"].append({"id": 5})
    document["rounds"] = [
        [table(1, 1, 2, 6, 0), table(2, 3, 4, 6, 0), bye(5, 6)],
        [table(1, 1, 3, 6, 0), table(2, 2, 4, 6, 0), bye(5, 6)],
    ]


DAMAGED_EVENTS: list[tuple[str, Callable[[Json], Any]]] = [
    ("seat_twice", another_round(2, table(1, 1, 4), table(2, 4, 3))),
    ("not_in_field", another_round(2, table(1, 1, 9), table(2, 2, 3))),
    ("table_number", entry(0, 1, table=-1)),
    ("table_twice", entry(0, 1, table=1)),
    ("roles", seat(1, 0, 0, role="runner")),
    ("seats", another_round(2, pod(1, 1, 2, 3))),
    ("points", seat(0, 1, 0, points=10.0)),
    ("half_played", seat(0, 1, 0, points=None)),
    ("points_rule", seat(0, 0, 1, points=6)),
    ("bye_many", another_round(2, table(1, 1, 4), bye(2), bye(3))),
    ("second_bye", byes_too_early),
    ("rematch", another_round(2, table(1, 2, 1), table(2, 4, 3))),
]
