"""P8: exact standings of a large event relative to a plain loop in floating point."""

import random

from engine.standings.ranking import standings
from engine.standings.records import Bye, Exact, PlayedTable, RoundRecord, StandingsRecord
from tools.bench.baselines import plain_standings
from tools.bench.clock import shown, side_by_side
from tools.bench.figures import Figure

PLAYERS, ROUNDS = 4096, 12
RUNS = 25


def figures() -> list[Figure]:
    """One figure; both sides compute the same table from the same records."""
    records = large_event()
    assert agree(records)
    our_seconds, plain = side_by_side(
        lambda: standings(records, seed=1), lambda: plain_standings(records, 1), RUNS
    )
    return [
        Figure(
            "P8",
            f"exact standings, {PLAYERS} players and {ROUNDS} rounds, against floats in a loop",
            f"{our_seconds / plain:.2f} of its time ({shown(our_seconds)}, {shown(plain)})",
            "<= 1",
            our_seconds <= plain,
        )
    ]


def agree(records: list[StandingsRecord]) -> bool:
    """Return True if floats give the same points and, except for rounding, the same strengths."""
    plain = {line["id"]: line for line in plain_standings(records, 1)}
    return all(
        line.match_points == plain[line.id]["match_points"]
        and abs(float(line.strength_of_schedule) - plain[line.id]["strength_of_schedule"]) < 1e-9
        for line in standings(records, seed=1)
    )


def large_event() -> list[StandingsRecord]:
    """Rounds paired by score; some players miss some rounds."""
    chance = random.Random(8)
    points: dict[int, Exact] = dict.fromkeys(range(PLAYERS), 0)
    rounds: dict[int, list[RoundRecord]] = {player: [] for player in points}
    for _ in range(ROUNDS):
        present = [player for player in points if chance.random() > 0.02]
        chance.shuffle(present)
        present.sort(key=lambda player: -points[player])
        entries: dict[int, RoundRecord] = {}
        if len(present) % 2:
            entries[present.pop()] = Bye(20)
        for first, second in zip(present[::2], present[1::2], strict=True):
            results = ((20, chance.randint(0, 12)), (10, 10), (14, 13), (chance.randint(0, 12), 20))
            first_result, second_result = chance.choice(results)
            entries[first], entries[second] = (
                PlayedTable((second,), first_result, 1),
                PlayedTable((first,), second_result, 1),
            )
        for player, list_ in rounds.items():
            entry = entries.get(player)
            list_.append(entry)
            points[player] += entry.points if entry else 0
    return [StandingsRecord(player, tuple(list_)) for player, list_ in rounds.items()]
