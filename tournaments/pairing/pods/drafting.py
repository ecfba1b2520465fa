"""Who chooses a faction first (DESIGN 4.4)."""

from collections.abc import Mapping

from matches.scoring import Points
from tournaments.standings import PlayerId
from tournaments.standings.lots import lots


def draft_order(scores: Mapping[PlayerId, Points], *, seed: int) -> tuple[PlayerId, ...]:
    """The players of one pod in the order in which they choose.

    The lowest score chooses first, and the lot of `seed` decides among equals.
    """
    drawn = lots(scores, seed)
    return tuple(sorted(scores, key=lambda player: (scores[player], drawn[player])))
