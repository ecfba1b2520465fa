"""Who is in a cut, changed by hand: seeds in, seeds out, and the sentence that says what was done.

Plain Python. Players go by their number in the event, the best seed first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.errors import Refusal

FEWEST_IN_A_CUT, MOST_IN_A_CUT = 2, 256


class ChangeKind(StrEnum):
    """What the organiser does with a place in the cut."""

    DECLINE = "decline"
    REPLACE = "replace"
    INVITE = "invite"
    SEED = "seed"


@dataclass(frozen=True)
class CutChange:
    """One change: `player` declines, is replaced by `other`, is invited, or gets another `seed`."""

    kind: ChangeKind
    player: int
    other: int | None = None
    seed: int | None = None


class CannotChange(Refusal):
    """This change of the cut makes no sense; the text says why."""

    code = "cut_refused"


def changed(
    seeds: Sequence[int], next_in: int | None, candidates: Sequence[int], change: CutChange
) -> tuple[int, ...]:
    """The numbers in the cut after the change, best seed first.

    Who declines is followed by `next_in`, at the end: those behind move up. A replacement takes
    the seed of who is out. An invited player is the last seed of a cut that is one larger. With
    another seed the players in between move by one. `candidates` can come in. Raises CannotChange.
    """
    if change.kind is ChangeKind.INVITE:
        if len(seeds) >= MOST_IN_A_CUT:
            raise CannotChange(f"A cut has at most {MOST_IN_A_CUT} players.")
        return (*seeds, _coming(seeds, candidates, change.player))
    if change.player not in seeds:
        raise CannotChange("This player has no place in the cut. Choose one who has.")
    if change.kind is ChangeKind.DECLINE:
        if next_in is None:
            raise CannotChange(
                "No player is left to fill the place. Undo the cut and make it smaller."
            )
        return (*_without(seeds, change.player), next_in)
    if change.kind is ChangeKind.REPLACE:
        coming = _coming(seeds, candidates, change.other)
        return tuple(coming if one == change.player else one for one in seeds)
    return _seeded(seeds, change)


def _without(seeds: Sequence[int], player: int) -> tuple[int, ...]:
    return tuple(one for one in seeds if one != player)


def _coming(seeds: Sequence[int], candidates: Sequence[int], player: int | None) -> int:
    if player in seeds:
        raise CannotChange("This player is in the cut already. Choose another one.")
    if player is None or player not in candidates:
        raise CannotChange("Choose a player who is checked in and not in the cut.")
    return player


def _seeded(seeds: Sequence[int], change: CutChange) -> tuple[int, ...]:
    if change.seed is None or not 1 <= change.seed <= len(seeds):
        raise CannotChange(f"Choose a seed from 1 to {len(seeds)}.")
    if seeds[change.seed - 1] == change.player:
        raise CannotChange(f"This player is seed {change.seed} already.")
    others = _without(seeds, change.player)
    place = change.seed - 1
    return (*others[:place], change.player, *others[place:])


def sentence(change: CutChange, before: Sequence[int], name: dict[int, str]) -> str:
    """What everybody may read of it; `name` has those of the players by number."""
    player = name[change.player]
    if change.kind is ChangeKind.INVITE:
        return f"{player} was invited as seed {len(before) + 1}"
    if change.kind is ChangeKind.REPLACE:
        assert change.other is not None
        return f"{name[change.other]} replaces {player} as seed {before.index(change.player) + 1}"
    if change.kind is ChangeKind.SEED:
        return f"{player} is seed {change.seed}, was seed {before.index(change.player) + 1}"
    return f"{player} declined"
