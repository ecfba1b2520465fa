"""Statistics of two-player events, compared with a loop over every row."""

import pytest

from matches.scoring.results import GameEnd
from tests.tournaments.statistics.counting import ByHand, counted
from tests.tournaments.statistics.evenings import evening
from tournaments.models import DeckAudience, Tournament
from tournaments.statistics.pages import Statistics, statistics_of
from tournaments.statistics.rules import Chart


def chart(statistics: Statistics, id_: str) -> Chart | None:
    return next((chart for chart in statistics.charts if chart.id == id_), None)


def lines(statistics: Statistics, id_: str) -> dict[str, tuple[int, int]]:
    """Return hits and totals by name."""
    rows = chart(statistics, id_)
    return {row.name: (row.hits, row.of) for row in rows.lines} if rows else {}


@pytest.mark.parametrize(
    ("players", "rounds"), [((9, 6), 2), pytest.param((16, 11, 8), 3, marks=pytest.mark.slow)]
)
def test_figures_equal_a_count_row_by_row(players: tuple[int, ...], rounds: int):
    events = [
        evening(seed, players=count, rounds=rounds, cut=4 if seed == 1 else 0)
        for seed, count in enumerate(players, start=1)
    ]
    reveal(events[0])

    found = statistics_of(Tournament.objects.all(), "anr")

    by_hand = counted(events)
    assert sides(found) == dict(by_hand.sides)
    assert by_side(found, "identities_wins") == {
        name: tuple(pair) for name, pair in by_hand.identities.items()
    }
    assert by_side(found, "identities_cut") == {
        name: tuple(pair) for name, pair in by_hand.cut.items()
    }
    assert match_ups(found) == {name: tuple(pair) for name, pair in by_hand.match_ups.items()}
    assert {name: pair[0] for name, pair in by_side(found, "identities").items()} == by_hand.played
    assert {name: pair[0] for name, pair in by_side(found, "cards").items()} == by_hand.cards
    assert copies(found) == by_hand.copies
    assert ends(found) == recorded(by_hand)
    assert found.count.games == by_hand.ends.total()
    assert (found.count.events, found.count.entries) == (len(players), sum(players))


def reveal(event: Tournament) -> None:
    event.stages.update(decks_shown_to=DeckAudience.PUBLIC)


def sides(found: Statistics) -> dict[str, list[int]]:
    return {name.lower(): list(pair) for name, pair in lines(found, "sides").items()}


def by_side(found: Statistics, what: str) -> dict[tuple[str, str], tuple[int, int]]:
    return {
        (side, name): pair
        for side in ("corp", "runner")
        for name, pair in lines(found, f"{side}_{what}").items()
    }


def match_ups(found: Statistics) -> dict[tuple[str, str], tuple[int, int]]:
    both = chart(found, "identities_match_ups")
    assert both is not None
    return {(line.name, line.against): (line.hits, line.of) for line in both.lines}


def copies(found: Statistics) -> dict[tuple[str, str], int]:
    return {
        (side, line.name): round(line.average * line.hits)
        for side in ("corp", "runner")
        if (cards := chart(found, f"{side}_cards"))
        for line in cards.lines
        if line.average is not None
    }


def ends(found: Statistics) -> dict[tuple[str, str], int]:
    ways = chart(found, "ends")
    assert ways is not None
    return {(line.name, line.side): line.hits for line in ways.lines}


def recorded(by_hand: ByHand) -> dict[tuple[str, str], int]:
    return {
        (GameEnd(end).label, winner): count
        for (end, winner), count in by_hand.ends.items()
        if end != GameEnd.NOT_RECORDED
    }
