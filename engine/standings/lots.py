"""Ids of players and lots drawn for them, whatever the order in which they are given."""

from collections.abc import Iterable
from hashlib import sha256
from typing import TypeAlias

PlayerId: TypeAlias = int | str


def id_order(player: PlayerId) -> tuple[bool, int, str]:
    """A sort key for ids: numbers by size, then texts by letters."""
    if isinstance(player, str):
        return True, 0, player
    return False, player, ""


def lots(players: Iterable[PlayerId], seed: int) -> dict[PlayerId, int]:
    """Each player's place in the draw, 1 first.

    The draw of a player is the SHA-256 of `seed/id`, so that anybody can repeat it, and a late
    entry moves nobody past anybody else.
    """
    drawn = sorted(players, key=lambda player: _draw(player, seed))
    return {player: place for place, player in enumerate(drawn, start=1)}


def _draw(player: PlayerId, seed: int) -> bytes:
    # With quotes around a text, so that the id "7" is not the id 7.
    return sha256(f"{seed}/{player!r}".encode()).digest()
