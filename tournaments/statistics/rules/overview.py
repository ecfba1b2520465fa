"""All charts of a set of events, in page order."""

from collections.abc import Iterator

from matches.scoring import Role
from tournaments.statistics.rules import decks, games
from tournaments.statistics.rules.charts import Chart, Section
from tournaments.statistics.rules.decks import groupings
from tournaments.statistics.rules.tallies import Tallies


def charts_of(tallies: Tallies) -> tuple[Chart, ...]:
    """Return the charts that have lines."""
    sections = list(Section)
    made = (chart for chart in _all(tallies) if chart.lines)
    return tuple(sorted(made, key=lambda chart: sections.index(chart.section)))


def _all(tallies: Tallies) -> Iterator[Chart]:
    both = groupings(tallies)
    every = [(grouping, side) for grouping in both for side in Role]
    yield from (decks.played(*one) for one in every)
    yield from (decks.cards(tallies, side) for side in Role)
    yield games.sides(tallies.endings)
    yield from (decks.wins(*one) for one in every)
    yield from games.at_tables(tallies)
    yield from (decks.match_ups(grouping) for grouping in reversed(both))
    yield games.ends(tallies.endings)
    yield games.lengths(tallies.rounds)
    yield games.spread_of_lengths(tallies.rounds)
    yield games.into_the_cut(tallies.cut)
    yield from (decks.conversions(*one) for one in every)
