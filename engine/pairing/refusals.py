"""What the engine refuses to pair, and the checks of its input."""

from collections import Counter
from collections.abc import Sequence

from core.errors import Refusal
from engine.pairing.records import Entrant, Locked, LockedTable
from engine.standings import PlayerId


class PairingRefused(Refusal):
    """The engine cannot pair this."""


class NotEnoughEntrants(PairingRefused):
    """A round needs two players."""


class DuplicateEntrants(PairingRefused):
    """Two entrants with one id."""


class MeetingsDisagree(PairingRefused):
    """One player's past does not fit the other's."""


class LockRefused(PairingRefused):
    """A locked table or bye that does not fit the field."""


class PointsTooLarge(PairingRefused):
    """The points are too far apart for exact arithmetic in the matching."""


def check(entrants: Sequence[Entrant], locked: Sequence[Locked]) -> None:
    """Raise the refusal that applies; answer nothing when the input can be paired."""
    check_entrants(entrants)
    numbers = [lock.number for lock in locked if isinstance(lock, LockedTable)]
    check_locks({entrant.id for entrant in entrants}, _locked_players(locked), numbers)


def check_entrants(entrants: Sequence[Entrant]) -> None:
    """Raise NotEnoughEntrants, DuplicateEntrants or MeetingsDisagree."""
    if len(entrants) < 2:
        raise NotEnoughEntrants(
            f"A round needs at least 2 active players, there are {len(entrants)}. "
            "Add a player, or let one return."
        )
    twice = _repeated([entrant.id for entrant in entrants])
    if twice is not None:
        raise DuplicateEntrants(f"Player {twice} is in the field twice.")
    _check_meetings({entrant.id: entrant for entrant in entrants})


def _check_meetings(field: dict[PlayerId, Entrant]) -> None:
    for entrant in field.values():
        for opponent, roles in entrant.roles_against.items():
            other = field.get(opponent)
            if opponent == entrant.id:
                raise MeetingsDisagree(f"Player {entrant.id} has met themselves.")
            # A dropped opponent is not in the field, and has nothing to compare with.
            if other is None:
                continue
            answered = other.roles_against.get(entrant.id, ())
            if [role and role.other for role in answered] != list(roles):
                raise MeetingsDisagree(
                    f"Player {entrant.id} tells of {len(roles)} meetings with player {opponent}, "
                    f"who tells of {len(answered)}, or their roles do not fit."
                )


def check_locks(field: set[PlayerId], players: Sequence[PlayerId], numbers: Sequence[int]) -> None:
    """Raise LockRefused unless the locked players are in the field, and nothing is locked twice."""
    for player in players:
        if player not in field:
            raise LockRefused(f"Player {player} is locked but not in the field.")
    if (player_twice := _repeated(players)) is not None:
        raise LockRefused(f"Player {player_twice} is locked twice.")
    if (number_twice := _repeated(numbers)) is not None:
        raise LockRefused(f"Table {number_twice} is locked twice.")
    if any(number < 1 for number in numbers):
        raise LockRefused(f"Tables are numbered from 1, but table {min(numbers)} is locked.")


def _locked_players(locked: Sequence[Locked]) -> list[PlayerId]:
    players: list[PlayerId] = []
    for lock in locked:
        players += [lock.corp, lock.runner] if isinstance(lock, LockedTable) else [lock.player]
    return players


def _repeated(things: Sequence[PlayerId]) -> PlayerId | None:
    return next((thing for thing, count in Counter(things).items() if count > 1), None)
