"""Change the players and seeds of a cut by hand, in plain Python.

Players are identified by number in the event, best seed first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.text import Message, gettext_noop

MIN_CUT_SIZE, MAX_CUT_SIZE = 2, 256


class CutChangeKind(StrEnum):
    DECLINE = "decline"
    REPLACE = "replace"
    INVITE = "invite"
    SEED = "seed"


@dataclass(frozen=True)
class CutChange:
    """A change: `player` declines, gives way to `replacement`, is invited, or gets a new `seed`."""

    kind: CutChangeKind
    player: int
    replacement: int | None = None
    seed: int | None = None


class CutChangeRefused(Exception):  # noqa: N818 - a refusal is an answer, not an error
    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


def apply_cut_change(
    seeds: Sequence[int], next_in: int | None, candidates: Sequence[int], change: CutChange
) -> tuple[int, ...]:
    """Return the numbers in the cut after the change, best seed first.

    After a decline the players behind move up, and `next_in` takes the last seed. A replacement
    takes the seed of the replaced player. An invited player gets the last seed of a cut enlarged by
    one. With a new seed, the players in between move by one. Only `candidates` can join. Raises
    CutChangeRefused.
    """
    if change.kind is CutChangeKind.INVITE:
        if len(seeds) >= MAX_CUT_SIZE:
            raise CutChangeRefused(
                Message(gettext_noop("A cut has at most %(most)s players."), {"most": MAX_CUT_SIZE})
            )
        return (*seeds, _check_joining_player(seeds, candidates, change.player))
    if change.player not in seeds:
        raise CutChangeRefused(
            Message(gettext_noop("This player is not in the cut. Choose a player who is."))
        )
    if change.kind is CutChangeKind.DECLINE:
        if next_in is None:
            raise CutChangeRefused(
                Message(
                    gettext_noop(
                        "No player is left to fill the place. Undo the cut and make a smaller one."
                    )
                )
            )
        return (*_without_player(seeds, change.player), next_in)
    if change.kind is CutChangeKind.REPLACE:
        joining = _check_joining_player(seeds, candidates, change.replacement)
        return tuple(joining if number == change.player else number for number in seeds)
    return _with_new_seed(seeds, change)


def _without_player(seeds: Sequence[int], player: int) -> tuple[int, ...]:
    return tuple(number for number in seeds if number != player)


def _check_joining_player(
    seeds: Sequence[int], candidates: Sequence[int], player: int | None
) -> int:
    if player in seeds:
        raise CutChangeRefused(
            Message(gettext_noop("This player is already in the cut. Choose another player."))
        )
    if player is None or player not in candidates:
        raise CutChangeRefused(
            Message(gettext_noop("Choose a player who is checked in and not in the cut."))
        )
    return player


def _with_new_seed(seeds: Sequence[int], change: CutChange) -> tuple[int, ...]:
    if change.seed is None or not 1 <= change.seed <= len(seeds):
        raise CutChangeRefused(
            Message(gettext_noop("Choose a seed from 1 to %(most)s."), {"most": len(seeds)})
        )
    if seeds[change.seed - 1] == change.player:
        raise CutChangeRefused(
            Message(gettext_noop("This player is already seed %(seed)s."), {"seed": change.seed})
        )
    rest = _without_player(seeds, change.player)
    place = change.seed - 1
    return (*rest[:place], change.player, *rest[place:])
