"""Statistics of two-player events, compared with a loop over every row."""

import pytest

from matches.scoring.results import GameEnd
from tests.tournaments.statistics.counting import ByHand, count_events
from tests.tournaments.statistics.evenings import evening
from tournaments.models import DeckAudience, Tournament
from tournaments.statistics.pages import Statistics, statistics_of
from tournaments.statistics.rules import Chart


def chart(statistics: Statistics, id_: str) -> Chart | None:
    return next((chart for chart in statistics.charts if chart.id == id_), None)


def lines(statistics: Statistics, id_: str) -> dict[str, tuple[int, int]]:
    """Return hits and totals by name."""
    rows = chart(statistics, id_)
    return {str(row.name): (row.hits, row.of) for row in rows.lines} if rows else {}


@pytest.mark.parametrize(
    ("players", "rounds"), [((9, 6), 2), pytest.param((16, 11, 8), 3, marks=pytest.mark.slow)]
)
def test_figures_equal_a_count_row_by_row(players: tuple[int, ...], rounds: int):
    events = [
        evening(seed, players=count, rounds=rounds, cut=4 if seed == 1 else 0)
        for seed, count in enumerate(players, start=1)
    ]
    reveal(events[0])

    figures = statistics_of(Tournament.objects.all(), "anr")

    by_hand = count_events(events)
    assert sides(figures) == dict(by_hand.sides)
    assert by_side(figures, "identities_wins") == {
        name: tuple(pair) for name, pair in by_hand.identities.items()
    }
    assert by_side(figures, "identities_cut") == {
        name: tuple(pair) for name, pair in by_hand.cut.items()
    }
    assert match_ups(figures) == {name: tuple(pair) for name, pair in by_hand.match_ups.items()}
    assert {
        name: pair[0] for name, pair in by_side(figures, "identities").items()
    } == by_hand.played
    assert {name: pair[0] for name, pair in by_side(figures, "cards").items()} == by_hand.cards
    assert copies(figures) == by_hand.copies
    assert ends(figures) == recorded_ends(by_hand)
    assert figures.count.games == by_hand.ends.total()
    assert (figures.count.events, figures.count.entries) == (len(players), sum(players))


def reveal(event: Tournament) -> None:
    event.stages.update(decks_shown_to=DeckAudience.PUBLIC)


def sides(figures: Statistics) -> dict[str, list[int]]:
    return {name.lower(): list(pair) for name, pair in lines(figures, "sides").items()}


def by_side(figures: Statistics, chart_name: str) -> dict[tuple[str, str], tuple[int, int]]:
    return {
        (side, name): pair
        for side in ("corp", "runner")
        for name, pair in lines(figures, f"{side}_{chart_name}").items()
    }


def match_ups(figures: Statistics) -> dict[tuple[str, str], tuple[int, int]]:
    both = chart(figures, "identities_match_ups")
    assert both is not None
    return {(str(line.name), str(line.against)): (line.hits, line.of) for line in both.lines}


def copies(figures: Statistics) -> dict[tuple[str, str], int]:
    return {
        (side, str(line.name)): round(line.average * line.hits)
        for side in ("corp", "runner")
        if (cards := chart(figures, f"{side}_cards"))
        for line in cards.lines
        if line.average is not None
    }


def ends(figures: Statistics) -> dict[tuple[str, str], int]:
    ways = chart(figures, "ends")
    assert ways is not None
    return {(str(line.name), line.side): line.hits for line in ways.lines}


def recorded_ends(by_hand: ByHand) -> dict[tuple[str, str], int]:
    return {
        (GameEnd(end).label, winner): count
        for (end, winner), count in by_hand.ends.items()
        if end != GameEnd.NOT_RECORDED
    }
