"""Who sits where at the player meeting."""

from dataclasses import dataclass
from itertools import groupby

from players.models import Player
from tournaments.event import queries
from tournaments.models import Tournament


@dataclass(frozen=True)
class MeetingLine:
    """One player and the table of the meeting."""

    name: str
    pronouns: str
    number: int
    table: int
    is_me: bool


def meeting_lines(tournament: Tournament, me: Player | None = None) -> list[MeetingLine]:
    """Everybody who has a seat, by name; one query."""
    return [
        MeetingLine(
            name=entry.player.name,
            pronouns=entry.player.pronouns,
            number=entry.number,
            table=entry.meeting_table,
            is_me=me is not None and entry.player_id == me.pk,
        )
        for entry in queries.seated_for_the_meeting(tournament)
        if entry.meeting_table is not None
    ]


def meeting_tables(lines: list[MeetingLine]) -> list[tuple[int, list[MeetingLine]]]:
    """The same by table; the players of each by name."""
    ordered = sorted(lines, key=lambda line: line.table)
    return [(table, list(seats)) for table, seats in groupby(ordered, lambda line: line.table)]
