"""The things of an event whose marks (core.freshness) say whether a kept answer is still right."""

KINDS = 3


def of_event(event: int) -> int:
    """All that anybody may see of the event with this primary key."""
    return KINDS * event


def of_hall(event: int) -> int:
    """The same without what concerns one table alone: what the pages of all its players show."""
    return KINDS * event + 1


def of_player(player: int) -> int:
    """What concerns this player at their table."""
    return KINDS * player + 2
