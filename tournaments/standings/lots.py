"""Ids of players and lots drawn for them, whatever the order in which they are given."""

import random
from collections.abc import Iterable
from typing import TypeAlias

PlayerId: TypeAlias = int | str


def id_order(player: PlayerId) -> tuple[bool, int, str]:
    """A sort key for ids: numbers by size, then texts by letters."""
    if isinstance(player, str):
        return True, 0, player
    return False, player, ""


def lots(players: Iterable[PlayerId], seed: int) -> dict[PlayerId, int]:
    """Each player's place in the draw, 1 first.

    Every player draws from a generator of their own, so that a late entry moves nobody past
    anybody else.
    """
    drawn = sorted(players, key=lambda player: (_draw(player, seed), id_order(player)))
    return {player: place for place, player in enumerate(drawn, start=1)}


def _draw(player: PlayerId, seed: int) -> int:
    # Fair play needs a draw that can be repeated, not one that cannot be foretold.
    return random.Random(f"{seed}/{player!r}").getrandbits(64)  # noqa: S311
