"""How many pods, and how large (DESIGN 4.4)."""

SMALLEST_POD, BEST_POD, LARGEST_POD = 2, 4, 5


def pod_sizes(players: int) -> tuple[int, ...]:
    """The sizes of the pods for this many players, the largest first.

    As few pods as hold everybody at tables of four, filled evenly: from six players on all sit
    at fours and threes, never differing by more than 1. Only five players sit at five, rather
    than at three and two. A three is better than a five because nobody waits for the long table,
    and players meet more others: nine in 3 + 3 + 3 play four rounds without a repeat, while in
    5 + 4 those who sat at the four are the ones to fill the five, with the same table-mates.

    No players need no pods; raise ValueError for one player.
    """
    if players == 1:
        raise ValueError("1 player cannot make a pod.")
    if players == LARGEST_POD:
        return (LARGEST_POD,)
    pods = -(-players // BEST_POD)
    if not pods:
        return ()
    size, larger = divmod(players, pods)
    return (size + 1,) * larger + (size,) * (pods - larger)
