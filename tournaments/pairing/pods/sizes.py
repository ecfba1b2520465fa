"""How many pods, and how large (DESIGN 4.4)."""

SMALLEST_POD, LARGEST_POD, BEST_POD = 2, 5, 4


def pod_sizes(players: int) -> tuple[int, ...]:
    """The sizes of the pods for this many players, the largest first.

    Sizes of one round differ by at most 1 and lie within 2 and 5. Of the numbers of pods that
    allow this, take the one whose sizes are nearest to 4, measured by the sum of squared
    distances: 9 players sit 5 + 4 (distance 1) and not 3 + 3 + 3 (3), 6 players 3 + 3. Where two
    are equally near, take more pods: 10 players sit 4 + 3 + 3 and not 5 + 5, because then some
    sit at four and nobody waits for a table of five. No players need no pods; raise ValueError
    for one player.
    """
    ways = [
        _split(players, pods)
        for pods in range(-(-players // LARGEST_POD), players // SMALLEST_POD + 1)
    ]
    if not ways:
        raise ValueError(f"{players} player cannot make a pod.")
    return min(ways, key=lambda sizes: (_distance(sizes), -len(sizes)))


def _split(players: int, pods: int) -> tuple[int, ...]:
    if not pods:
        return ()
    size, larger = divmod(players, pods)
    return (size + 1,) * larger + (size,) * (pods - larger)


def _distance(sizes: tuple[int, ...]) -> int:
    return sum((size - BEST_POD) ** 2 for size in sizes)
