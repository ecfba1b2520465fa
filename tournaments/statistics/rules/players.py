"""Charts of a player: sides, identities, match-ups, ends and cuts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from matches.scoring import Role
from tournaments.statistics.rules import decks, games
from tournaments.statistics.rules.charts import Chart, Columns, Kind, Line, Section
from tournaments.statistics.rules.decks import Grouping, groupings
from tournaments.statistics.rules.tallies import (
    CutCount,
    Entry,
    Meeting,
    OwnGames,
    OwnTallies,
    Tallies,
)


def charts_of_player(tallies: OwnTallies) -> tuple[Chart, ...]:
    """Return the charts that have lines, in page order."""
    of_side = [(side, _of_side(tallies, side)) for side in Role]
    by_identity = [(one, side) for side, found in of_side for one in groupings(found)]
    made = (
        _sides([(side, found.meetings) for side, found in of_side]),
        *(decks.wins(*one) for one in by_identity),
        *(_match_ups(*one) for one in by_identity),
        _ends(tallies.games),
        into_the_cut(tallies.cut),
        *_conversions(tallies),
    )
    return tuple(chart for chart in made if chart.lines)


def _of_side(tallies: OwnTallies, side: Role) -> Tallies:
    """Return the played games on a side that have a winner."""
    played = [(one.identity, one.meeting) for one in tallies.games if one.side is side]
    meetings = [meeting for _, meeting in played if meeting is not None]
    # Charts show identities with an entry, so add an entry for each identity played.
    names = sorted({identity for identity, meeting in played if identity and meeting})
    entries = [Entry(side, name, False, False, 1) for name in names]
    return Tallies(meetings=meetings, entries=entries, factions=tallies.factions)


def _sides(meetings: list[tuple[Role, Sequence[Meeting]]]) -> Chart:
    lines = (
        Line(
            side.label,
            sum(one.games for one in found),
            sum(one.games for one in found if one.winner is side),
            side=side,
        )
        for side, found in meetings
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


def _match_ups(grouping: Grouping, side: Role) -> Chart:
    return Chart(
        id=f"{side}_{grouping.what}_match_ups",
        section=Section.MATCH_UPS,
        kind=Kind.RATE,
        title=f"Match-ups of {side.label} {grouping.what}",
        about=f"Games won as {side.label}, by the {grouping.one} of both sides.",
        columns=Columns(side.label, "Won", "Games", against="Against"),
        lines=tuple(decks.pairs(grouping, side)),
    )


def _ends(played: Sequence[OwnGames]) -> Chart:
    counts: Counter[games.Way] = Counter()
    for one in played:
        counts[one.end, _who_won(one), ""] += one.games
    return games.ways_of_ending("own_ends", counts)


def _who_won(game: OwnGames) -> str:
    if game.winner is None:
        return "Nobody"
    return "This player" if game.winner is game.side else "Opponent"


def into_the_cut(cut: CutCount) -> Chart:
    """Return the share of events with a cut where the player was in it."""
    return Chart(
        id="own_cut",
        section=Section.CUT,
        kind=Kind.RATE,
        title="Into the cut",
        about="Events where this player was in the cut, of those with one.",
        columns=Columns("Where", "In the cut", "Events"),
        lines=(Line("All events", cut.players, cut.in_cut),) if cut.players else (),
    )


def _conversions(tallies: OwnTallies) -> Iterator[Chart]:
    entered = Tallies(entries=tallies.entries, factions=tallies.factions)
    for side in Role:
        for grouping in groupings(entered):
            chart = decks.conversions(grouping, side)
            about = f"Events in the cut by {side.label} {grouping.one}, of those with a cut."
            yield replace(chart, about=about, columns=replace(chart.columns, of="Events"))
