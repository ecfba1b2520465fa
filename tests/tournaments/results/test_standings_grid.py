"""The grid of the standings, during a round and after it."""

from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from matches.scoring.results import MatchResult, Role
from tests.factories.cuts import event_with_cut, play_cut_round
from tests.factories.pods import make_pods, places
from tests.factories.sessions import claim
from tests.factories.tournaments import (
    add_players,
    draft_round,
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    sitting,
    start_round,
    sweep,
    tables_of,
    won_game,
)
from tests.queries import queries_of
from tests.tournaments.pages import text_of, url
from tournaments.models import Pairing, Registration, Tournament
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.results.standings_pages import CutLine, GridLine, RoundOutcome, StandingsGrid
from tournaments.settings import services as settings_services

BYE = 20


def grid_of(event: Tournament, **query: int) -> StandingsGrid:
    # A cached page has no context.
    caches["pages"].clear()
    grid: StandingsGrid = Client().get(url("standings", event), query).context["grid"]
    return grid


def line_of(grid: StandingsGrid, number: int) -> GridLine:
    return next(line for line in grid.lines if line.standing.number == number)


def first_wins(_pairing: Pairing) -> MatchResult:
    return sweep(1, 3)


def one_win(_pairing: Pairing) -> MatchResult:
    return MatchResult((won_game(1, Role.CORP),))


@pytest.mark.parametrize(("language", "won"), [("en", "W"), ("de", "S"), ("fr", "V")])
def test_cells_use_the_letters_of_the_note_below(language: str, won: str):
    event = make_event(players=4)
    play_round(event, play=first_wins)
    caches["pages"].clear()

    answer = Client().get(url("standings", event), headers={"Accept-Language": language})

    winner = answer.context["grid"].example
    # In the cell and in the note.
    assert text_of(answer).count(f"{won} {winner.points} ") >= 2


def test_cell_has_the_place_of_the_opponent_and_the_side():
    event = make_event(players=2)
    play_round(event, play=first_wins)
    caches["pages"].clear()

    shown = text_of(Client().get(url("standings", event)))

    assert "W 20 vs 2nd, Corp" in shown
    assert "L 3 vs 1st, Runner" in shown
    # On wide screens.
    assert "2nd C" in shown
    assert "1st R" in shown


def test_legend_explains_the_tie_breakers_in_use():
    event = make_event(players=4)
    play_round(event)
    unseeded = text_of(Client().get(url("standings", event)))
    breakers = grid_of(event).tie_breakers
    Registration.objects.filter(pk=player_number(event, 1).pk).update(seed=1)
    play_round(event)
    caches["pages"].clear()

    seeded = text_of(Client().get(url("standings", event)))

    assert breakers == ("strength_of_schedule", "extended_strength_of_schedule")
    assert grid_of(event).tie_breakers == ("manual_seed", *breakers)
    assert "Strength of schedule (SoS). How well the opponents did" in unseeded
    assert "Manual seed" not in unseeded
    assert "Manual seed (Seed). An order set by the organiser" in seeded


def test_line_has_record_points_by_side_and_every_round():
    event = make_event(players=4)
    round_ = play_round(event, play=first_wins)
    winner, loser = sitting(tables_of(round_)[0])

    won, lost = (line_of(grid_of(event), registration.number) for registration in (winner, loser))

    assert (won.record, won.corp, won.runner) == ((1, 0, 0), 10, 10)
    assert (lost.record, lost.corp, lost.runner) == ((0, 0, 1), 0, 3)
    assert won.cells[0][1:] == (RoundOutcome.WON, 20, lost.standing.rank, "Corp")
    assert lost.cells[0][1:] == (RoundOutcome.LOST, 3, won.standing.rank, "Runner")


def test_points_of_sides_and_byes_add_up_to_the_match_points():
    event = make_event(players=9)
    play_round(event)
    play_round(event)

    for line in grid_of(event).lines:
        byes = sum(cell.outcome is RoundOutcome.BYE for cell in line.cells)
        of_sides = (line.corp or 0) + (line.runner or 0)
        assert of_sides + byes * BYE == line.standing.match_points
        assert sum(line.record or ()) + byes == 2


def test_movement_is_relative_to_the_previous_round():
    event = make_event(players=8)
    play_round(event)
    first = {line.standing.number: line for line in grid_of(event).lines}
    play_round(event)

    assert {line.moved for line in first.values()} == {None}
    for line in grid_of(event).lines:
        assert line.moved == first[line.standing.number].standing.rank - line.standing.rank


def test_result_of_the_current_round_is_shown_immediately_as_live():
    event = make_event(players=4)
    play_round(event)
    before = grid_of(event)
    round_ = play_round(event, tables=[1], play=first_wins)
    winner = sitting(tables_of(round_)[0])[0].number
    waiting = sitting(tables_of(round_)[1])[0].number

    grid = grid_of(event)

    assert (grid.live, grid.after, grid.stored, grid.open_tables) == (True, 2, 1, 1)
    points_before = line_of(before, winner).standing.match_points
    assert line_of(grid, winner).standing.match_points == points_before + 20
    assert line_of(grid, waiting).cells[1].outcome is RoundOutcome.PLAYING
    text = text_of(Client().get(url("standings", event)))
    assert "Live standings" in text
    assert "1 table still playing in round 2" in text
    assert grid_of(event, round=1).lines == before.lines


def test_round_without_results_does_not_change_the_standings():
    event = make_event(players=4)
    play_round(event)
    before = grid_of(event)
    start_round(event)

    assert grid_of(event) == before
    assert "Round 2 is still being played." in text_of(Client().get(url("standings", event)))


def test_rounds_after_a_drop_are_not_absences():
    event = make_event(players=4)
    play_round(event)
    gone = player_number(event, 1)
    registration_services.drop_player(gone, owner_of(event))
    play_round(event)

    line = line_of(grid_of(event), gone.number)

    assert line.cells[1].outcome is RoundOutcome.DROPPED
    assert "Dropped" in text_of(Client().get(url("standings", event)))


def test_draft_is_not_in_the_standings():
    event = make_event(players=4)
    play_round(event)
    before = grid_of(event)
    draft_round(event)

    assert grid_of(event).rounds == before.rounds == (1,)


def test_late_entry_has_missed_the_earlier_rounds():
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


def test_own_line_of_a_player_is_marked(client: Client):
    event = make_event(players=8)
    play_round(event)
    me = player_number(event, 5)
    claim(client, me.player)

    answer = client.get(url("standings", event))

    own_line = answer.context["grid"].own_line
    assert own_line.standing.number == me.number
    assert 'href="#p5"' in answer.text
    assert answer.text.count('class="is-me"') == 1
    # The cached grid, shared by all readers, marks no own line.
    assert grid_of(event).own_line is None


class TestCutLine:
    def test_planned_cut_divides_the_table_below_its_last_player(self):
        event = make_event(players=8, planned_cut=4)
        play_round(event)

        grid = grid_of(event)

        fourth = grid.lines[3].standing.number
        assert grid.cut_line == CutLine(4, below=fourth)
        shown = text_of(Client().get(url("standings", event)))
        names = [line.standing.name for line in grid.lines]
        assert shown.index(names[3]) < shown.index("Top 4") < shown.index(names[4])

    def test_dropped_player_takes_no_place_in_the_planned_cut(self):
        event = make_event(players=8, planned_cut=4)
        play_round(event)
        leader = player_number(event, grid_of(event).lines[0].standing.number)
        registration_services.drop_player(leader, owner_of(event))

        grid = grid_of(event)

        assert grid.cut_line == CutLine(4, below=grid.lines[4].standing.number, dropped=1)
        shown = text_of(Client().get(url("standings", event)))
        assert "Top 4, not counting 1 dropped player " in shown

    @pytest.mark.parametrize("cut", [None, 8, 20])
    def test_no_line_if_all_or_no_players_qualify(self, cut: int | None):
        event = make_event(players=8, planned_cut=cut)
        play_round(event)

        assert grid_of(event).cut_line is None

    def test_event_finished_without_its_planned_cut_has_no_line(self):
        event = make_event(players=8, planned_cut=4)
        play_round(event)
        settings_services.finish_event(event, owner_of(event))

        assert grid_of(event).cut_line is None

    def test_made_cut_divides_the_swiss_standings(self):
        event = event_with_cut(4, system="single_elimination")
        play_cut_round(event, [1, 2])

        grid = grid_of(event)

        assert grid.cut_line == CutLine(4, below=grid.lines[3].standing.number)

    def test_cut_by_hand_marks_its_players_instead(self):
        event = make_event(players=8)
        play_round(event)
        chosen = event.cut_candidates()[2:6]
        cuts.make_cut(
            event, chosen, owner_of(event), system="single_elimination", reason="Qualified earlier"
        )
        start_round(event)

        page = Client().get(url("standings", event))

        assert page.context["grid"].cut_line is None
        assert page.text.count("Top 4</span>") == 4


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "won with 20 points against the player who is now"),
        (
            {"game": "anr", "scoring_rule": "anr_single"},
            "won with 3 points against the player who is now",
        ),
    ],
)
def test_legend_has_the_points_of_the_event(settings: dict[str, Any], words: str):
    event = make_event(players=4, **settings)
    play_round(event, play=one_win if settings else first_wins)

    assert words in text_of(Client().get(url("standings", event)))


def test_line_of_the_cut_spans_all_columns():
    event = make_event(players=8, planned_cut=4)
    play_round(event)

    grid = grid_of(event)

    headings = ["#", "Player", "Points", "W-D-L", "Corp", "Runner", "R1", "SoS", "ESoS"]
    # The last column holds the disclosure on phones.
    assert grid.columns == len(headings) + 1


@pytest.mark.parametrize("is_live", [False, True])
def test_queries_do_not_grow_with_players_and_rounds(is_live: bool):
    query_counts = []
    for players, rounds in ((4, 1), (24, 3)):
        event = make_event(players, name=f"With {players}")
        for _ in range(rounds):
            play_round(event)
        if is_live:
            play_round(event, tables=[1])
        caches["pages"].clear()
        query_counts.append(queries_of(Client().get, url("standings", fresh(event))))

    assert query_counts[0] == query_counts[1] <= 12


def test_page_without_standings_gives_the_reason():
    event = make_event(players=4)
    before = text_of(Client().get(url("standings", event)))

    start_round(event)
    during = text_of(Client().get(url("standings", event)))

    assert "No round is published yet." in before
    assert "Standings appear here automatically with the first result of the round." in during
