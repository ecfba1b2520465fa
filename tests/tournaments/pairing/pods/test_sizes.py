"""How many pods, and how large: the whole table from 2 to 40 players."""

import pytest

from tournaments.pairing.pods import pod_sizes

TABLE = """
 2: 2          3: 3          4: 4          5: 5
 6: 3x2        7: 4 3        8: 4x2        9: 3x3
10: 4 3x2     11: 4x2 3     12: 4x3       13: 4 3x3
14: 4x2 3x2   15: 4x3 3     16: 4x4       17: 4x2 3x3
18: 4x3 3x2   19: 4x4 3     20: 4x5       21: 4x3 3x3
22: 4x4 3x2   23: 4x5 3     24: 4x6       25: 4x4 3x3
26: 4x5 3x2   27: 4x6 3     28: 4x7       29: 4x5 3x3
30: 4x6 3x2   31: 4x7 3     32: 4x8       33: 4x6 3x3
34: 4x7 3x2   35: 4x8 3     36: 4x9       37: 4x7 3x3
38: 4x8 3x2   39: 4x9 3     40: 4x10
"""


def table() -> dict[int, tuple[int, ...]]:
    rows: dict[int, tuple[int, ...]] = {}
    players = 0
    for word in TABLE.split():
        if word.endswith(":"):
            players = int(word[:-1])
            rows[players] = ()
        else:
            size, _, times = word.partition("x")
            rows[players] += (int(size),) * int(times or 1)
    return rows


def test_the_table_of_sizes_is_kept() -> None:
    assert {players: pod_sizes(players) for players in range(2, 41)} == table()


@pytest.mark.parametrize("players", range(2, 200))
def test_everybody_has_a_seat_and_sizes_differ_by_at_most_one(players: int) -> None:
    sizes = pod_sizes(players)

    assert sum(sizes) == players
    assert max(sizes) - min(sizes) <= 1
    assert set(sizes) <= ({3, 4} if players > 5 else {players})


def test_nobody_needs_no_pod_and_one_player_makes_none() -> None:
    assert pod_sizes(0) == ()
    with pytest.raises(ValueError, match="1 player cannot make a pod"):
        pod_sizes(1)
