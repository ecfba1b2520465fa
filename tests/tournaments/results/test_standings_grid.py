"""The grid of the standings, during a round and after it."""

import pytest
from django.core.cache import caches
from django.test import Client

from matches.scoring.results import MatchResult
from tests.factories.cuts import event_with_cut, play_cut_round
from tests.factories.pods import make_pods, places
from tests.factories.sessions import claim
from tests.factories.tournaments import (
    add_players,
    draft_round,
    fresh,
    make_event,
    play_round,
    player_number,
    sitting,
    start_round,
    sweep,
    tables_of,
)
from tests.queries import queries_of
from tests.tournaments.pages import text_of, url
from tournaments.models import Pairing, Tournament
from tournaments.results.standings_pages import GridLine, RoundOutcome, StandingsGrid

BYE = 20


def grid_of(event: Tournament, **asked: int) -> StandingsGrid:
    # A cached page has no context.
    caches["pages"].clear()
    grid: StandingsGrid = Client().get(url("standings", event), asked).context["grid"]
    return grid


def line_of(grid: StandingsGrid, number: int) -> GridLine:
    return next(line for line in grid.lines if line.standing.number == number)


def first_wins(_pairing: Pairing) -> MatchResult:
    return sweep(1, 3)


def test_a_line_has_the_record_the_points_of_each_side_and_every_round():
    event = make_event(players=4)
    round_ = play_round(event, play=first_wins)
    winner, loser = sitting(tables_of(round_)[0])

    won, lost = (line_of(grid_of(event), one.number) for one in (winner, loser))

    assert (won.record, won.corp, won.runner) == ((1, 0, 0), 10, 10)
    assert (lost.record, lost.corp, lost.runner) == ((0, 0, 1), 0, 3)
    assert won.cells[0][1:] == (RoundOutcome.WON, 20, lost.standing.rank, "Corp")
    assert lost.cells[0][1:] == (RoundOutcome.LOST, 3, won.standing.rank, "Runner")


def test_the_sides_and_the_byes_add_up_to_the_points():
    event = make_event(players=9)
    play_round(event)
    play_round(event)

    for line in grid_of(event).lines:
        byes = sum(cell.outcome is RoundOutcome.BYE for cell in line.cells)
        of_sides = (line.corp or 0) + (line.runner or 0)
        assert of_sides + byes * BYE == line.standing.match_points
        assert sum(line.record or ()) + byes == 2


def test_movement_counts_from_the_round_before():
    event = make_event(players=8)
    play_round(event)
    first = {line.standing.number: line for line in grid_of(event).lines}
    play_round(event)

    assert {line.moved for line in first.values()} == {None}
    for line in grid_of(event).lines:
        assert line.moved == first[line.standing.number].standing.rank - line.standing.rank


def test_a_result_of_the_round_that_is_played_counts_at_once_and_is_not_final():
    event = make_event(players=4)
    play_round(event)
    before = grid_of(event)
    round_ = play_round(event, tables=[1], play=first_wins)
    winner = sitting(tables_of(round_)[0])[0].number
    waiting = sitting(tables_of(round_)[1])[0].number

    grid = grid_of(event)

    assert (grid.live, grid.after, grid.stored, grid.open_tables) == (True, 2, 1, 1)
    had = line_of(before, winner).standing.match_points
    assert line_of(grid, winner).standing.match_points == had + 20
    assert line_of(grid, waiting).cells[1].outcome is RoundOutcome.PLAYING
    text = text_of(Client().get(url("standings", event)))
    assert "Live standings" in text
    assert "1 table still playing in round 2" in text
    assert grid_of(event, round=1).lines == before.lines


def test_before_its_first_result_a_round_changes_nothing():
    event = make_event(players=4)
    play_round(event)
    before = grid_of(event)
    start_round(event)

    assert grid_of(event) == before
    assert "Round 2 is still being played." in text_of(Client().get(url("standings", event)))


def test_a_draft_is_in_no_standings():
    event = make_event(players=4)
    play_round(event)
    before = grid_of(event)
    draft_round(event)

    assert grid_of(event).rounds == before.rounds == (1,)


def test_a_late_entry_missed_the_rounds_before():
    event = make_event(players=4, late_entry="byes")
    play_round(event)
    [late] = add_players(event, 1)
    play_round(event)

    assert line_of(grid_of(event), late.number).cells[0].outcome is RoundOutcome.MISSED


def test_pods_have_no_sides_and_no_record():
    event = make_pods(9)
    play_round(event, play=places)

    grid = grid_of(event)

    assert not grid.has_sides
    assert {(line.record, line.corp, line.runner) for line in grid.lines} == {(None, None, None)}
    assert {line.cells[0].outcome for line in grid.lines} == {RoundOutcome.POD}
    assert "W-D-L" not in Client().get(url("standings", event)).text


def test_a_player_finds_their_own_line(client: Client):
    event = make_event(players=8)
    play_round(event)
    me = player_number(event, 5)
    claim(client, me.player)

    answer = client.get(url("standings", event))

    mine = answer.context["grid"].own_line
    assert mine.standing.number == me.number
    assert 'href="#p5"' in answer.text
    assert answer.text.count('class="is-me"') == 1
    # The cached grid, shared by all readers, marks no own line.
    assert grid_of(event).own_line is None


def test_players_in_the_cut_are_marked():
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [1, 2])

    assert Client().get(url("standings", event)).text.count("Top 4</span>") == 4


@pytest.mark.parametrize("is_live", [False, True])
def test_the_queries_do_not_grow_with_players_and_rounds(is_live: bool):
    asked = []
    for players, rounds in ((4, 1), (24, 3)):
        event = make_event(players, name=f"With {players}")
        for _ in range(rounds):
            play_round(event)
        if is_live:
            play_round(event, tables=[1])
        caches["pages"].clear()
        asked.append(queries_of(Client().get, url("standings", fresh(event))))

    assert asked[0] == asked[1] <= 12


def test_page_without_standings_gives_the_reason():
    event = make_event(players=4)
    before = text_of(Client().get(url("standings", event)))

    start_round(event)
    during = text_of(Client().get(url("standings", event)))

    assert "No round is published yet." in before
    assert "Standings appear here automatically with the first result of the round." in during
