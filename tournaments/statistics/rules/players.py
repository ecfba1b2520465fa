"""Charts of one player: sides and identities played, with how often they won."""

from collections.abc import Iterator, Mapping, Sequence

from matches.scoring import Role
from tournaments.statistics.rules import decks
from tournaments.statistics.rules.charts import Chart, Columns, Kind, Line, Section
from tournaments.statistics.rules.decks import groupings
from tournaments.statistics.rules.tallies import Entry, Meeting, Tallies

Meetings = Mapping[Role, Sequence[Meeting]]


def charts_of_player(meetings: Meetings, factions: Mapping[str, str]) -> tuple[Chart, ...]:
    """Sides, then identities and factions of each side; those that have a line.

    `meetings` are the games of the player by the side they played, `factions` as in Tallies.
    """
    made = (_sides(meetings), *_by_identity(meetings, factions))
    return tuple(chart for chart in made if chart.lines)


def _sides(meetings: Meetings) -> Chart:
    lines = (
        Line(
            side.label,
            sum(one.games for one in meetings[side]),
            sum(one.games for one in meetings[side] if one.winner is side),
            side=side,
        )
        for side in Role
    )
    return Chart(
        id="own_sides",
        section=Section.WINS,
        kind=Kind.RATE,
        title="As Corp and as Runner",
        about="Games won on each side, of those played that somebody won.",
        columns=Columns("Side", "Won", "Games"),
        lines=tuple(line for line in lines if line.of),
    )


def _by_identity(meetings: Meetings, factions: Mapping[str, str]) -> Iterator[Chart]:
    for side in Role:
        played = meetings[side]
        names = {one.corp if side is Role.CORP else one.runner for one in played} - {""}
        entries = [Entry(side, name, False, False, 1) for name in sorted(names)]
        tallies = Tallies(meetings=played, entries=entries, factions=factions)
        yield from (decks.wins(grouping, side) for grouping in groupings(tallies))
